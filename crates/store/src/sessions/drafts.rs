//! Table `drafts`: what stands in a session's composer. Survives everything but sending.
//!
//! It names its attachments by where their bytes are: it is kept at every pause in typing, and what a
//! file says is written once, when it is sent. It is the composer's own: what else is to stand there waits
//! (`queued_messages`) until the composer takes it in, so that no save of the composer can overwrite it.

use rusqlite::{Connection, params};
use skein_domain::draft::Draft;
use skein_domain::error::Result;
use skein_domain::ids::SessionId;
use skein_domain::message::ContentPart;
use skein_domain::message::queued_message::WaitingId;

use super::queued_messages;
use crate::db::sql_types::JsonColumn;
use crate::db::statements::{execute, query_first};
use crate::db::store::{Durability, Store};

impl Store {
    /// Lets what stood in the composer wait behind the others, in one step. On the disk when this returns.
    pub async fn queue_message(
        &self,
        session: SessionId,
        parts: Vec<ContentPart>,
        now: i64,
    ) -> Result<()> {
        self.write_surely(move |tx| {
            set(tx, session, &Draft::default(), now)?;
            Ok(queued_messages::insert(tx, session, &parts, false, now)?)
        })
        .await
    }

    /// The draft of a session; empty when there is none.
    pub async fn draft(&self, session: SessionId) -> Result<Draft> {
        self.read(move |tx| {
            let sql = "SELECT text, attachments FROM drafts WHERE session_id = ?1";
            let draft = query_first(tx, sql, [session.0], |row| {
                let JsonColumn(attachments) = row.get("attachments")?;
                Ok(Draft { text: row.get("text")?, attachments })
            })?;
            Ok(draft.unwrap_or_default())
        })
        .await
    }

    /// Keeps the draft of a session; an empty one removes it. What it has `taken` in waits no longer,
    /// in the same step.
    ///
    /// # Errors
    /// `NotFound` when that was sent meanwhile: then nothing changes.
    pub async fn set_draft(
        &self,
        session: SessionId,
        draft: Draft,
        taken: Option<WaitingId>,
        now: i64,
    ) -> Result<()> {
        // What waits is on the disk, and stays there under its other name.
        let surety = if taken.is_some() { Durability::Power } else { Durability::Process };
        self.write_as(surety, move |tx| {
            if let Some(taken) = taken {
                queued_messages::remove(tx, taken)?;
            }
            Ok(set(tx, session, &draft, now)?)
        })
        .await
    }
}

/// Keeps the draft of a session; an empty one removes it.
pub(crate) fn set(
    connection: &Connection,
    session: SessionId,
    draft: &Draft,
    now: i64,
) -> rusqlite::Result<()> {
    if *draft == Draft::default() {
        execute(connection, "DELETE FROM drafts WHERE session_id = ?1", [session.0])?;
        return Ok(());
    }
    let sql = "INSERT INTO drafts (session_id, text, attachments, updated_at)
               VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (session_id) DO UPDATE
               SET text = excluded.text, attachments = excluded.attachments,
                   updated_at = excluded.updated_at";
    execute(connection, sql, params![session.0, draft.text, JsonColumn(&draft.attachments), now])
}
