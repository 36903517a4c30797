//! The virtual table `search`: in which texts words stand, the newest first and never more than are
//! asked for.
//!
//! Trigrams find any three characters in a row, in every language. Ranking by the index itself would
//! read every text that holds a word, however common: not here, but in `bm25`.

use std::ops::RangeInclusive;

use rusqlite::{Connection, params};
use skein_domain::ids::SessionId;

use crate::db::statements::execute;

/// A row of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct IndexEntry(i64);

/// The source of an index entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextSource {
    /// A part, by its id.
    Part(i64),
    /// A whole output, by its id.
    Output(i64),
}

/// Bits of an entry's number that the trigger reserves for the place within a session.
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

/// Some entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexEntries {
    /// From [`holding`], those of the newest session first and in it the newest first.
    pub(crate) entries: Vec<IndexEntry>,
    /// Whether there are no others.
    pub(crate) complete: bool,
}

impl IndexEntries {
    pub(crate) fn sources(&self) -> impl Iterator<Item = TextSource> {
        self.entries.iter().map(|entry| entry.source())
    }
}

/// Bytes of the index that one transaction gathers before it writes them. SQLite's own are 1 MiB: a large
/// import wrote, and merged, many small pieces. Other transactions write theirs when they end.
const BULK_BYTES: u32 = 16 << 20;

/// Makes the writes of a large transaction to the index few and large ones.
pub(crate) fn write_in_bulk(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "INSERT INTO search (search, rank) VALUES ('hashsize', ?1)";
    execute(connection, sql, [BULK_BYTES])
}

/// The newest entries that fit `words`, which are in the index's own language.
pub(crate) fn matching_entries(
    connection: &Connection,
    words: &str,
    scope: SearchScope,
    most: u32,
) -> rusqlite::Result<IndexEntries> {
    let sql = match scope.0 {
        Some(_) => {
            "SELECT rowid FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?2 AND ?3
             ORDER BY rowid DESC LIMIT ?4 + 1"
        }
        // What is deleted would take the places of what is not.
        None => {
            "SELECT search.rowid FROM search
               CROSS JOIN sessions ON sessions.id = search.rowid >> 33
             WHERE search MATCH ?1 AND search.rowid BETWEEN ?2 AND ?3
               AND sessions.deleted_at IS NULL
             ORDER BY search.rowid DESC LIMIT ?4 + 1"
        }
    };
    read(connection, sql, words, scope, most)
}

/// Entries that hold `word`, which is too short to be asked for: the beginning of a trigram wherever
/// it stands. In no order that means anything.
pub(crate) fn entries_with_prefix(
    connection: &Connection,
    word: &str,
    scope: SearchScope,
    most: u32,
) -> rusqlite::Result<IndexEntries> {
    let sql = "SELECT DISTINCT doc FROM search_places
               WHERE term BETWEEN ?1 AND ?1 || char(0x10ffff) AND doc BETWEEN ?2 AND ?3
               LIMIT ?4 + 1";
    read(connection, sql, word, scope, most)
}

/// Reads entries by a statement that finds one more than `most`, where there is one.
fn read(
    connection: &Connection,
    sql: &str,
    words: &str,
    scope: SearchScope,
    most: u32,
) -> rusqlite::Result<IndexEntries> {
    let range = scope.entries();
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_map(params![words, range.start(), range.end(), most], |row| {
        row.get(0).map(IndexEntry)
    })?;
    let mut entries = found.collect::<rusqlite::Result<Vec<_>>>()?;
    let complete = entries.len() <= most as usize;
    entries.truncate(most as usize);
    Ok(IndexEntries { entries, complete })
}
