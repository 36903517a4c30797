//! How much each word of a question tells: one that few sentences have tells most. Not here: which
//! sentence is the answer.

use std::collections::{HashMap, HashSet};

use super::material::Sentence;
use super::pieces::Shared;
use super::question::Question;
use super::words::{is_chinese, stem, twos, words};

/// The least that a word tells.
const LEAST: f64 = 0.1;

/// A sentence and what is in it.
pub(super) struct Read<'a> {
    pub(super) sentence: Sentence<'a>,
    pub(super) lower: String,
    /// Stems, and pairs of Chinese characters.
    pub(super) stems: HashSet<String>,
    /// Stems that stand side by side.
    pairs: HashSet<(String, String)>,
}

impl<'a> Read<'a> {
    pub(super) fn of(sentence: Sentence<'a>) -> Self {
        let lower = sentence.text.to_lowercase();
        let (mut stems, mut pairs) = (HashSet::new(), HashSet::new());
        let mut before: Option<String> = None;
        for word in words(&lower) {
            if word.is_chinese() {
                before = None;
                stems.extend(twos(word.text));
                continue;
            }
            let stem = stem(word.text);
            if let Some(before) = before.replace(stem.clone()).filter(|_| word.glued) {
                pairs.insert((before, stem.clone()));
            }
            stems.insert(stem);
        }
        Self { sentence, lower, stems, pairs }
    }
}

/// How much each word of a question tells, and each two side by side.
pub(super) struct Rarity {
    each: HashMap<String, f64>,
    pairs: Vec<((String, String), f64)>,
    /// Everything a question tells.
    whole: f64,
}

impl Rarity {
    pub(super) fn of(question: &Question, context: &[Read<'_>]) -> Self {
        let all = context.len() as f64 + 1.0;
        let weight = |having: usize| ((all + 1.0) / (having as f64 + 0.5)).ln().max(LEAST);
        let each = question.focus.iter().map(|(stem, share)| {
            let having = context.iter().filter(|read| read.stems.contains(stem)).count();
            (stem.clone(), share * weight(having))
        });
        // Of a word that stands nowhere it cannot be told what it belongs to.
        let stands = |stem: &String| context.iter().any(|read| read.stems.contains(stem));
        let standing = question.pairs.iter().filter(|(one, other)| stands(one) && stands(other));
        let pairs = standing.map(|pair| {
            let having = context.iter().filter(|read| read.pairs.contains(pair)).count();
            (pair.clone(), weight(having))
        });
        let (each, pairs): (HashMap<_, _>, Vec<_>) = (each.collect(), pairs.collect());
        let words = question.focus.iter().filter_map(|(stem, _)| each.get(stem));
        let whole = words.sum::<f64>() + pairs.iter().map(|(_, weight)| weight).sum::<f64>();
        Self { each, pairs, whole }
    }

    /// The share of a question that a sentence may hold at most.
    pub(super) fn most(&self, question: &Question, read: &Read<'_>) -> f64 {
        self.held(question, read, |stem| read.stems.contains(stem))
    }

    /// The share of a question that a sentence holds; of its Chinese, only what it shares with it.
    pub(super) fn coverage(&self, question: &Question, read: &Read<'_>, shared: &Shared) -> f64 {
        let latin = |stem: &String| !stem.starts_with(is_chinese) && read.stems.contains(stem);
        self.held(question, read, |stem| shared.twos.contains(stem) || latin(stem))
    }

    fn held(&self, question: &Question, read: &Read<'_>, has: impl Fn(&String) -> bool) -> f64 {
        let focus = question.focus.iter().map(|(stem, _)| stem).filter(|stem| has(stem));
        let each: f64 = focus.filter_map(|stem| self.each.get(stem)).sum();
        let held = self.pairs.iter().filter(|(pair, _)| read.pairs.contains(pair));
        (each + held.map(|(_, weight)| weight).sum::<f64>()) / self.whole
    }
}
