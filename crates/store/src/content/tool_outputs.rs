//! Table `tool_outputs`: complete tool outputs that were truncated in the context (P08).

use rusqlite::{Connection, params};
use skein_domain::error::Result;
use skein_domain::ids::{OutputId, SessionId};
use skein_domain::message::WholeOutput;

use crate::content::read_access::ReadAccess;
use crate::db::error::not_found;
use crate::db::statements::{execute, query_first};
use crate::db::store::Store;

impl Store {
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

    /// A complete output of a session. Not found: outputs of other sessions, of deleted messages,
    /// and those that this reader may not read.
    pub async fn output(
        &self,
        session: SessionId,
        id: OutputId,
        reader: ReadAccess,
    ) -> Result<String> {
        self.read(move |tx| {
            let sql = "SELECT outputs.text, max(messages.left_out)
                       FROM outputs
                         JOIN parts ON parts.output_id = outputs.id
                         JOIN messages ON messages.id = parts.message_id
                         JOIN threads ON threads.id = messages.thread_id
                       WHERE outputs.id = ?1 AND outputs.session_id = ?2
                         AND messages.deleted_at IS NULL AND threads.deleted_at IS NULL
                       GROUP BY outputs.id";
            let text: Option<(String, bool)> =
                query_first(tx, sql, params![id.0, session.0], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?;
            let read = text.filter(|(_, left_out)| reader.may_read(*left_out));
            read.map(|(text, _)| text).ok_or_else(|| not_found("output"))
        })
        .await
    }
}

pub(crate) fn insert(
    tx: &Connection,
    session: SessionId,
    text: &str,
    now: i64,
) -> rusqlite::Result<OutputId> {
    let sql = "INSERT INTO outputs (session_id, text, created_at) VALUES (?1, ?2, ?3)";
    execute(tx, sql, params![session.0, text, now])?;
    Ok(OutputId(tx.last_insert_rowid()))
}

pub(crate) const SWEEP: &str = "
    DELETE FROM outputs WHERE created_at < ?1
      AND NOT EXISTS (SELECT 1 FROM parts WHERE parts.output_id = outputs.id)";

/// Deletes outputs stored before a time that no call refers to any more.
pub(crate) fn delete_unreferenced(tx: &Connection, before: i64) -> rusqlite::Result<()> {
    execute(tx, SWEEP, [before])
}
