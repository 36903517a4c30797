//! Which texts are worth reading, by what the index says at once: where few texts hold a word all of
//! them are, where many do the newest are, because that word tells little.

use std::collections::HashMap;

use rusqlite::{Connection, params};

use super::bm25;
use super::fts::{self, IndexEntries, IndexEntry, SearchScope, TextSource};
use super::search_query::QueryTerms;

/// Texts that are read and compared for one search, at most: of those that hold all words, and of those
/// that hold any.
const COMPARED: u32 = 500;
const LIKELIEST: usize = 300;

/// Entries that are read for all words of one question, and for one of them.
const READ: u32 = 2_000;
const READ_PER_WORD: u32 = 500;

/// Of how many of the words that many texts hold more entries are read, and how many of each.
const TOGETHER: usize = 2;
const READ_ON: u32 = 1_600;

/// Texts that may match, with the weights of the words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SearchCandidates {
    /// The likeliest first.
    pub(crate) sources: Vec<TextSource>,
    /// Weight of each long word.
    pub(crate) weights: Vec<f64>,
    /// Terms the index has not checked in these texts.
    pub(crate) unasked: UncheckedTerms,
}

/// Terms that a text must still be checked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UncheckedTerms {
    Short,
    Everything,
}

/// Texts that hold all words, of which one at least is long.
pub(crate) fn matching_all(
    connection: &Connection,
    terms: &QueryTerms,
    scope: SearchScope,
) -> rusqlite::Result<SearchCandidates> {
    let weights = vec![1.0; terms.long.len()];
    let held = fts::matching_entries(connection, &together(&terms.long), scope, COMPARED)?;
    let by_short = match held.complete {
        true => None,
        false => rarest_short(connection, &terms.short, scope)?.filter(|it| it.complete),
    };
    let (held, unasked) = match by_short {
        Some(by_short) => (by_short, UncheckedTerms::Everything),
        None => (held, UncheckedTerms::Short),
    };
    Ok(SearchCandidates { sources: held.sources().collect(), weights, unasked })
}

/// Texts that hold any of the words, those first that hold the most and the rarest.
pub(crate) fn matching_any(
    connection: &Connection,
    terms: &QueryTerms,
    scope: SearchScope,
) -> rusqlite::Result<SearchCandidates> {
    let texts = texts(connection, scope)?;
    let words = u32::try_from(terms.long.len().max(1)).unwrap_or(READ);
    let most = (READ / words).min(READ_PER_WORD);
    let mut words = Vec::new();
    for (bit, word) in terms.long.iter().enumerate() {
        let entries = entries(connection, word, scope, most)?;
        words.push(QueryWord { bit: 1 << bit, word, weight: weight(&entries, texts), entries });
    }
    read_on(connection, &mut words, texts, scope)?;
    let mut held: HashMap<IndexEntry, u32> = HashMap::new();
    for QueryWord { bit, entries, .. } in &words {
        for entry in &entries.entries {
            *held.entry(*entry).or_default() |= bit;
        }
    }
    let fit = |bits: u32| -> f64 {
        words.iter().filter(|word| bits & word.bit != 0).map(|word| word.weight).sum()
    };
    let mut entries: Vec<_> = held.into_iter().map(|(entry, bits)| (fit(bits), entry)).collect();
    entries.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    let likeliest = entries.into_iter().take(LIKELIEST);
    Ok(SearchCandidates {
        sources: likeliest.map(|(_, entry)| entry.source()).collect(),
        weights: words.iter().map(|word| word.weight).collect(),
        unasked: UncheckedTerms::Short,
    })
}

/// The texts that hold a word of a question, which may be a pair of Han characters.
fn entries(
    connection: &Connection,
    word: &str,
    scope: SearchScope,
    most: u32,
) -> rusqlite::Result<IndexEntries> {
    match word.chars().nth(2) {
        Some(_) => fts::matching_entries(connection, &quoted(word), scope, most),
        None => fts::entries_with_prefix(connection, word, scope, most),
    }
}

/// Of short words, the entries of the one that the fewest texts hold.
pub(crate) fn rarest_short(
    connection: &Connection,
    short: &[String],
    scope: SearchScope,
) -> rusqlite::Result<Option<IndexEntries>> {
    let held = short.iter().map(|word| fts::entries_with_prefix(connection, word, scope, COMPARED));
    let held = held.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(held.into_iter().min_by_key(|it| (!it.complete, it.entries.len())))
}

/// A word of a question.
struct QueryWord<'a> {
    bit: u32,
    word: &'a str,
    weight: f64,
    entries: IndexEntries,
}

/// Of the words whose newest texts are all that was read, more of the rarest. Each alone tells little; two
/// that stand in one old text may tell everything. To ask the index for both at once would have it read to
/// the end wherever they do not meet.
fn read_on(
    connection: &Connection,
    words: &mut [QueryWord],
    texts: f64,
    scope: SearchScope,
) -> rusqlite::Result<()> {
    let mut common: Vec<_> = words.iter_mut().filter(|word| !word.entries.complete).collect();
    if common.len() < 2 {
        return Ok(());
    }
    common.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    for word in common.into_iter().take(TOGETHER) {
        word.entries = entries(connection, word.word, scope, READ_ON)?;
        word.weight = weight(&word.entries, texts);
    }
    Ok(())
}

/// Words in the index's language: each is only itself, and all must be there.
fn together(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}

/// Weight of a word in these texts. Where only the newest matches were read, their density estimates the
/// number of all matches.
fn weight(held: &IndexEntries, texts: f64) -> f64 {
    let number = held.entries.len() as f64;
    let holding = if held.complete { number } else { number * texts / extent(held) };
    bm25::idf(holding, texts)
}

/// Over how many parts these stretch.
fn extent(held: &IndexEntries) -> f64 {
    let parts = held.entries.iter().filter_map(|entry| match entry.source() {
        TextSource::Part(id) => Some(id),
        TextSource::Output(_) => None,
    });
    let (first, last) = parts.fold((i64::MAX, 0), |(a, b), id| (a.min(id), b.max(id)));
    if first > last { 1.0 } else { (last - first + 1) as f64 }
}

/// Over how many parts all texts stretch: about how many there are, without counting.
fn texts(connection: &Connection, scope: SearchScope) -> rusqlite::Result<f64> {
    let sql = match scope.session() {
        Some(_) => {
            "SELECT (SELECT max(id) FROM parts WHERE session_id = ?1)
                  - (SELECT min(id) FROM parts WHERE session_id = ?1)"
        }
        None => "SELECT (SELECT max(id) FROM parts) - (SELECT min(id) FROM parts) WHERE ?1 IS NULL",
    };
    let between: Option<f64> =
        connection.prepare_cached(sql)?.query_row(params![scope.session()], |row| row.get(0))?;
    Ok(between.unwrap_or_default() + 1.0)
}
