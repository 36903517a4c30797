//! Table `waiting`: messages the person sent while a turn ran, until their own turn comes.
//!
//! What a person wrote survives everything but being sent or taken back. Not here: when the next one
//! is sent (`app::turns`).

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use skein_context::message::{
    ContentPart, Message, MessageId, MessageKind, MessageState, Origin, Role,
};
use skein_context::session::SessionId;
use specta::Type;

use super::fault::{Fault, not_found};
use super::messages::{self, NewMessage, Parent};
use super::row::Json;
use super::{Store, deletions};
use crate::error::Result;

/// Key of a waiting message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct WaitingId(pub i64);

/// A message that waits for a running turn to end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    /// Key.
    pub id: WaitingId,
    /// What it says, in order.
    pub parts: Vec<ContentPart>,
    /// Milliseconds since the epoch.
    pub created_at: i64,
}

impl Store {
    /// What waits in a session, first to be sent first.
    pub async fn waiting(&self, session: SessionId) -> Result<Vec<Waiting>> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(
                "SELECT id, parts, created_at FROM waiting WHERE session_id = ?1 ORDER BY id",
            )?;
            let found =
                statement.query_map([session.0], waiting)?.collect::<rusqlite::Result<_>>()?;
            Ok(found)
        })
        .await
    }

    /// Lets a message wait behind the others. On the disk when this returns.
    pub async fn add_waiting(
        &self,
        session: SessionId,
        parts: Vec<ContentPart>,
        now: i64,
    ) -> Result<()> {
        self.write_surely(move |tx| Ok(insert(tx, session, &parts, now)?)).await
    }

    /// Takes a waiting message back.
    ///
    /// # Errors
    /// `NotFound` when it was sent meanwhile.
    pub async fn remove_waiting(&self, id: WaitingId) -> Result<()> {
        self.write(move |tx| {
            let changed = tx.execute("DELETE FROM waiting WHERE id = ?1", [id.0])?;
            if changed == 0 { Err(not_found("waiting message")) } else { Ok(()) }
        })
        .await
    }

    /// The first that waits joins the end of its session's current thread, in one step; `None` when
    /// nothing waits.
    pub async fn send_waiting(&self, session: SessionId, now: i64) -> Result<Option<Message>> {
        self.write_surely(move |tx| {
            let Some(first) = first(tx, session)? else { return Ok(None) };
            tx.execute("DELETE FROM waiting WHERE id = ?1", [first.id.0])?;
            let thread = super::sessions::get(tx, session)?.current_thread;
            let new = NewMessage {
                parent: Parent::Leaf,
                kind: MessageKind::Chat {},
                role: Role::User,
                origin: Origin::Person,
                parts: first.parts,
                state: MessageState::Complete {},
                model: None,
                created_at: now,
            };
            messages::insert(tx, thread, new).map(Some)
        })
        .await
    }

    /// A message that cannot be answered leaves its path and waits again, before the others.
    pub async fn wait_again(&self, session: SessionId, id: MessageId, now: i64) -> Result<()> {
        self.write_surely(move |tx| {
            let message = messages::get(tx, id)?;
            deletions::delete(tx, id, now)?;
            tx.execute(
                "INSERT INTO waiting (id, session_id, parts, created_at)
                 VALUES ((SELECT min(id) - 1 FROM waiting), ?1, ?2, ?3)",
                params![session.0, Json(&message.parts), message.created_at],
            )?;
            Ok(())
        })
        .await
    }
}

/// Lets a message wait behind the others.
pub(super) fn insert(
    connection: &Connection,
    session: SessionId,
    parts: &[ContentPart],
    now: i64,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO waiting (session_id, parts, created_at) VALUES (?1, ?2, ?3)")?
        .execute(params![session.0, Json(parts), now])?;
    Ok(())
}

fn first(connection: &Connection, session: SessionId) -> Result<Option<Waiting>, Fault> {
    let found = connection
        .prepare_cached(
            "SELECT id, parts, created_at FROM waiting WHERE session_id = ?1 ORDER BY id LIMIT 1",
        )?
        .query_row([session.0], waiting)
        .optional()?;
    Ok(found)
}

fn waiting(row: &Row) -> rusqlite::Result<Waiting> {
    let Json(parts) = row.get("parts")?;
    Ok(Waiting { id: WaitingId(row.get("id")?), parts, created_at: row.get("created_at")? })
}
