//! Checks that the ids in a foreign database leave room for new ones.
//!
//! SQLite never reuses an id. If the largest possible one exists, every new row fails with an error
//! like a full disk. Ids of sessions, parts and outputs are packed into the ids of the search index
//! (`search::search_index`), and JavaScript reads every id as a number.

use rusqlite::Connection;

use crate::db::statements::query_all;

/// Half of the range of the index: `session * 2^33 + part * 2`.
const MAX_SESSION_ID: i64 = 1 << 29;
const MAX_PART_ID: i64 = 1 << 31;

/// Half of the integers that JavaScript represents exactly.
const MAX_ID: i64 = 1 << 52;

/// True if all ids and id counters are positive and within these limits. The schema must be that of
/// the migrations.
pub(super) fn has_room(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'";
    let tables: Vec<String> = query_all(connection, sql, [], |row| row.get(0))?;
    for table in tables {
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
