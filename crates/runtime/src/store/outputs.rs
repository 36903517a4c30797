//! Table `outputs`: whole tool outputs of which only head and tail entered the context (P08).

use rusqlite::{Connection, OptionalExtension, params};
use skein_context::message::{OutputId, WholeOutput};
use skein_context::session::SessionId;

use super::Store;
use super::fault::not_found;
use crate::error::Result;

impl Store {
    /// Keeps a whole output.
    pub async fn put_output(
        &self,
        session: SessionId,
        text: String,
        now: i64,
    ) -> Result<WholeOutput> {
        self.write(move |tx| {
            let chars = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            Ok(WholeOutput { id: insert(tx, session, &text, now)?, chars })
        })
        .await
    }

    /// A whole output of a session; another session's is not found.
    pub async fn output(&self, session: SessionId, id: OutputId) -> Result<String> {
        self.read(move |tx| {
            let text = tx
                .prepare_cached("SELECT text FROM outputs WHERE id = ?1 AND session_id = ?2")?
                .query_row(params![id.0, session.0], |row| row.get(0))
                .optional()?;
            text.ok_or_else(|| not_found("output"))
        })
        .await
    }
}

/// Keeps a whole output.
pub(super) fn insert(
    connection: &Connection,
    session: SessionId,
    text: &str,
    now: i64,
) -> rusqlite::Result<OutputId> {
    connection
        .prepare_cached("INSERT INTO outputs (session_id, text, created_at) VALUES (?1, ?2, ?3)")?
        .execute(params![session.0, text, now])?;
    Ok(OutputId(connection.last_insert_rowid()))
}
