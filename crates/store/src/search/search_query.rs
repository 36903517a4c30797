//! From what a user or a model typed to what the index is asked: always words, never operators.

use skein_domain::ids::{SessionId, ThreadId};

use super::search_document::SearchDocument;
use crate::content::read_access::ReadAccess;

/// The index knows runs of three characters.
const INDEXED: usize = 3;

/// Most Chinese words have two characters.
const PAIR: usize = 2;

/// A question in many words is asked with the first of them.
const MOST: usize = 24;

/// English words that stand in nearly every message: a question is not about them.
const COMMON: [&str; 36] = [
    "about", "and", "are", "but", "can", "could", "did", "does", "for", "from", "had", "has",
    "have", "how", "into", "not", "our", "should", "that", "the", "there", "they", "this", "was",
    "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    /// Words; those between double quotes stay together.
    pub text: String,
    /// The session to search, archived threads included; `None`: all sessions.
    pub session: Option<SessionId>,
    /// In which of its threads alone; `None`: in all of them.
    pub thread: Option<ThreadId>,
    /// Whether all words must match.
    pub matching: MatchMode,
    /// The reader.
    pub reader: ReadAccess,
    /// Maximum number of hits.
    pub limit: u32,
    /// Characters shown on each side of a match.
    pub margin: u32,
}

impl SearchQuery {
    /// Whether it asks for what was said there, and may have it.
    pub(crate) fn asks_for(&self, found: &SearchDocument) -> bool {
        self.reader.may_read(found.left_out)
            && self.thread.is_none_or(|thread| found.place.thread_id == thread)
    }
}

/// Whether all words must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchMode {
    /// All of them: a user searches.
    All,
    /// Any, the best first: a question is asked of the history.
    Any,
}

/// The words of a query, folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryTerms {
    /// Asked of the index; a pair of Han characters as the beginning of what it knows.
    pub(crate) long: Vec<String>,
    /// Too short for it.
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
        length >= INDEXED || matching == MatchMode::Any && length == PAIR && is_han(word)
    };
    let (long, short) = words.partition(is_asked);
    let mut terms = QueryTerms { long, short };
    // What is rare and long finds better than "to", "which" or 的, and much faster.
    if matching == MatchMode::Any && !terms.long.is_empty() {
        terms.short.clear();
        let is_common = |word: &String| COMMON.contains(&word.as_str());
        if !terms.long.iter().all(is_common) {
            terms.long.retain(|word| !is_common(word));
        }
    }
    terms.long.truncate(MOST);
    terms
}

impl QueryTerms {
    pub(crate) fn is_empty(&self) -> bool {
        self.long.is_empty() && self.short.is_empty()
    }

    /// Whether a folded text holds the short ones.
    pub(crate) fn short_are_in(&self, text: &str) -> bool {
        are_in(&self.short, text)
    }

    /// Whether a folded text holds all of them.
    pub(crate) fn are_in(&self, text: &str) -> bool {
        are_in(&self.long, text) && are_in(&self.short, text)
    }
}

fn are_in(words: &[String], text: &str) -> bool {
    words.iter().all(|word| text.contains(word))
}

/// A text as the index folds it: one character for one, so that places stay the same.
pub(crate) fn fold_case(text: &str) -> String {
    // Most texts, and a small part of the time.
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().map(fold_char).collect() }
}

/// One character of [`fold`].
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

/// Words parted by spaces; what stands between double quotes stays together.
fn phrases(query: &str) -> Vec<String> {
    let spoken = query.replace(char::is_control, " ");
    let parts = spoken.split('"').enumerate().flat_map(|(place, part)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.trim().to_owned()],
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// The words of something without spaces: Latin words as they are, parted at apostrophes ("l'atelier"),
/// Chinese as overlapping pairs, because nothing says where its words end.
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
            ..=PAIR => vec![characters.iter().collect()],
            _ => characters.windows(PAIR).map(|two| two.iter().collect()).collect(),
        };
    }
    let word: String = characters.iter().collect();
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    if word.is_empty() { Vec::new() } else { vec![word.to_owned()] }
}

/// Scripts written without spaces: Chinese, Japanese, Thai.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
