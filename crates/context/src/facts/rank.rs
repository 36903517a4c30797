//! How much a fact is worth: what it holds, who said it, how rare it is, how it was said.

use std::collections::{HashMap, HashSet};

use skein_domain::ids::MessageId;

use super::candidate::{Candidate, Permanence, REPLY, drop_repeated};
use super::clause::is_replaceable;
use super::fact::{Author, FactKind};
use super::routine::Routine;
use super::words::cue_words::Cues;
use super::words::word_key::{HashKeyMap, HashKeySet, stem};

/// The worth of a statement without a value: less than any value that somebody gave.
const STATEMENT: f32 = 40.0;

/// The least that is worth which stands in a list or comes back to a thing that was told of.
const TOLD: f32 = 62.0;

/// The share of its weight that a statement without a value keeps beside a value of its message: it tells how
/// that came about.
const TALK: f32 = 0.6;
/// The share of its worth that a model's entry without a value keeps: an explanation has the same frames.
const EXPLAINED: f32 = 0.7;
/// The worth of a number that a tool returned: most count what it did.
const COUNT: f32 = 45.0;
/// How particular a fact is whose words are all values.
const NO_TOPIC: f32 = 0.6;
/// Bytes of an output or a reply that is brief: it says little but what was asked for.
const BRIEF_BYTES: f32 = 150.0;

/// Facts of an output that is brief.
const BRIEF: u32 = 12;
/// So many facts share what may be a name of one thing; more share a common word.
const SHARED: usize = 8;
/// The least bytes a fact without a value is weighed as: a short remark is no better than a longer one.
const REMARK: usize = 80;
/// Names that two facts share for both to be of one thing, as far as ranking goes.
const ALIKE: usize = 2;
/// Facts that share a name which is as rare are of one thing though they share no other.
const RARE: u32 = 3;

/// Weighs every candidate, and takes out lines that are said again later.
pub(super) fn rank(found: &mut Vec<Candidate<'_>>) {
    let frequency = DocumentFrequency::of(found);
    let routine = Routine::of(found);
    let mut entries: HashMap<usize, u32> = HashMap::new();
    for candidate in found.iter() {
        // Sentences of a model's explanation are no list.
        let tells = candidate.under.is_some() || candidate.has_exact_value();
        let tells = tells && !(candidate.author == Author::Material && candidate.singular);
        *entries.entry(candidate.line).or_default() += u32::from(tells);
    }
    let listed =
        |it: &Candidate<'_>| it.entry || entries.get(&it.line).is_some_and(|entries| *entries > 1);
    let giving = found.iter().filter(|it| it.has_exact_value()).map(|it| it.message);
    let giving: HashSet<MessageId> = giving.collect();
    let continued = continuations(found, &frequency, &routine, &listed);
    for (candidate, continues) in found.iter_mut().zip(&continued.continuing) {
        let list = listed(candidate);
        let weight = weight(candidate, list, *continues, &frequency);
        let talk = is_talk(candidate) && giving.contains(&candidate.message);
        let weight = weight * if talk { TALK } else { 1.0 };
        candidate.weight = (weight * routine.factor(candidate)) as u32;
    }
    raise_heads(found);
    for (at, factor) in &continued.outdated {
        if let Some(older) = found.get_mut(*at) {
            older.weight = (older.weight as f32 * factor) as u32;
            older.outdated = true;
        }
    }
    drop_repeated(found);
    lower_shown(found);
}

/// True if somebody says something that gives no value, is no entry of a list and no demand.
fn is_talk(candidate: &Candidate<'_>) -> bool {
    let said = candidate.author != Author::Material && candidate.lasting == Permanence::Possible;
    said && !candidate.entry && !candidate.has_exact_value()
}

/// Raises the first entry of each line that was said to the best of them: it holds the words that all
/// stand under. The rows of an output stand under none of them.
fn raise_heads(found: &mut [Candidate<'_>]) {
    for line in found.chunk_by_mut(|a, b| a.line == b.line) {
        let best = line.iter().map(|it| it.weight).max().unwrap_or_default();
        let said = line.first().is_some_and(|it| it.author != Author::Material);
        if let Some(first) = line.iter_mut().find(|it| said && !it.lead) {
            first.weight = best;
        }
    }
}

/// Facts that come back to a thing that was told of before.
struct Continuations {
    /// Of each candidate whether it names something that an earlier message gave a value of.
    continuing: Vec<bool>,
    /// Earlier ones that a later one may have taken the place of, though nothing says so, with what is
    /// left of their weight. Both stand where there is room.
    outdated: HashMap<usize, f32>,
}

fn continuations(
    found: &[Candidate<'_>],
    frequency: &DocumentFrequency,
    routine: &Routine,
    listed: &impl Fn(&Candidate<'_>) -> bool,
) -> Continuations {
    let mut known: HashKeyMap<Vec<usize>> = HashKeyMap::default();
    let mut outdated = HashMap::new();
    let mut continuing = Vec::with_capacity(found.len());
    for (at, newer) in found.iter().enumerate() {
        let keys = keys(newer);
        let mut shared: HashMap<usize, (usize, u32)> = HashMap::new();
        for key in &keys {
            let earlier = known.get(key).map(Vec::as_slice).unwrap_or_default();
            let holding = frequency.holding(*key);
            if holding > SHARED as u32 || earlier.len() > SHARED {
                continue;
            }
            for older in earlier {
                let (names, rarest) = shared.entry(*older).or_insert((0, u32::MAX));
                *names += 1;
                *rarest = holding.min(*rarest);
            }
        }
        let said = newer.author == Author::User || newer.passage <= REPLY;
        let mut continues = false;
        let mut replaced: HashMap<usize, (usize, usize)> = HashMap::new();
        for (older_at, (names, rarest)) in shared {
            let Some(older) = found.get(older_at) else { continue };
            let alike = names >= ALIKE || rarest <= RARE;
            if older.message >= newer.message || !alike {
                continue;
            }
            continues |= said && older.author != Author::Material;
            let changed = newer.cues.any(Cues::CHANGE);
            let one = older.values.iter().filter(|(kind, _)| is_replaceable(*kind)).count() < 2;
            let entry = changed && older.entry && !older.has_exact_value();
            // A fact that gives several things still holds for the others.
            let single = one || older.author == Author::Material;
            if single && (older.differs_from(newer) || entry) {
                // Of the entries of a list the one that shares the most is meant.
                let best = replaced.entry(older.line).or_insert((names, older_at));
                if names > best.0 || names == best.0 && older_at < best.1 {
                    *best = (names, older_at);
                }
            }
        }
        let left = if newer.cues.any(Cues::CHANGE) { 0.35 } else { 0.5 };
        outdated.extend(replaced.into_values().map(|(_, older)| (older, left)));
        continuing.push(continues && !newer.question && routine.is_new(newer));
        if (newer.has_exact_value() || listed(newer)) && routine.is_new(newer) {
            for key in keys {
                known.entry(key).or_default().push(at);
            }
        }
    }
    Continuations { continuing, outdated }
}

/// The possible names of the thing that a fact is of: words, and values that are no measure.
fn keys(candidate: &Candidate<'_>) -> HashSet<u64> {
    let measures =
        |kind: &FactKind| matches!(kind, FactKind::Number | FactKind::Date | FactKind::Version);
    let values = candidate.values.iter().filter(|(kind, _)| !measures(kind));
    values.map(|(_, value)| stem(value)).chain(candidate.topic.iter().copied()).collect()
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

    /// How many facts hold a word.
    fn holding(&self, word: u64) -> u32 {
        self.words.get(&word).or_else(|| self.values.get(&word)).copied().unwrap_or_default()
    }

    /// How far a word is from being everywhere, 0 to 1: inverse document frequency, in logarithms.
    fn rarity(&self, word: u64) -> f32 {
        let all = (self.candidates.max(2) as f32).ln();
        let count = self.words.get(&word).copied().unwrap_or(1).max(1);
        (1.0 - (count as f32).ln() / all).clamp(0.0, 1.0)
    }

    /// How particular a topic is, 0 to 1: the mean over its two rarest words, or [`NO_TOPIC`].
    fn particular(&self, candidate: &Candidate<'_>) -> f32 {
        let mut rarest: Vec<f32> = candidate.topic.iter().map(|word| self.rarity(*word)).collect();
        rarest.sort_by(|a, b| b.total_cmp(a));
        let (sum, count) = rarest.iter().take(2).fold((0.0, 0.0), |(s, n), r| (s + r, n + 1.0));
        if count > 0.0 { sum / count } else { NO_TOPIC }
    }
}

/// `listed`: whether it stands beside others of its kind: a roster, a timetable, the rows of a table.
/// `continues`: whether it comes back to a thing that was told of before.
fn weight(
    candidate: &Candidate<'_>,
    listed: bool,
    continues: bool,
    frequency: &DocumentFrequency,
) -> f32 {
    let own = match (candidate.kind, candidate.lasting) {
        (FactKind::Constraint | FactKind::Decision, Permanence::Possible) => STATEMENT * 1.2,
        (kind, Permanence::Explicit | Permanence::Possible) => worth(kind, candidate.text),
    };
    let values = candidate.values.iter();
    let counted = candidate.author == Author::Material;
    let worth_of = |kind: FactKind, value: &str| {
        let most = if counted && kind == FactKind::Number { COUNT } else { f32::INFINITY };
        worth(kind, value).min(most)
    };
    let best = values.map(|(kind, value)| worth_of(*kind, value)).fold(own, f32::max);
    let exact = candidate.has_exact_value();
    let best = match candidate.lead {
        true => best * 0.4,
        false if candidate.entry && candidate.author == Author::Model && !exact => {
            best.max(TOLD * EXPLAINED)
        }
        false if candidate.entry || continues && exact => best.max(TOLD),
        false if continues => best.max(TOLD * 0.8),
        false => best,
    };
    let continues = continues && !candidate.lead;
    let author = match candidate.author {
        Author::User if exact => 2.0,
        Author::User => 1.5,
        // An explanation is full of names and quotations; a short reply records.
        Author::Model if listed || candidate.passage <= REPLY => 1.1,
        Author::Model => 0.5,
        Author::Material if candidate.code => 0.35,
        Author::Material if candidate.kind == FactKind::Error => 0.9,
        // An output of a few lines was asked for just these.
        Author::Material if candidate.crowd <= BRIEF && listed => 0.95,
        Author::Material => 0.9,
    };
    let crowd = candidate.crowd.max(1) as f32;
    let beyond = |bytes: f32| (candidate.passage as f32 / bytes).max(1.0);
    let crowd = match candidate.author {
        Author::User => crowd.powf(0.2),
        Author::Model => beyond(BRIEF_BYTES).powf(0.6),
        Author::Material => (crowd / 4.0).max(1.0).sqrt() * beyond(BRIEF_BYTES).powf(0.4),
    };
    let common = (frequency.value(candidate) / 2.0).max(1.0).sqrt();
    let told = [(Cues::DOUBT, 0.45), (Cues::CHANGE, 1.1), (Cues::DECISION.with(Cues::DEMAND), 1.2)];
    let told = told.iter().filter(|(cue, _)| candidate.cues.any(*cue)).map(|(_, factor)| factor);
    let asked = match (candidate.question, candidate.asked) {
        (true, _) => 0.3,
        (false, true) if !continues && !exact => 0.6,
        (false, _) => 1.0,
    };
    let particular = 0.3 + 1.2 * frequency.particular(candidate);
    // Two short facts are worth more than a long one; but a value is not the worse for its length.
    let values: usize = candidate.values.iter().map(|(_, value)| value.len()).sum();
    let tells = exact || candidate.entry || candidate.lasting == Permanence::Explicit;
    let length = match tells {
        true => candidate.text.len().saturating_sub(values / 2),
        false => candidate.text.len().max(REMARK),
    };
    let length = (120.0 / (60.0 + length as f32)).powf(0.5);
    let listed = if listed { 1.2 } else { 1.0 };
    let listed = if continues { listed * 1.1 } else { listed };
    let shown = best * author * listed * told.product::<f32>() * asked * particular * length;
    shown * 100.0 / (crowd * common)
}

/// The worth of a value by itself: the more specific, the more.
fn worth(kind: FactKind, value: &str) -> f32 {
    match kind {
        FactKind::Error | FactKind::CodeLocation => 75.0,
        FactKind::Constraint | FactKind::Decision => 60.0,
        FactKind::Identifier | FactKind::Hash => 70.0,
        FactKind::Path | FactKind::Version => 70.0,
        FactKind::Url | FactKind::Date => 70.0,
        FactKind::Number if value.len() > 1 => 65.0,
        FactKind::Number => 50.0,
        FactKind::Quote => 45.0,
        FactKind::Symbol => 50.0,
        FactKind::Name => 70.0,
        FactKind::Statement => STATEMENT,
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
