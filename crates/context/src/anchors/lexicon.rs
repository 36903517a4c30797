//! How the whole text writes its words: how a name is told from the first word of a sentence
//! without a dictionary.

use super::AnchorSource;
use super::words::{Keys, stem};

/// Words seen in lower case, and words seen with a capital inside a sentence.
pub(super) struct Lexicon {
    lower: Keys,
    capital: Keys,
}

impl Lexicon {
    /// Reads every passage once.
    pub fn of(messages: &[AnchorSource<'_>]) -> Self {
        let mut lexicon = Self { lower: Keys::default(), capital: Keys::default() };
        for source in messages {
            let mut inside = false;
            for piece in source.text.split_inclusive(|c: char| !c.is_alphabetic()) {
                let word = piece.trim_end_matches(|c: char| !c.is_alphabetic());
                if word.len() > 1 && word.starts_with(|c: char| c.is_ascii_lowercase()) {
                    lexicon.lower.insert(stem(word));
                    inside = true;
                } else if word.len() > 1 && inside {
                    lexicon.capital.insert(stem(word));
                }
                inside &= piece.ends_with([' ', ',', '-', '\'']);
            }
        }
        lexicon
    }

    /// Whether a word with a capital is one that merely opens a sentence. `telling`: something else
    /// in the sentence says that it names somebody.
    pub fn is_common(&self, word: &str, telling: bool) -> bool {
        let key = stem(word);
        self.lower.contains(&key) || !telling && !self.capital.contains(&key)
    }
}
