//! Table `import_staging`: the sessions of an import that has not ended. Nobody sees them before all of them
//! are there, and what was stopped leaves nothing, not even among what was deleted.
//!
//! Not here: what a session consists of as it arrives (`importer`).

use rusqlite::{Connection, params};
use skein_domain::error::Result;
use skein_domain::ids::SessionId;

use crate::content::blobs;
use crate::db::interrupted_import::InterruptedImport;
use crate::db::sql_types::JsonColumn;
use crate::db::statements::execute;
use crate::db::store::Store;

impl Store {
    /// Removed at the start from an import that was cut off; `None`: there was none.
    pub fn interrupted_import(&self) -> Option<InterruptedImport> {
        self.inner.cut_import
    }

    /// Shows what has arrived, all of it at once.
    pub async fn publish_import(&self, arrivals: Vec<SessionId>) -> Result<()> {
        self.write_surely(move |tx| {
            let arrivals = JsonColumn(arrivals);
            let sql = "UPDATE sessions SET deleted_at = NULL
                       WHERE id IN (SELECT session_id FROM arrivals)
                         AND id IN (SELECT value FROM json_each(?1))";
            tx.execute(sql, params![arrivals])?;
            let sql = "DELETE FROM arrivals WHERE session_id IN (SELECT value FROM json_each(?1))";
            tx.execute(sql, params![arrivals])?;
            Ok(())
        })
        .await
    }

    /// Removes for good what has arrived since `began`, and the attachments that came with it.
    pub async fn discard_import(&self, arrivals: Vec<SessionId>, began: i64) -> Result<()> {
        self.write(move |tx| {
            let sql = "DELETE FROM sessions
                       WHERE id IN (SELECT session_id FROM arrivals)
                         AND id IN (SELECT value FROM json_each(?1))";
            tx.execute(sql, params![JsonColumn(arrivals)])?;
            Ok(blobs::delete_unreferenced(tx, began..began.saturating_add(1))?)
        })
        .await
    }
}

/// Notes that a session is one of an import.
pub(crate) fn mark_staged(connection: &Connection, session: SessionId) -> rusqlite::Result<()> {
    execute(connection, "INSERT INTO arrivals (session_id) VALUES (?1)", [session.0])
}

/// Removes what an import has left that was killed, and returns how much that was; `None`: none was. At a
/// start nothing stands in a composer that is not kept.
pub(crate) fn discard_interrupted(
    connection: &Connection,
    now: i64,
) -> rusqlite::Result<Option<InterruptedImport>> {
    let sql = "SELECT count(*) FROM arrivals
               JOIN threads ON threads.session_id = arrivals.session_id
               JOIN messages ON messages.thread_id = threads.id";
    let messages = connection.query_row(sql, [], |row| row.get(0))?;
    let left = "DELETE FROM sessions WHERE id IN (SELECT session_id FROM arrivals)";
    let sessions = connection.execute(left, [])?;
    if sessions == 0 {
        return Ok(None);
    }
    blobs::delete_unreferenced(connection, i64::MIN..now)?;
    Ok(Some(InterruptedImport { sessions: u32::try_from(sessions).unwrap_or(u32::MAX), messages }))
}

/// Gives every session without a thread an empty one: an earlier version imported such sessions from a file
/// with `"threads": []`, and they were in no list.
pub(crate) fn add_missing_threads(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "INSERT INTO threads (session_id, number, created_at)
               SELECT id, 1, created_at FROM sessions
               WHERE id NOT IN (SELECT session_id FROM threads)";
    connection.execute(sql, [])?;
    Ok(())
}
