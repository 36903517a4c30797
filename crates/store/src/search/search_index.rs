//! The virtual table `search`: the texts that contain a word, newest first, with a limit.
//!
//! The index consists of trigrams, which find any three characters in every language. It does not
//! rank: SQLite would read every text that contains a common word. Triggers of the schema
//! (`migrations`) write the entries. Not here: the words of a query (`search_query`), and ranking
//! (`bm25`).

use std::ops::RangeInclusive;

use rusqlite::{Connection, params};
use skein_domain::ids::SessionId;

use crate::db::statements::{execute, query_all};

/// A row of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct IndexEntry(i64);

/// The source of an index entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextSource {
    Part(i64),
    /// The id of a complete output.
    Output(i64),
}

/// Bits of an entry's id that the trigger reserves for the position within a session.
const WITHIN_SESSION: u32 = 33;

impl IndexEntry {
    pub(crate) fn source(self) -> TextSource {
        let within = self.0 & ((1 << WITHIN_SESSION) - 1);
        if within & 1 == 0 {
            TextSource::Part(within >> 1)
        } else {
            TextSource::Output(within >> 1)
        }
    }
}

/// The searched sessions: one, or (`None`) all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchScope(Option<SessionId>);

impl SearchScope {
    pub(crate) fn of(session: Option<SessionId>) -> Self {
        Self(session)
    }

    pub(crate) fn session(self) -> Option<i64> {
        self.0.map(|session| session.0)
    }

    fn entries(self) -> RangeInclusive<i64> {
        match self.0 {
            Some(SessionId(id)) => id << WITHIN_SESSION..=((id + 1) << WITHIN_SESSION) - 1,
            None => 0..=i64::MAX,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexEntries {
    /// Newest session first, and newest first within a session.
    pub(crate) entries: Vec<IndexEntry>,
    /// True if no further entries exist.
    pub(crate) complete: bool,
}

impl IndexEntries {
    pub(crate) fn sources(&self) -> impl Iterator<Item = TextSource> {
        self.entries.iter().map(|entry| entry.source())
    }
}

/// Bytes of index data that a large transaction buffers. SQLite's default of 1 MiB makes large
/// imports write and merge many small segments. Other transactions write at their end.
const BULK_BYTES: u32 = 16 << 20;

/// Makes the writes of a large transaction to the index few and large.
pub(crate) fn write_in_bulk(tx: &Connection) -> rusqlite::Result<()> {
    let sql = "INSERT INTO search (search, rank) VALUES ('hashsize', ?1)";
    execute(tx, sql, [BULK_BYTES])
}

/// The newest entries that match `words`, an FTS5 query.
pub(crate) fn matching_entries(
    tx: &Connection,
    query: &str,
    scope: SearchScope,
    most: u32,
) -> rusqlite::Result<IndexEntries> {
    let sql = match scope.0 {
        Some(_) => {
            "SELECT rowid FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?2 AND ?3
             ORDER BY rowid DESC LIMIT ?4 + 1"
        }
        // Deleted texts would take the places of others.
        None => {
            "SELECT search.rowid FROM search
               CROSS JOIN sessions ON sessions.id = search.rowid >> 33
             WHERE search MATCH ?1 AND search.rowid BETWEEN ?2 AND ?3
               AND sessions.deleted_at IS NULL
             ORDER BY search.rowid DESC LIMIT ?4 + 1"
        }
    };
    read(tx, sql, query, scope, most)
}

/// Entries that contain `word`, which is too short for a trigram and is therefore searched as a
/// prefix of trigrams. In no particular order.
pub(crate) fn entries_with_prefix(
    tx: &Connection,
    word: &str,
    scope: SearchScope,
    most: u32,
) -> rusqlite::Result<IndexEntries> {
    let sql = "SELECT DISTINCT doc FROM search_places
               WHERE term BETWEEN ?1 AND ?1 || char(0x10ffff) AND doc BETWEEN ?2 AND ?3
               LIMIT ?4 + 1";
    read(tx, sql, word, scope, most)
}

/// Reads entries with a statement that returns one more than `most`, if there is one.
fn read(
    tx: &Connection,
    sql: &str,
    query: &str,
    scope: SearchScope,
    most: u32,
) -> rusqlite::Result<IndexEntries> {
    let range = scope.entries();
    let wanted = params![query, range.start(), range.end(), most];
    let mut entries: Vec<_> = query_all(tx, sql, wanted, |row| row.get(0).map(IndexEntry))?;
    let complete = entries.len() <= most as usize;
    entries.truncate(most as usize);
    Ok(IndexEntries { entries, complete })
}
