//! Messages that leave the composer or the queue for their thread, and one that returns to the composer.

use skein_domain::draft::Draft;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{Message, MessageKind, MessageState, Origin, Role};

use super::deletions;
use super::message_rows::{self, MessageParent, NewMessage};
use crate::db::store::Store;
use crate::sessions::{drafts, queued_messages, session_rows};

impl Store {
    /// Turns the composer's draft into a message of the thread, in one transaction. It is on the disk when
    /// this returns.
    pub async fn send_draft(
        &self,
        session: SessionId,
        thread: ThreadId,
        new: NewMessage,
    ) -> Result<Message> {
        self.write_surely(move |tx| {
            drafts::set(tx, session, &Draft::default(), new.created_at)?;
            message_rows::append(tx, thread, new)
        })
        .await
    }

    /// The first that waits joins the end of its session's current thread, in one step; one that is
    /// for the composer only where no other waits. `None` when nothing does.
    pub async fn send_next_queued(&self, session: SessionId, now: i64) -> Result<Option<Message>> {
        self.write_surely(move |tx| {
            let Some(first) = queued_messages::first(tx, session)? else { return Ok(None) };
            queued_messages::remove(tx, first.id)?;
            let thread = session_rows::get_session(tx, session)?.current_thread;
            let new = NewMessage {
                parent: MessageParent::Leaf,
                kind: MessageKind::Chat {},
                role: Role::User,
                origin: Origin::Person,
                parts: first.parts,
                state: MessageState::Complete {},
                model: None,
                created_at: now,
            };
            message_rows::append(tx, thread, new).map(Some)
        })
        .await
    }

    /// P07: a message that cannot be answered leaves its path for the composer, in one step. What else is
    /// written there by then stays.
    pub async fn return_message_to_draft(
        &self,
        session: SessionId,
        id: MessageId,
        now: i64,
    ) -> Result<()> {
        self.write_surely(move |tx| {
            let message = message_rows::get(tx, id)?;
            deletions::delete(tx, id, deletions::PathEnd::Before, now)?;
            queued_messages::insert_first(tx, session, &message.parts, message.created_at)?;
            Ok(())
        })
        .await
    }
}
