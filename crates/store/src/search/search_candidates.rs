//! Chooses the texts to read and compare. If few texts contain a word, all of them are chosen; if
//! many do, the newest, because that word says little.

use std::collections::HashMap;

use rusqlite::{Connection, Result};

use super::bm25;
use super::search_index::{self, IndexEntries, IndexEntry, SearchScope, TextSource};
use super::search_query::QueryTerms;
use crate::db::statements::query_one;

/// The limit of texts compared in one search: of those that contain all words, and of those that
/// contain any.
const MAX_COMPARED: u32 = 500;
const LIKELIEST: usize = 300;

/// The limits of index entries read for all words of a question, and for one of them.
const MAX_ENTRIES: u32 = 2_000;
const READ_PER_WORD: u32 = 500;

/// The number of common words for which more entries are read.
const EXTRA_WORDS: usize = 2;
/// The number of further entries that are read for each of them.
const READ_ON: u32 = 1_600;

/// The length of the parts of a phrase that are looked up before the phrase, in characters.
const PHRASE_PART: usize = 5;

/// Texts that may match, with the weights of the words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SearchCandidates {
    /// The likeliest first.
    pub(crate) sources: Vec<TextSource>,
    /// The weight of each long word.
    pub(crate) weights: Vec<f64>,
    /// Terms that the index did not check in these texts.
    pub(crate) unchecked: UncheckedTerms,
}

/// Terms that must still be checked in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UncheckedTerms {
    Short,
    Everything,
}

/// Texts that contain all words, of which at least one is long.
pub(crate) fn matching_all(
    tx: &Connection,
    terms: &QueryTerms,
    scope: SearchScope,
) -> Result<SearchCandidates> {
    let weights = vec![1.0; terms.long.len()];
    if let Some(entries) = with_rare_part(tx, terms, scope)? {
        let sources = entries.sources().collect();
        return Ok(SearchCandidates { sources, weights, unchecked: UncheckedTerms::Everything });
    }
    let entries =
        search_index::matching_entries(tx, &all_words_query(&terms.long), scope, MAX_COMPARED)?;
    let by_short = match entries.complete {
        true => None,
        false => rarest_short(tx, &terms.short, scope)?.filter(|it| it.complete),
    };
    let (entries, unchecked) = match by_short {
        Some(by_short) => (by_short, UncheckedTerms::Everything),
        None => (entries, UncheckedTerms::Short),
    };
    Ok(SearchCandidates { sources: entries.sources().collect(), weights, unchecked })
}

/// The texts that contain a part of a phrase which few texts contain; `None`: many contain each part. Where
/// every text contains every trigram of a phrase and none the phrase, SQLite would compare the places of all
/// trigrams in all texts.
fn with_rare_part(
    tx: &Connection,
    terms: &QueryTerms,
    scope: SearchScope,
) -> Result<Option<IndexEntries>> {
    for phrase in terms.long.iter().filter(|word| word.contains(' ')) {
        let letters: Vec<char> = phrase.chars().collect();
        for part in letters.windows(PHRASE_PART).step_by(PHRASE_PART / 2) {
            let part = quoted(&String::from_iter(part));
            let entries = search_index::matching_entries(tx, &part, scope, MAX_COMPARED)?;
            if entries.complete {
                return Ok(Some(entries));
            }
        }
    }
    Ok(None)
}

/// Texts that contain any of the words, ordered by the number and rarity of the words they contain.
pub(crate) fn matching_any(
    tx: &Connection,
    terms: &QueryTerms,
    scope: SearchScope,
) -> Result<SearchCandidates> {
    let texts = texts(tx, scope)?;
    let word_count = u32::try_from(terms.long.len().max(1)).unwrap_or(MAX_ENTRIES);
    let most = (MAX_ENTRIES / word_count).min(READ_PER_WORD);
    let mut words = Vec::new();
    for (bit, word) in terms.long.iter().enumerate() {
        let entries = entries(tx, word, scope, most)?;
        words.push(QueryWord { bit: 1 << bit, word, weight: weight(&entries, texts), entries });
    }
    read_more(tx, &mut words, texts, scope)?;
    let mut words_by_entry: HashMap<IndexEntry, u32> = HashMap::new();
    for QueryWord { bit, entries, .. } in &words {
        for entry in &entries.entries {
            *words_by_entry.entry(*entry).or_default() |= bit;
        }
    }
    let fit = |bits: u32| -> f64 {
        words.iter().filter(|word| bits & word.bit != 0).map(|word| word.weight).sum()
    };
    let mut entries: Vec<_> =
        words_by_entry.into_iter().map(|(entry, bits)| (fit(bits), entry)).collect();
    entries.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    let likeliest = entries.into_iter().take(LIKELIEST);
    Ok(SearchCandidates {
        sources: likeliest.map(|(_, entry)| entry.source()).collect(),
        weights: words.iter().map(|word| word.weight).collect(),
        unchecked: UncheckedTerms::Short,
    })
}

/// The texts that contain a word of a question, which may be a pair of Han characters.
fn entries(tx: &Connection, word: &str, scope: SearchScope, most: u32) -> Result<IndexEntries> {
    match word.chars().nth(2) {
        Some(_) => search_index::matching_entries(tx, &quoted(word), scope, most),
        None => search_index::entries_with_prefix(tx, word, scope, most),
    }
}

/// The entries of the rarest of the short words.
pub(crate) fn rarest_short(
    tx: &Connection,
    short: &[String],
    scope: SearchScope,
) -> Result<Option<IndexEntries>> {
    let contained =
        short.iter().map(|word| search_index::entries_with_prefix(tx, word, scope, MAX_COMPARED));
    let contained = contained.collect::<Result<Vec<_>>>()?;
    Ok(contained.into_iter().min_by_key(|it| (!it.complete, it.entries.len())))
}

/// A word of a question.
struct QueryWord<'a> {
    bit: u32,
    word: &'a str,
    weight: f64,
    entries: IndexEntries,
}

/// Reads more entries of the rarest words that exceeded the first limit. Each alone says little,
/// but an old text may contain two of them. A combined query would read the index to its end if no
/// text contains both.
fn read_more(
    tx: &Connection,
    words: &mut [QueryWord],
    texts: f64,
    scope: SearchScope,
) -> Result<()> {
    let mut common: Vec<_> = words.iter_mut().filter(|word| !word.entries.complete).collect();
    if common.len() < 2 {
        return Ok(());
    }
    common.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    for word in common.into_iter().take(EXTRA_WORDS) {
        word.entries = entries(tx, word.word, scope, READ_ON)?;
        word.weight = weight(&word.entries, texts);
    }
    Ok(())
}

/// An FTS5 query that requires all words.
fn all_words_query(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"\""))
}

/// The weight of a word in these texts. If only the newest matches were read, their density
/// estimates the number of all matches.
fn weight(held: &IndexEntries, texts: f64) -> f64 {
    let number = held.entries.len() as f64;
    let holding = if held.complete { number } else { number * texts / id_span(held) };
    bm25::idf(holding, texts)
}

/// The range of part ids of these entries.
fn id_span(held: &IndexEntries) -> f64 {
    let parts = held.entries.iter().filter_map(|entry| match entry.source() {
        TextSource::Part(id) => Some(id),
        TextSource::Output(_) => None,
    });
    let (first, last) = parts.fold((i64::MAX, 0), |(a, b), id| (a.min(id), b.max(id)));
    if first > last { 1.0 } else { (last - first + 1) as f64 }
}

/// The range of part ids of all texts: an estimate of their number without counting.
fn texts(tx: &Connection, scope: SearchScope) -> Result<f64> {
    let sql = match scope.session() {
        Some(_) => {
            "SELECT (SELECT max(id) FROM parts WHERE session_id = ?1)
                  - (SELECT min(id) FROM parts WHERE session_id = ?1)"
        }
        None => "SELECT (SELECT max(id) FROM parts) - (SELECT min(id) FROM parts) WHERE ?1 IS NULL",
    };
    let between: Option<f64> = query_one(tx, sql, [scope.session()], |row| row.get(0))?;
    Ok(between.unwrap_or_default() + 1.0)
}
