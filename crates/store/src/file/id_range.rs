//! The numbers of the rows of a database from elsewhere: whether what comes later still has a number.
//!
//! SQLite never uses a number twice. Where the last possible one is taken, every later row is refused, and
//! the refusal reads as a full disk. Session, part and output ids are packed into the numbers of the search
//! index (`search::fts`), and the UI reads every id as a number of JavaScript.

use rusqlite::Connection;

/// Half of what the index has room for: `session * 2^33 + part * 2`.
const MAX_SESSION_ID: i64 = 1 << 29;
const MAX_PART_ID: i64 = 1 << 31;

/// Half of what a number of JavaScript holds exactly.
const MAX_ID: i64 = 1 << 52;

/// Whether all ids, and the counters of the next ones, are positive and far from the last possible one.
/// The schema must be one that the migrations make.
pub(super) fn has_room(connection: &Connection) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'",
    )?;
    let tables = statement.query_map([], |row| row.get::<_, String>(0))?;
    for table in tables {
        let table = table?;
        let most = match table.as_str() {
            "sessions" => MAX_SESSION_ID,
            "parts" | "outputs" => MAX_PART_ID,
            _ => MAX_ID,
        };
        let sql = format!(
            "SELECT coalesce(min(id), 1) > 0 AND coalesce(max(id), 1) < ?2
               AND NOT EXISTS (SELECT 1 FROM sqlite_sequence
                               WHERE name = ?1
                                 AND (typeof(seq) <> 'integer' OR seq NOT BETWEEN 0 AND ?2))
             FROM {table}"
        );
        if !connection.query_row(&sql, (&table, most), |row| row.get(0))? {
            return Ok(false);
        }
    }
    Ok(true)
}
