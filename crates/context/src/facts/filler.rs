//! Recognises filler: rows of an output that a program made and that name nothing of the conversation. Such a
//! row gives way to everything that the user said (`room`). Not here: how much any other fact is worth.
//!
//! A program made a row that has a time of day in seconds, that has nothing but values, or that is one of a
//! series, whose rows differ in their values alone. An output of few rows has no filler: each may be what was
//! looked for. An error is none either. A row names something if the user or a model ever used one of its
//! words or long numbers. The arguments of calls and the names of attachments are words of theirs.

use super::candidate::Candidate;
use super::fact::{Author, FactKind, FactSource};
use super::values::pair;
use super::words::cue_words::{Cues, cues_of, is_han_stop};
use super::words::tokenize::{Word, words};
use super::words::word_key::{HashKeyMap, HashKeySet, fold_case, stem};

/// Rows that differ in their values alone, for them to be a series.
const SERIES: u32 = 3;
/// Letters of a word that names something.
const LETTERS: usize = 3;
/// Digits of a number that names something.
const DIGITS: usize = 4;

/// True if a line has a time of day in seconds: `14:02:11`.
pub(super) fn has_seconds(line: &str) -> bool {
    let is_time = |text: &str| {
        let mut parts = text.split(':');
        let two = |part: &str| part.len() == 2;
        text.len() == "14:02:11".len() && parts.by_ref().take(3).all(two) && parts.next().is_none()
    };
    line.split(|c: char| !c.is_ascii_digit() && c != ':').any(is_time)
}

/// Tells filler from other facts.
pub(super) struct FillerFilter {
    /// The words and long numbers that the user and the models used.
    used: HashKeySet,
    /// How many rows of outputs there are of each [`frame`].
    rows: HashKeyMap<u32>,
}

impl FillerFilter {
    pub fn of(messages: &[FactSource<'_>], candidates: &[Candidate<'_>]) -> Self {
        let dialogue = messages.iter().filter(|source| source.author != Author::Material);
        let dialogue = dialogue.map(|source| source.text);
        let documents = messages.iter().filter_map(|source| source.document);
        let used = dialogue.chain(documents).flat_map(str::lines).flat_map(names).collect();
        let mut rows: HashKeyMap<u32> = HashKeyMap::default();
        for row in candidates.iter().filter(|it| it.row) {
            *rows.entry(frame(row)).or_default() += 1;
        }
        Self { used, rows }
    }

    pub fn is_filler(&self, candidate: &Candidate<'_>) -> bool {
        let mut texts = candidate.under.into_iter().chain([candidate.text]);
        self.is_machine_made(candidate)
            && !texts.any(|text| names(text).any(|name| self.used.contains(&name)))
    }

    fn is_machine_made(&self, candidate: &Candidate<'_>) -> bool {
        let in_series = || self.rows.get(&frame(candidate)).is_some_and(|rows| *rows >= SERIES);
        let is_made = candidate.timed || candidate.topic.is_empty() || in_series();
        candidate.row && candidate.kind != FactKind::Error && is_made
    }
}

/// The words of a row without its values, and the kinds of those.
fn frame(row: &Candidate<'_>) -> u64 {
    let kinds = row.values.iter().map(|(kind, _)| *kind as u64);
    kinds.chain(row.topic.iter().copied()).fold(0, |hash, key| hash.rotate_left(5) ^ key)
}

/// The words and long numbers of a line that may name something, also those within an identifier or a path;
/// pairs of characters where words have no spaces between them.
fn names(line: &str) -> impl Iterator<Item = u64> {
    words(line, 0, line.len()).into_iter().flat_map(|word| match word.han {
        true => han_names(&word).collect::<Vec<_>>(),
        false => parts(word.text).collect(),
    })
}

fn han_names<'w>(word: &'w Word<'_>) -> impl Iterator<Item = u64> + 'w {
    let next = word.text.chars().skip(1);
    let pairs = word.text.chars().zip(next).filter(|(a, b)| !is_han_stop(*a) && !is_han_stop(*b));
    pairs.map(|(a, b)| pair(a, b))
}

/// The names in a word: what stands between its marks, and the letters of that.
fn parts(word: &str) -> impl Iterator<Item = u64> {
    let whole = word.split(|c: char| !c.is_alphanumeric()).filter(|part| {
        part.contains(|c: char| c.is_ascii_digit()) && part.chars().count() >= DIGITS
    });
    let letters = word.split(|c: char| !c.is_alphabetic());
    let telling = letters.filter(|part| {
        part.chars().count() >= LETTERS && !cues_of(fold_case(part)).any(Cues::STOP)
    });
    whole.map(fold_case).chain(telling.map(stem))
}
