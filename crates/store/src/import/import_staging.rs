//! Table `import_staging`: the sessions of an unfinished import. They are hidden until all have
//! been imported; a cancelled import leaves nothing, not even among deleted sessions.
//!
//! Not here: inserting a session (`importer`).

use rusqlite::{Connection, params};
use skein_domain::error::Result;
use skein_domain::ids::SessionId;

use crate::content::blobs;
use crate::db::interrupted_import::InterruptedImport;
use crate::db::sql_types::JsonColumn;
use crate::db::statements::execute;
use crate::db::store::Store;

impl Store {
    /// The import that the start removed because it was interrupted; `None` if there was none.
    pub fn interrupted_import(&self) -> Option<InterruptedImport> {
        self.inner.cut_import
    }

    /// Publishes all sessions of an import at once.
    pub async fn publish_import(&self, arrivals: Vec<SessionId>) -> Result<()> {
        self.write_durably(move |tx| {
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

    /// Deletes the sessions of an import for good, with the attachments stored since `began`.
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

pub(crate) fn mark_staged(tx: &Connection, session: SessionId) -> rusqlite::Result<()> {
    execute(tx, "INSERT INTO arrivals (session_id) VALUES (?1)", [session.0])
}

/// Deletes an interrupted import and returns its size; `None` if there was none. Runs at the start,
/// when no composer refers to an attachment.
pub(crate) fn discard_interrupted(
    tx: &Connection,
    now: i64,
) -> rusqlite::Result<Option<InterruptedImport>> {
    let sql = "SELECT count(*) FROM arrivals
               JOIN threads ON threads.session_id = arrivals.session_id
               JOIN messages ON messages.thread_id = threads.id";
    let messages = tx.query_row(sql, [], |row| row.get(0))?;
    let left = "DELETE FROM sessions WHERE id IN (SELECT session_id FROM arrivals)";
    let sessions = tx.execute(left, [])?;
    if sessions == 0 {
        return Ok(None);
    }
    blobs::delete_unreferenced(tx, i64::MIN..now)?;
    Ok(Some(InterruptedImport { sessions: u32::try_from(sessions).unwrap_or(u32::MAX), messages }))
}

/// Adds an empty thread to every session without threads: an earlier version imported such sessions
/// from files with `"threads": []`, and no list showed them.
pub(crate) fn add_missing_threads(tx: &Connection) -> rusqlite::Result<()> {
    let sql = "INSERT INTO threads (session_id, number, created_at)
               SELECT id, 1, created_at FROM sessions
               WHERE id NOT IN (SELECT session_id FROM threads)";
    tx.execute(sql, [])?;
    Ok(())
}
