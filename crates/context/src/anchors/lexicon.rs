//! Which words the whole text also writes in lower case: how a name is told from the first word of
//! a sentence without a dictionary.

use std::collections::HashSet;

use super::AnchorSource;
use super::words::stem;

/// Words seen in lower case.
pub(super) struct Lexicon(HashSet<u64>);

impl Lexicon {
    /// Reads every passage once.
    pub fn of(messages: &[AnchorSource<'_>]) -> Self {
        let words = messages.iter().flat_map(|source| {
            source.text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1)
        });
        Self(
            words
                .filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
                .map(stem)
                .collect(),
        )
    }

    /// Whether a word is a common one that merely opens a sentence.
    pub fn is_common(&self, word: &str) -> bool {
        self.0.contains(&stem(word))
    }
}
