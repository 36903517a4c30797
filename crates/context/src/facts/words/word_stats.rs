//! How the whole text writes its words: how a name is told from the first word of a sentence, or from a
//! noun that its language capitalises, without a dictionary.

use super::super::fact::FactSource;
use super::tokenize::Word;
use super::word_key::{HashKeySet, stem};

/// Words seen in lower case, and words seen with a capital inside a sentence.
pub(in crate::facts) struct WordStats {
    lower: HashKeySet,
    capital: HashKeySet,
}

impl WordStats {
    /// Reads every passage once.
    pub fn of(messages: &[FactSource<'_>]) -> Self {
        let mut stats = Self { lower: HashKeySet::default(), capital: HashKeySet::default() };
        for source in messages {
            let mut inside = false;
            for piece in source.text.split_inclusive(|c: char| !c.is_alphabetic()) {
                let word = piece.trim_end_matches(|c: char| !c.is_alphabetic());
                if word.len() > 1 && word.starts_with(char::is_lowercase) {
                    stats.lower.insert(stem(word));
                    inside = true;
                } else if word.len() > 1 && inside {
                    stats.capital.insert(stem(word));
                }
                inside &= piece.ends_with([' ', ',', '-', '\'']);
            }
        }
        stats
    }

    /// True if a word with a capital merely opens a sentence.
    pub fn is_common(&self, word: &str) -> bool {
        let key = stem(word);
        self.lower.contains(&key) || !self.capital.contains(&key)
    }
}

/// True if a line is of a language that capitalises every noun: there a capital names nothing by itself.
pub(in crate::facts) fn capitalises_nouns(words: &[Word<'_>]) -> bool {
    const GERMAN: [&str; 24] = [
        "der", "das", "dem", "den", "und", "ist", "nicht", "eine", "einen", "für", "wird", "wurde",
        "im", "zum", "zur", "vom", "beim", "auf", "mit", "sind", "statt", "jetzt", "nach", "bei",
    ];
    words.iter().any(|word| GERMAN.contains(&word.text))
}
