//! How much each word of a question tells: one that few sentences have tells most. Not here: which
//! sentence is the answer.

use std::collections::{HashMap, HashSet};

use super::material::Sentence;
use super::pieces::Shared;
use super::question::{Question, Thing};
use super::words::{is_chinese, says, stem, twos, words};

/// The least that a word tells.
const LEAST: f64 = 0.1;
/// The share of a thing's name that a sentence about it has.
const NAMED: f64 = 0.7;

/// A sentence and what is in it.
pub(super) struct Read<'a> {
    pub(super) sentence: Sentence<'a>,
    pub(super) lower: String,
    /// Stems, and pairs of Chinese characters.
    pub(super) stems: HashSet<String>,
    /// Stems that stand side by side.
    pub(super) pairs: HashSet<(String, String)>,
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
    /// The thing that is asked about; `None`: the question names none in English.
    thing: Option<Telling>,
}

/// A thing as a context tells it from others: its words and those side by side, each with how much
/// it tells.
struct Telling {
    words: Vec<(String, f64)>,
    pairs: Vec<((String, String), f64)>,
    written: String,
}

impl Telling {
    fn of(thing: &Thing, context: &[&Read<'_>], weight: impl Fn(usize) -> f64) -> Self {
        let stems: Vec<String> = thing.words.iter().map(|word| stem(word)).collect();
        let having = |has: &dyn Fn(&Read<'_>) -> bool| {
            weight(context.iter().filter(|read| has(read)).count())
        };
        let words = stems.iter().map(|one| (one.clone(), having(&|read| read.stems.contains(one))));
        let pairs = stems.windows(2).filter_map(|two| match two {
            [one, other] => Some((one.clone(), other.clone())),
            _ => None,
        });
        let together = |(one, other): &(String, String)| {
            context.iter().any(|read| read.stems.contains(one) && read.stems.contains(other))
        };
        let pairs = pairs.map(|pair| {
            let beside = context.iter().filter(|read| read.pairs.contains(&pair)).count();
            // Words that are said together, but never side by side, need not be so here.
            let apart = beside == 0 && together(&pair);
            (pair, if apart { LEAST } else { weight(beside) })
        });
        Self { words: words.collect(), pairs: pairs.collect(), written: thing.words.join(" ") }
    }

    fn whole(&self) -> f64 {
        self.held(|_| true, |_| true)
    }

    fn held(
        &self,
        word: impl Fn(&String) -> bool,
        pair: impl Fn(&(String, String)) -> bool,
    ) -> f64 {
        let words = self.words.iter().filter(|(one, _)| word(one)).map(|(_, weight)| weight);
        let pairs = self.pairs.iter().filter(|(two, _)| pair(two)).map(|(_, weight)| weight);
        words.sum::<f64>() + pairs.sum::<f64>()
    }
}

impl Rarity {
    pub(super) fn of(question: &Question, context: &[&Read<'_>]) -> Self {
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
        let things = question.things.iter().filter(|_| question.chinese.is_empty());
        let things = things.map(|thing| (Telling::of(thing, context, weight), thing.leaning));
        let thing = things.max_by(|a, b| (a.0.whole() * a.1).total_cmp(&(b.0.whole() * b.1)));
        Self { each, pairs, whole, thing: thing.map(|(thing, _)| thing) }
    }

    /// Whether a question names a thing in English.
    pub(super) fn has_name(&self) -> bool {
        self.thing.is_some()
    }

    /// Whether a sentence has the thing that is asked about; one that a question does not name, every
    /// sentence has.
    pub(super) fn names(&self, read: &Read<'_>) -> bool {
        self.thing.as_ref().is_none_or(|thing| {
            let held =
                thing.held(|word| read.stems.contains(word), |pair| read.pairs.contains(pair));
            held >= NAMED * thing.whole()
        })
    }

    /// Whether a sentence has it exactly as it is asked about.
    pub(super) fn spells(&self, read: &Read<'_>) -> bool {
        self.thing.as_ref().is_some_and(|thing| says(&read.lower, &thing.written))
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
