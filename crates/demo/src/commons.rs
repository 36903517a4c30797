//! How particular a sentence is among others: by its words that few of them have. Not here: what else
//! it is worth.

use std::collections::{HashMap, HashSet};

use super::lexicon::{JOINING, STOP};
use super::material::{Voice, sentences};
use super::words::{stem, twos, words};

/// What a sentence is worth at most for words that the rest has not.
const PARTICULAR: f64 = 8.0;

/// In how many sentences each word stands.
pub(super) struct Commons {
    having: HashMap<String, usize>,
    all: f64,
}

impl Commons {
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t String>) -> Self {
        let mut commons = Self { having: HashMap::new(), all: 2.0 };
        for sentence in texts.flat_map(|text| sentences(text, Voice::Material)) {
            commons.all += 1.0;
            for stem in content(sentence.text) {
                *commons.having.entry(stem).or_default() += 1;
            }
        }
        commons
    }

    /// What a sentence is worth for its three rarest words: what is said once cannot be had from
    /// anywhere else.
    pub(super) fn particular(&self, text: &str) -> u32 {
        let rarity = |stem: &String| {
            let having = self.having.get(stem).copied().unwrap_or(1) as f64;
            1.0 - having.ln() / self.all.ln()
        };
        let mut rarest: Vec<f64> = content(text).iter().map(rarity).collect();
        rarest.sort_by(|one, other| other.total_cmp(one));
        (rarest.iter().take(3).sum::<f64>() / 3.0 * PARTICULAR) as u32
    }
}

/// The words of a sentence that tell something, each once.
fn content(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    for word in words(&text.to_lowercase()) {
        if word.is_chinese() {
            let telling = |two: &String| !two.contains(|letter| JOINING.contains(letter));
            found.extend(twos(word.text).into_iter().filter(telling));
        } else if !STOP.contains(word.text) && word.text.len() > 1 {
            found.insert(stem(word.text));
        }
    }
    found
}
