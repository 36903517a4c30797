//! Deletes for good what was deleted before: sessions, threads, messages, and unreferenced
//! attachments and outputs.

use rusqlite::params;
use skein_domain::error::Result;
use skein_domain::ids::SessionId;

use crate::content::{blobs, requests, tool_outputs};
use crate::db::error::not_found;
use crate::db::sql_types::JsonColumn;
use crate::db::statements::query_first;
use crate::db::store::Store;
use crate::messages::encrypted_summaries;

pub(crate) const PURGE_MESSAGES: &str = "DELETE FROM messages WHERE deleted_at < ?1";

/// The time for which a deletion can be undone, in milliseconds: a month.
pub const DELETION_LIFETIME: i64 = 30 * 24 * 60 * 60 * 1_000;

impl Store {
    /// Purges a deleted session and its attachments that no other session uses. Other unreferenced
    /// attachments stay: an unsent edit may use them, or an undo may restore them.
    ///
    /// # Errors
    /// `NotFound` if the session is not deleted.
    pub async fn purge_session(&self, id: SessionId) -> Result<()> {
        self.write(move |tx| {
            let sql = "SELECT deleted_at FROM sessions WHERE id = ?1";
            let deleted_at = query_first(tx, sql, [id.0], |row| row.get::<_, Option<i64>>(0))?
                .flatten()
                .ok_or_else(|| not_found("deleted session"))?;
            let named = blobs::blobs_of_session(tx, id)?;
            tx.execute("DELETE FROM sessions WHERE id = ?1", [id.0])?;
            // The same bytes may have been attached again in a composer whose draft is not stored
            // yet.
            Ok(blobs::delete_unreferenced_of(tx, named, i64::MIN..deleted_at)?)
        })
        .await
    }

    /// Purges everything deleted before `before`, and unreferenced attachments and outputs. The
    /// sessions in `kept`, with their threads, are left for later.
    pub async fn purge(&self, before: i64, kept: Vec<SessionId>) -> Result<()> {
        self.write(move |tx| {
            let kept = JsonColumn(kept);
            let sql = "DELETE FROM sessions
                       WHERE deleted_at < ?1 AND id NOT IN (SELECT value FROM json_each(?2))";
            tx.execute(
                sql,
                params![before, kept],
            )?;
            let sql = "DELETE FROM threads
                       WHERE deleted_at < ?1 AND session_id NOT IN (SELECT value FROM json_each(?2))";
            tx.execute(
                sql,
                params![before, kept],
            )?;
            tx.execute(requests::DELETE_QUOTES, [before])?;
            tx.execute(encrypted_summaries::DELETE_QUOTES, [before])?;
            tx.execute(PURGE_MESSAGES, [before])?;
            tool_outputs::delete_unreferenced(tx, before)?;
            Ok(blobs::delete_unreferenced(tx, i64::MIN..before)?)
        })
        .await
    }

    /// The files of archived threads that [`Store::purge`] would forget, each with its session.
    pub async fn archives_deleted_before(&self, before: i64) -> Result<Vec<(SessionId, String)>> {
        let sql = "SELECT session_id, beginning ->> 'file'
                   FROM threads JOIN sessions ON sessions.id = session_id
                   WHERE beginning ->> 'type' = 'archived'
                     AND (sessions.deleted_at < ?1 OR threads.deleted_at < ?1)";
        self.read_rows(sql, [before], |row| Ok((SessionId(row.get(0)?), row.get(1)?))).await
    }
}
