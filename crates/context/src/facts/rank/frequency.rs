//! Counts in how many facts each value and word is found: what is found everywhere tells little.

use std::collections::HashSet;

use crate::facts::candidate::Candidate;
use crate::facts::fact::Author;
use crate::facts::words::word_key::{HashKeyMap, stem};

/// The particularity of a fact whose words are all values.
const NO_TOPIC: f32 = 0.6;
/// The number of a topic's rarest words that tell how particular it is.
const RAREST: usize = 2;

/// In how many candidates each value and each word of a topic is found.
pub(super) struct DocumentFrequency {
    values: HashKeyMap<u32>,
    words: HashKeyMap<u32>,
    candidates: u32,
}

impl DocumentFrequency {
    pub fn of(found: &[Candidate<'_>]) -> Self {
        let (mut values, mut words) = (HashKeyMap::<u32>::default(), HashKeyMap::<u32>::default());
        let mut candidates = 0;
        for candidate in found {
            for (_, value) in &candidate.values {
                *values.entry(stem(value)).or_default() += 1;
            }
            if candidate.author != Author::Material {
                candidates += 1;
                for word in candidate.topic.iter().collect::<HashSet<_>>() {
                    *words.entry(*word).or_default() += 1;
                }
            }
        }
        Self { values, words, candidates }
    }

    /// In how many facts the rarest value or word of a fact is found: 1 and above.
    pub fn least(&self, candidate: &Candidate<'_>) -> f32 {
        let values = candidate.values.iter().filter_map(|(_, value)| self.values.get(&stem(value)));
        // A bare number is everywhere: the word beside it may still be rare.
        let words = candidate.topic.iter().filter_map(|word| self.words.get(word));
        let values = values.min().copied().unwrap_or(1);
        words.min().map_or(values, |words| values.min(*words)) as f32
    }

    /// How many facts hold a word.
    pub fn holding(&self, word: u64) -> u32 {
        self.words.get(&word).or_else(|| self.values.get(&word)).copied().unwrap_or_default()
    }

    /// How far a word is from being everywhere, 0 to 1: inverse document frequency, in logarithms.
    fn rarity(&self, word: u64) -> f32 {
        let all = (self.candidates.max(2) as f32).ln();
        let count = self.words.get(&word).copied().unwrap_or(1).max(1);
        (1.0 - (count as f32).ln() / all).clamp(0.0, 1.0)
    }

    /// How particular a topic is, 0 to 1: the mean over its [`RAREST`] words, or [`NO_TOPIC`].
    pub fn particularity(&self, candidate: &Candidate<'_>) -> f32 {
        let mut rarest: Vec<f32> = candidate.topic.iter().map(|word| self.rarity(*word)).collect();
        rarest.sort_by(|a, b| b.total_cmp(a));
        rarest.truncate(RAREST);
        match rarest.len() {
            0 => NO_TOPIC,
            words => rarest.iter().sum::<f32>() / words as f32,
        }
    }
}
