//! Table `arrivals`: the sessions of an import that has not ended. Nobody sees them before all of them are
//! there, and what was stopped leaves nothing, not even among what was deleted.
//!
//! Not here: what a session consists of as it arrives (`conversation`).

use rusqlite::{Connection, params};
use skein_context::session::SessionId;

use super::row::Json;
use super::{Store, blobs};
use crate::error::Result;

impl Store {
    /// Shows what has arrived, all of it at once.
    pub async fn show_arrivals(&self, arrivals: Vec<SessionId>) -> Result<()> {
        self.write_surely(move |tx| {
            let arrivals = Json(arrivals);
            tx.execute(
                "UPDATE sessions SET deleted_at = NULL
                 WHERE id IN (SELECT session_id FROM arrivals)
                   AND id IN (SELECT value FROM json_each(?1))",
                params![arrivals],
            )?;
            tx.execute(
                "DELETE FROM arrivals WHERE session_id IN (SELECT value FROM json_each(?1))",
                params![arrivals],
            )?;
            Ok(())
        })
        .await
    }

    /// Removes for good what has arrived since `began`, and the attachments that came with it.
    pub async fn remove_arrivals(&self, arrivals: Vec<SessionId>, began: i64) -> Result<()> {
        self.write(move |tx| {
            tx.execute(
                "DELETE FROM sessions
                 WHERE id IN (SELECT session_id FROM arrivals)
                   AND id IN (SELECT value FROM json_each(?1))",
                params![Json(arrivals)],
            )?;
            Ok(blobs::sweep(tx, began..began.saturating_add(1))?)
        })
        .await
    }
}

/// Notes that a session is one of an import.
pub(super) fn note(connection: &Connection, session: SessionId) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO arrivals (session_id) VALUES (?1)")?
        .execute([session.0])?;
    Ok(())
}

/// Removes what an import has left that was killed. At a start nothing stands in a box that is not kept.
pub(super) fn recover(connection: &Connection, now: i64) -> rusqlite::Result<()> {
    let left = "DELETE FROM sessions WHERE id IN (SELECT session_id FROM arrivals)";
    if connection.execute(left, [])? > 0 {
        blobs::sweep(connection, i64::MIN..now)?;
    }
    Ok(())
}
