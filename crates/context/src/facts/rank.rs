//! How much a fact is worth: what it holds, who said it, how rare it is, how it was said.

use std::collections::{HashMap, HashSet};

use super::clause::is_replaceable;
use super::cue_words::Cues;
use super::dialogue::REPLY;
use super::extract::{Candidate, Permanence};
use super::tokenize::{HashKeyMap, HashKeySet, fold_case, stem};
use super::{Author, FactKind};

/// What a statement without a value is worth: less than any value that somebody gave.
const STATEMENT: f32 = 40.0;

/// Facts of an output that is brief.
const BRIEF: u32 = 12;
/// So many facts share what may be a name of one thing; more share a common word.
const SHARED: usize = 8;
/// Names that two facts share for both to be of one thing, as far as ranking goes.
const ALIKE: usize = 2;

/// Weighs every candidate, and takes out lines that are said again later.
pub(super) fn rank(found: &mut Vec<Candidate<'_>>) {
    let frequency = DocumentFrequency::of(found);
    let mut entries: HashMap<usize, u32> = HashMap::new();
    for candidate in found.iter() {
        // What a model explains in one sentence after another is no list.
        let tells = candidate.under.is_some() || has_exact(candidate);
        *entries.entry(candidate.line).or_default() += u32::from(tells);
    }
    for candidate in found.iter_mut() {
        let listed = entries.get(&candidate.line).is_some_and(|entries| *entries > 1);
        candidate.weight = weight(candidate, listed, &frequency);
    }
    drop_repeated(found);
    lower_shown(found);
    lower_earlier(found);
}

/// Lowers a value where a later one of its kind shares its names: it may have taken its place, though
/// nothing says so. Both stand where there is room.
fn lower_earlier(found: &mut [Candidate<'_>]) {
    let mut sharing: HashKeyMap<Vec<usize>> = HashKeyMap::default();
    let mut earlier: HashSet<usize> = HashSet::new();
    for (at, newer) in found.iter().enumerate() {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for key in newer.topic.iter().collect::<HashSet<_>>() {
            let known = sharing.entry(*key).or_default();
            if known.len() <= SHARED {
                known.iter().for_each(|older| *shared.entry(*older).or_default() += 1);
                known.push(at);
            }
        }
        let outdated = |(older, names): (usize, usize)| {
            let older = found.get(older).filter(|_| names >= ALIKE)?;
            (older.message < newer.message && gives_other(older, newer)).then_some(())
        };
        earlier.extend(shared.into_iter().filter(|it| outdated(*it).is_some()).map(|it| it.0));
    }
    for at in earlier {
        if let Some(older) = found.get_mut(at) {
            older.weight = older.weight / 5 * 3;
        }
    }
}

/// Whether two facts give different exact values of the same kind.
pub(super) fn gives_other(older: &Candidate<'_>, newer: &Candidate<'_>) -> bool {
    older.values.iter().filter(|(kind, _)| is_replaceable(*kind)).any(|(kind, value)| {
        let mut of_kind = newer.values.iter().filter(|(own, _)| own == kind).peekable();
        of_kind.peek().is_some() && of_kind.all(|(_, own)| own != value)
    })
}

/// In how many candidates each value and each word of a topic is found.
struct DocumentFrequency {
    values: HashKeyMap<u32>,
    words: HashKeyMap<u32>,
    candidates: u32,
}

impl DocumentFrequency {
    fn of(found: &[Candidate<'_>]) -> Self {
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

    /// How often its rarest value or word is found: 1 and above.
    fn value(&self, candidate: &Candidate<'_>) -> f32 {
        let values = candidate.values.iter().filter_map(|(_, value)| self.values.get(&stem(value)));
        // A bare number is everywhere: what it is of may still be rare.
        let words = candidate.topic.iter().filter_map(|word| self.words.get(word));
        let values = values.min().copied().unwrap_or(1);
        words.min().map_or(values, |words| values.min(*words)) as f32
    }

    /// How far a word is from being everywhere, 0 to 1: inverse document frequency, in logarithms.
    fn rarity(&self, word: u64) -> f32 {
        let all = (self.candidates.max(2) as f32).ln();
        let count = self.words.get(&word).copied().unwrap_or(1).max(1);
        (1.0 - (count as f32).ln() / all).clamp(0.0, 1.0)
    }

    /// How particular a topic is, 0 to 1: the mean over its two rarest words.
    fn particular(&self, candidate: &Candidate<'_>) -> f32 {
        let mut rarest: Vec<f32> = candidate.topic.iter().map(|word| self.rarity(*word)).collect();
        rarest.sort_by(|a, b| b.total_cmp(a));
        let (sum, count) = rarest.iter().take(2).fold((0.0, 0.0), |(s, n), r| (s + r, n + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    }
}

/// `listed`: whether it stands beside others of its kind: a roster, a timetable, the rows of a table.
fn weight(candidate: &Candidate<'_>, listed: bool, frequency: &DocumentFrequency) -> u32 {
    let own = match (candidate.kind, candidate.lasting) {
        (FactKind::Constraint | FactKind::Decision, Permanence::Possible) => STATEMENT * 1.2,
        (kind, Permanence::Explicit | Permanence::Possible) => worth(kind, candidate.text),
    };
    let values = candidate.values.iter();
    let best = values.map(|(kind, value)| worth(*kind, value)).fold(own, f32::max);
    let exact = has_exact(candidate);
    let author = match candidate.author {
        Author::User => 1.4,
        // What a model explains is full of names and quotations; a short reply records.
        Author::Model if exact || listed || candidate.passage <= REPLY => 1.1,
        Author::Model => 0.55,
        Author::Material if candidate.code => 0.35,
        Author::Material if candidate.kind == FactKind::Error => 0.9,
        // What answers with a few lines was asked for just these.
        Author::Material if candidate.crowd <= BRIEF => 0.85,
        Author::Material => 0.7,
    };
    let crowd = candidate.crowd.max(1) as f32;
    let crowd = match candidate.author {
        Author::User => crowd.powf(0.2),
        Author::Model => (candidate.passage as f32 / 300.0).max(1.0).powf(0.4),
        Author::Material => (crowd / 4.0).max(1.0).sqrt(),
    };
    let common = (frequency.value(candidate) / 2.0).max(1.0).sqrt();
    let told = [
        (Cues::URGE, 1.2),
        (Cues::DOUBT, 0.45),
        (Cues::CHANGE, 1.25),
        (Cues::DECISION.with(Cues::DEMAND), 1.2),
    ];
    let told = told.iter().filter(|(cue, _)| candidate.cues.any(*cue)).map(|(_, factor)| factor);
    let asked = if candidate.question { 0.3 } else { 1.0 };
    let particular = 0.3 + 1.2 * frequency.particular(candidate);
    // Two short facts are worth more than a long one; but a value is not the worse for its length.
    let values: usize = candidate.values.iter().map(|(_, value)| value.len()).sum();
    let length = candidate.text.len().saturating_sub(values / 2) as f32;
    let length = (120.0 / (60.0 + length)).sqrt();
    let listed = if listed { 1.15 } else { 1.0 };
    let shown = best * author * listed * told.product::<f32>() * asked * particular * length;
    (shown * 100.0 / (crowd * common)) as u32
}

fn has_exact(candidate: &Candidate<'_>) -> bool {
    candidate.values.iter().any(|(kind, _)| is_replaceable(*kind))
}

/// What a value is worth by itself: the more specific, the more.
fn worth(kind: FactKind, value: &str) -> f32 {
    match kind {
        FactKind::Constraint | FactKind::Decision => 80.0,
        FactKind::Error | FactKind::CodeLocation => 75.0,
        FactKind::Identifier | FactKind::Hash => 70.0,
        FactKind::Path | FactKind::Version => 70.0,
        FactKind::Url | FactKind::Date => 70.0,
        FactKind::Number => number_worth(value),
        // A quotation with digits is a message or a code more often than a figure of speech.
        FactKind::Quote if value.bytes().any(|byte| byte.is_ascii_digit()) => 65.0,
        FactKind::Quote => 45.0,
        FactKind::Symbol => 40.0,
        FactKind::Name if value.contains(' ') => 60.0,
        FactKind::Name => 40.0,
        FactKind::Statement => STATEMENT,
    }
}

/// A number is worth more with a unit, and the more digits it has.
fn number_worth(value: &str) -> f32 {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let unit = value.chars().any(|c| c.is_alphabetic() || matches!(c, '%' | '$' | '€' | '£' | '¥'));
    match (unit, digits) {
        (true, _) => 70.0,
        (false, 0 | 1) => 30.0,
        (false, 2) => 50.0,
        (false, _) => 65.0,
    }
}

/// Takes out a line whose words stand again in a later one: the later tells that it holds still.
fn drop_repeated(found: &mut Vec<Candidate<'_>>) {
    let mut lines: Vec<(usize, u64)> = Vec::new();
    for candidate in found.iter() {
        let said = fold_case(candidate.text)
            ^ fold_case(candidate.under.unwrap_or_default()).rotate_left(7);
        match lines.last_mut() {
            Some((line, words)) if *line == candidate.line => *words = words.rotate_left(5) ^ said,
            Some(_) | None => lines.push((candidate.line, said)),
        }
    }
    let mut last: HashKeyMap<usize> = HashKeyMap::default();
    let mut said_again: HashMap<usize, usize> = HashMap::new();
    for (line, words) in lines.iter().rev() {
        let later = *last.entry(*words).or_insert(*line);
        if later != *line {
            said_again.insert(*line, later);
        }
    }
    // Whoever says it last, it is worth what it is in the mouth of the user.
    let mut best: HashMap<usize, u32> = HashMap::new();
    for candidate in found.iter() {
        let line = said_again.get(&candidate.line).copied().unwrap_or(candidate.line);
        let weight = best.entry(line).or_default();
        *weight = candidate.weight.max(*weight);
    }
    found.retain(|candidate| !said_again.contains_key(&candidate.line));
    for candidate in found.iter_mut() {
        candidate.weight = candidate.weight.max(best.get(&candidate.line).copied().unwrap_or(0));
    }
}

/// Lowers what a tool returned where each of its names and places stands in something better.
fn lower_shown(found: &mut [Candidate<'_>]) {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(found.get(*index).map_or(0, |it| it.weight)));
    let mut shown = HashKeySet::default();
    for index in order {
        let Some(candidate) = found.get_mut(index) else { continue };
        let mut fresh = candidate.author != Author::Material || candidate.values.is_empty();
        for (kind, value) in &candidate.values {
            let passing = matches!(kind, FactKind::Number | FactKind::Date | FactKind::Version);
            fresh |= shown.insert(stem(value)) || passing;
        }
        if !fresh {
            candidate.weight /= 3;
        }
    }
}
