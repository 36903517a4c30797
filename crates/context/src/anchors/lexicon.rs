//! How the whole text writes its words: how a name is told from the first word of a sentence
//! without a dictionary, and a Chinese one from a common word.

use std::collections::HashMap;

use super::AnchorSource;
use super::clause::is_surname;
use super::words::{Keys, is_han, stem};

/// Words seen in lower case, and words seen with a capital inside a sentence.
pub(super) struct Lexicon {
    lower: Keys,
    capital: Keys,
    /// For a surname's character and the next, the one that follows them; `None`: several do.
    after: HashMap<(char, char), Option<char>>,
}

impl Lexicon {
    /// Reads every passage once.
    pub fn of(messages: &[AnchorSource<'_>]) -> Self {
        let mut lexicon =
            Self { lower: Keys::default(), capital: Keys::default(), after: HashMap::new() };
        for source in messages {
            if !source.text.is_ascii() {
                lexicon.read_han(source.text);
            }
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

    fn read_han(&mut self, text: &str) {
        let mut letters = text.chars();
        while let Some(first) = letters.next() {
            if !is_surname(first) {
                continue;
            }
            let mut next = letters.clone().take(2);
            let (Some(second), Some(third)) = (next.next(), next.next()) else { return };
            if is_han(second) {
                let after = self.after.entry((first, second)).or_insert(Some(third));
                *after = after.filter(|known| *known == third);
            }
        }
    }

    /// Whether this pair of characters, which may begin a name, is followed by various characters in the
    /// text: then the pair is a word of its own.
    pub fn goes_on(&self, first: char, second: char) -> bool {
        self.after.get(&(first, second)).is_some_and(Option::is_none)
    }

    /// Whether a word with a capital is one that merely opens a sentence. `telling`: something else
    /// in the sentence says that it names somebody.
    pub fn is_common(&self, word: &str, telling: bool) -> bool {
        let key = stem(word);
        self.lower.contains(&key) || !telling && !self.capital.contains(&key)
    }
}
