//! Table `queued_messages`: messages the person sent while a turn ran, until their own turn comes; and those
//! that are to stand in the box, until it takes them in.
//!
//! What a person wrote survives everything but being sent or taken back. Not here: when the next one
//! is sent (`app::turns`), taking one into the box (`drafts`).

use rusqlite::{Connection, OptionalExtension, Row, params};
use skein_domain::draft::Draft;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId, WaitingId};
use skein_domain::message::queued_message::QueuedMessage;
use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Origin, Role};

use super::drafts;
use crate::Store;
use crate::db::error::{StoreError, not_found};
use crate::db::sql_types::JsonColumn;
use crate::messages::deletions;
use crate::messages::message_rows::{self, MessageParent, NewMessage};

impl Store {
    /// What waits in a session, first to be sent first.
    pub async fn queued_messages(&self, session: SessionId) -> Result<Vec<QueuedMessage>> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(
                "SELECT id, parts, for_box, created_at FROM waiting
                 WHERE session_id = ?1 ORDER BY id",
            )?;
            let found =
                statement.query_map([session.0], waiting)?.collect::<rusqlite::Result<_>>()?;
            Ok(found)
        })
        .await
    }

    /// Whether a message waits that is sent by itself when the turn before it is answered.
    pub async fn has_queued_message(&self, session: SessionId) -> Result<bool> {
        self.read(move |tx| {
            let found = tx
                .prepare_cached("SELECT 1 FROM waiting WHERE session_id = ?1 AND for_box = 0")?
                .exists([session.0])?;
            Ok(found)
        })
        .await
    }

    /// Lets what stood in the box wait behind the others, in one step. On the disk when this returns.
    pub async fn queue_message(
        &self,
        session: SessionId,
        parts: Vec<ContentPart>,
        now: i64,
    ) -> Result<()> {
        self.write_surely(move |tx| {
            drafts::set(tx, session, &Draft::default(), now)?;
            Ok(insert(tx, session, &parts, false, now)?)
        })
        .await
    }

    /// Takes a waiting message back.
    ///
    /// # Errors
    /// `NotFound` when it was sent meanwhile.
    pub async fn remove_queued(&self, id: WaitingId) -> Result<()> {
        self.write(move |tx| remove(tx, id)).await
    }

    /// Puts a message that was taken out of the queue back at its old place. It is on the disk when this
    /// returns.
    pub async fn restore_queued(&self, session: SessionId, taken: QueuedMessage) -> Result<()> {
        self.write_surely(move |tx| {
            let QueuedMessage { id, parts, for_box, created_at } = taken;
            // One that was given back meanwhile may stand in its place.
            tx.execute(
                "INSERT INTO waiting (id, session_id, parts, for_box, created_at)
                 VALUES ((SELECT ?1 WHERE ?1 NOT IN (SELECT id FROM waiting)), ?2, ?3, ?4, ?5)",
                params![id.0, session.0, JsonColumn(parts), for_box, created_at],
            )?;
            Ok(())
        })
        .await
    }

    /// The first that waits joins the end of its session's current thread, in one step; one that is
    /// for the box only where no other waits. `None` when nothing does.
    pub async fn send_next_queued(&self, session: SessionId, now: i64) -> Result<Option<Message>> {
        self.write_surely(move |tx| {
            let Some(first) = first(tx, session)? else { return Ok(None) };
            remove(tx, first.id)?;
            let thread = super::session_rows::get_session(tx, session)?.current_thread;
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

    /// P07: a message that cannot be answered leaves its path for the box, in one step. What else is
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
            tx.execute(
                "INSERT INTO waiting (id, session_id, parts, for_box, created_at)
                 VALUES ((SELECT min(id) - 1 FROM waiting), ?1, ?2, 1, ?3)",
                params![session.0, JsonColumn(&message.parts), message.created_at],
            )?;
            Ok(())
        })
        .await
    }
}

/// Lets a message wait behind the others.
pub(crate) fn insert(
    connection: &Connection,
    session: SessionId,
    parts: &[ContentPart],
    for_box: bool,
    now: i64,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO waiting (session_id, parts, for_box, created_at) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![session.0, JsonColumn(parts), for_box, now])?;
    Ok(())
}

/// It waits no longer.
pub(crate) fn remove(connection: &Connection, id: WaitingId) -> Result<(), StoreError> {
    let changed = connection.execute("DELETE FROM waiting WHERE id = ?1", [id.0])?;
    if changed == 0 { Err(not_found("waiting message")) } else { Ok(()) }
}

fn first(connection: &Connection, session: SessionId) -> Result<Option<QueuedMessage>, StoreError> {
    let found = connection
        .prepare_cached(
            "SELECT id, parts, for_box, created_at FROM waiting
             WHERE session_id = ?1 ORDER BY for_box, id LIMIT 1",
        )?
        .query_row([session.0], waiting)
        .optional()?;
    Ok(found)
}

fn waiting(row: &Row) -> rusqlite::Result<QueuedMessage> {
    let JsonColumn(parts) = row.get("parts")?;
    Ok(QueuedMessage {
        id: WaitingId(row.get("id")?),
        parts,
        for_box: row.get("for_box")?,
        created_at: row.get("created_at")?,
    })
}
