//! Parses a query of a user or model: only words, no operators.
//!
//! Not here: the FTS5 query of these words (`search_candidates`).

use skein_domain::ids::{SessionId, ThreadId};

use super::search_document::SearchDocument;
use crate::content::read_access::ReadAccess;

/// The length of an index entry, in characters.
const TRIGRAM: usize = 3;

/// The length of most Chinese words, in characters.
const HAN_PAIR: usize = 2;

/// The limit of words of a question.
const MAX_WORDS: usize = 24;

/// Common English words, which are ignored in questions.
const COMMON_WORDS: [&str; 36] = [
    "about", "and", "are", "but", "can", "could", "did", "does", "for", "from", "had", "has",
    "have", "how", "into", "not", "our", "should", "that", "the", "there", "they", "this", "was",
    "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    /// Words; those between double quotes form a phrase.
    pub text: String,
    /// The session to search, archived threads included; `None`: all sessions.
    pub session: Option<SessionId>,
    /// The thread to search; `None`: all threads.
    pub thread: Option<ThreadId>,
    /// The required number of matching words.
    pub matching: MatchMode,
    /// The user, or a model, which may not read messages that are left out.
    pub reader: ReadAccess,
    pub limit: u32,
    /// Characters shown on each side of a match.
    pub margin: u32,
}

impl SearchQuery {
    /// True if the query covers the document and its reader may see it.
    pub(crate) fn covers(&self, found: &SearchDocument) -> bool {
        self.reader.may_read(found.left_out)
            && self.thread.is_none_or(|thread| found.place.thread_id == thread)
    }
}

/// The required number of matching words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchMode {
    /// All: for a user's search.
    All,
    /// Any, best first: for a question about the history.
    Any,
}

/// The words of a query, case-folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryTerms {
    /// Terms for the index; a pair of Han characters is searched as a prefix.
    pub(crate) long: Vec<String>,
    /// Terms too short for the index.
    pub(crate) short: Vec<String>,
}

pub(crate) fn parse_query(query: &str, matching: MatchMode) -> QueryTerms {
    let words: Vec<String> = match matching {
        MatchMode::All => phrases(query),
        MatchMode::Any => query.split_whitespace().flat_map(runs).collect(),
    };
    let words = words.iter().map(|word| fold_case(word));
    let is_asked = |word: &String| {
        let length = word.chars().count();
        length >= TRIGRAM || matching == MatchMode::Any && length == HAN_PAIR && is_han(word)
    };
    let (long, short) = words.partition(is_asked);
    let mut terms = QueryTerms { long, short };
    // Rare and long words find better than "to", "which" or 的, and much faster.
    if matching == MatchMode::Any && !terms.long.is_empty() {
        terms.short.clear();
        let is_common = |word: &String| COMMON_WORDS.contains(&word.as_str());
        if !terms.long.iter().all(is_common) {
            terms.long.retain(|word| !is_common(word));
        }
    }
    terms.long.truncate(MAX_WORDS);
    terms
}

impl QueryTerms {
    pub(crate) fn is_empty(&self) -> bool {
        self.long.is_empty() && self.short.is_empty()
    }

    /// True if a folded text contains the short terms.
    pub(crate) fn short_are_in(&self, text: &str) -> bool {
        are_in(&self.short, text)
    }

    /// True if a folded text contains all terms.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        are_in(&self.long, text) && are_in(&self.short, text)
    }
}

fn are_in(words: &[String], text: &str) -> bool {
    words.iter().all(|word| text.contains(word))
}

/// Folds a text in the same way as the index: one character for one, so that positions stay the
/// same.
pub(crate) fn fold_case(text: &str) -> String {
    // Most texts are ASCII, which is much faster.
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().map(fold_char).collect() }
}

/// One character of [`fold_case`].
pub(crate) fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// The words of a query; text between double quotes is one word.
fn phrases(query: &str) -> Vec<String> {
    let text = query.replace(char::is_control, " ");
    let parts = text.split('"').enumerate().flat_map(|(place, part)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.trim().to_owned()],
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// The terms of a text without spaces: Latin words, split at apostrophes ("l'atelier"), and Chinese
/// as overlapping pairs, because nothing marks the end of a word.
fn runs(token: &str) -> Vec<String> {
    let pieces = token.split(['\'', '’']).map(|piece| piece.chars().collect::<Vec<char>>());
    let same = |a: &char, b: &char| is_unspaced(*a) == is_unspaced(*b);
    pieces.flat_map(|piece| piece.chunk_by(same).flat_map(run).collect::<Vec<_>>()).collect()
}

fn is_han(word: &str) -> bool {
    word.chars().all(is_unspaced)
}

fn run(characters: &[char]) -> Vec<String> {
    if characters.first().is_some_and(|first| is_unspaced(*first)) {
        return match characters.len() {
            ..=HAN_PAIR => vec![characters.iter().collect()],
            _ => characters.windows(HAN_PAIR).map(|two| two.iter().collect()).collect(),
        };
    }
    let word: String = characters.iter().collect();
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    if word.is_empty() { Vec::new() } else { vec![word.to_owned()] }
}

/// True for scripts written without spaces: Chinese, Japanese, Thai.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
