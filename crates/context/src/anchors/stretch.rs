//! The stretches of a sentence, between its commas, with what is in each.

use super::clause::{Name, Value, names, subject, values};
use super::cues::Cues;
use super::lexicon::Lexicon;
use super::words::{Quoted, Sentence, Word, words};

/// A stretch of a line with what is in it.
pub(super) struct Stretch<'a> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) words: Vec<Word<'a>>,
    pub(super) values: Vec<Value>,
    pub(super) subject: Vec<u64>,
    pub(super) names: Vec<Name>,
}

/// What several stretches are about together.
pub(super) struct About {
    pub(super) values: Vec<Value>,
    pub(super) subject: Vec<u64>,
    pub(super) names: Vec<Name>,
}

impl About {
    pub(super) fn of(stretches: &[&Stretch<'_>]) -> Self {
        let mut subject: Vec<u64> =
            stretches.iter().flat_map(|stretch| &stretch.subject).copied().collect();
        subject.sort_unstable();
        subject.dedup();
        let mut names: Vec<Name> =
            stretches.iter().flat_map(|stretch| &stretch.names).copied().collect();
        // A short opening clause ("so be it, the gate …") names nothing where another does.
        if names.iter().any(|[one, other]| one != other) {
            names.retain(|[one, other]| one != other);
        }
        let values = stretches.iter().flat_map(|stretch| &stretch.values).copied().collect();
        Self { values, subject, names }
    }

    /// With what another says it is about, too.
    pub(super) fn led_by(mut self, other: &Self) -> Self {
        self.subject.extend(&other.subject);
        self.subject.sort_unstable();
        self.subject.dedup();
        self.names.extend(&other.names);
        self
    }
}

pub(super) fn stretches<'a>(
    line: &'a str,
    sentence: &Sentence,
    quoted: &[Quoted],
    lexicon: &Lexicon,
) -> Vec<Stretch<'a>> {
    let quotes_of = |start: usize, end: usize| -> Vec<Quoted> {
        let from = quoted.partition_point(|quote| quote.open < start);
        quoted.iter().skip(from).take_while(|quote| quote.open < end).copied().collect()
    };
    let segments = sentence.segments.iter().enumerate();
    let made = segments.map(|(index, &(start, end))| {
        let words = words(line, start, end);
        let values = values(line, &words, &quotes_of(start, end), lexicon, index == 0);
        let names = names(&words, &values);
        let subject = subject(&words, &values, &names);
        Stretch { start, end, words, values, subject, names }
    });
    made.filter(|stretch| !stretch.words.is_empty()).collect()
}

/// The words of several stretches; of Chinese, two characters are one.
pub(super) fn length(stretches: &[Stretch<'_>]) -> usize {
    let words = stretches.iter().flat_map(|stretch| &stretch.words);
    words.map(|word| if word.han { word.text.chars().count().div_ceil(2) } else { 1 }).sum()
}

/// Whether a stretch begins with a word that stands for what was said before.
pub(super) fn refers(stretch: &Stretch<'_>) -> bool {
    let first = stretch.words.iter().find(|word| !word.cues.any(Cues::OPENER));
    first.is_some_and(|word| {
        word.cues.any(Cues::PRONOUN) || word.text.starts_with(['它', '这', '那', '其', '他', '她'])
    })
}
