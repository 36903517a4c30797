//! Tables `points` and `undone_points`: where conversations were compacted.
//!
//! A point and its summary appear and disappear together.

use rusqlite::{Connection, params};

/// Takes a point and its summary away.
pub(super) fn undo(connection: &Connection, point: i64, now: i64) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO undone_points SELECT *, ?2 FROM points WHERE id = ?1",
        params![point, now],
    )?;
    connection.execute(
        "UPDATE messages SET deleted_at = ?2
         WHERE id = (SELECT summary_id FROM points WHERE id = ?1)",
        params![point, now],
    )?;
    connection.execute("DELETE FROM points WHERE id = ?1", [point])?;
    Ok(())
}

/// Brings an undone point and its summary back; does nothing for one that was not undone.
pub(super) fn redo(connection: &Connection, point: i64) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE messages SET deleted_at = NULL
         WHERE id = (SELECT summary_id FROM undone_points WHERE id = ?1)",
        [point],
    )?;
    connection.execute(
        "INSERT INTO points
         SELECT id, thread_id, summary_id, boundary_id, before, after, covered, fingerprint, trigger,
                model_provider, model, created_at
         FROM undone_points WHERE id = ?1",
        [point],
    )?;
    connection.execute("DELETE FROM undone_points WHERE id = ?1", [point])?;
    Ok(())
}
