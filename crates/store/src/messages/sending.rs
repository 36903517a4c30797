//! Moves messages from the composer or the queue into their thread, and back into the composer.

use rusqlite::Transaction;
use skein_domain::draft::Draft;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{Message, MessageKind, MessageState, Origin, Role};
use skein_domain::model::ModelRef;

use super::deletions;
use super::message_rows::{self, MessageParent, NewMessage};
use crate::db::error::StoreError;
use crate::db::store::{Durability, Store};
use crate::sessions::{drafts, queued_messages, running_turns, session_rows};

#[derive(Debug)]
pub enum TurnMessage {
    /// The composer's text and attachments. Clears the stored draft.
    Draft(NewMessage),
    /// A new version of a message of the path. The stored draft stays.
    Edit(NewMessage),
    /// The first message of the queue. One meant for the composer is sent only if no other waits.
    Queued {
        /// The time of sending, in milliseconds since the epoch.
        now: i64,
    },
    /// No new message: the last one of the path is answered.
    Nothing,
}

#[derive(Debug)]
pub struct BegunTurn {
    /// The current thread of the session.
    pub thread: ThreadId,
    pub model: ModelRef,
    /// The stored message; `None` if there is no new one, or the queue was empty.
    pub message: Option<Message>,
}

impl Store {
    /// Begins a turn in one transaction: adds its message to the session's current thread, marks
    /// the turn as running, and gives a session without a model `default_model`. A new message is
    /// synced to the disk when this returns. An empty queue begins nothing.
    pub async fn begin_turn(
        &self,
        id: SessionId,
        message: TurnMessage,
        default_model: ModelRef,
    ) -> Result<BegunTurn> {
        let durability = match message {
            TurnMessage::Nothing => Durability::Process,
            TurnMessage::Draft(_) | TurnMessage::Edit(_) | TurnMessage::Queued { .. } => {
                Durability::Power
            }
        };
        self.write_as(durability, move |tx| {
            let session = session_rows::get_session(tx, id)?;
            let thread = session.current_thread;
            let is_queued = matches!(message, TurnMessage::Queued { .. });
            let new = new_message(tx, id, message)?;
            let model = session.model.unwrap_or_else(|| default_model.clone());
            if new.is_none() && is_queued {
                return Ok(BegunTurn { thread, model, message: None });
            }
            running_turns::mark_running(tx, id)?;
            session_rows::set_missing_model(tx, id, &default_model)?;
            let message = new.map(|new| message_rows::append(tx, thread, new)).transpose()?;
            Ok(BegunTurn { thread, model, message })
        })
        .await
    }

    /// Moves a message that cannot be answered from its path to the composer, in one transaction
    /// (P07). Other text in the composer stays.
    pub async fn return_message_to_draft(
        &self,
        session: SessionId,
        id: MessageId,
        now: i64,
    ) -> Result<()> {
        self.write_durably(move |tx| {
            let message = message_rows::get(tx, id)?;
            deletions::delete(tx, id, deletions::PathEnd::Before, None, now)?;
            queued_messages::insert_first_for_composer(
                tx,
                session,
                &message.parts,
                message.created_at,
            )?;
            Ok(())
        })
        .await
    }
}

/// Takes the message from the composer or the queue; `None` if there is none.
fn new_message(
    tx: &Transaction,
    session: SessionId,
    message: TurnMessage,
) -> Result<Option<NewMessage>, StoreError> {
    match message {
        TurnMessage::Draft(new) => {
            drafts::set(tx, session, &Draft::default(), new.created_at)?;
            Ok(Some(new))
        }
        TurnMessage::Edit(new) => Ok(Some(new)),
        TurnMessage::Nothing => Ok(None),
        TurnMessage::Queued { now } => {
            let Some(first) = queued_messages::first(tx, session)? else { return Ok(None) };
            queued_messages::remove(tx, first.id)?;
            Ok(Some(NewMessage {
                parent: MessageParent::Leaf,
                kind: MessageKind::Chat {},
                role: Role::User,
                origin: Origin::Person,
                parts: first.parts,
                state: MessageState::Complete {},
                model: None,
                created_at: now,
            }))
        }
    }
}
