//! Finds facts that come back to a thing that was told of before, and the earlier ones whose place they may
//! have taken.

use std::collections::{HashMap, HashSet};

use super::frequency::DocumentFrequency;
use super::routine::Routine;
use crate::facts::candidate::{Candidate, REPLY};
use crate::facts::fact::{Author, FactKind};
use crate::facts::words::cue_words::Cues;
use crate::facts::words::word_key::{HashKeyMap, stem};

/// So many facts share what may be a name of one thing; more share a common word.
const SHARED: usize = 8;
/// Names that two facts share for both to be of one thing, as far as ranking goes.
const ALIKE: usize = 2;
/// Facts that share a name which is as rare are of one thing though they share no other.
pub(super) const RARE: u32 = 3;
/// Facts that come back to a thing that was told of before.
pub(super) struct Continuations {
    /// Of each candidate whether it names something that an earlier message gave a value of.
    pub continuing: Vec<bool>,
    /// Earlier ones that a later one may have taken the place of, though nothing says so, each with the
    /// share of its names that the later one has: the larger, the likelier. Both stand where there is room.
    pub outdated: HashMap<usize, f32>,
    /// The same of the later ones.
    pub renewing: HashMap<usize, f32>,
}

impl Continuations {
    /// `listed`: of each candidate whether it stands in a list.
    pub fn of(
        candidates: &[Candidate<'_>],
        frequency: &DocumentFrequency,
        routine: &Routine,
        listed: &[bool],
    ) -> Self {
        let mut known = KnownThings { candidates, frequency, facts: HashKeyMap::default() };
        let (mut outdated, mut renewing) = (HashMap::new(), HashMap::new());
        let mut continuing = Vec::with_capacity(candidates.len());
        for (at, newer) in candidates.iter().enumerate() {
            let names = names(newer);
            let earlier = known.earlier(newer, &names);
            let is_said = newer.author == Author::User || newer.passage <= REPLY;
            let mut facts = earlier.iter().filter_map(|(at, _)| candidates.get(*at));
            let continues = is_said && facts.any(|older| older.author != Author::Material);
            let is_new = routine.is_new(newer);
            continuing.push(continues && !newer.question && is_new);
            for (older, share) in replaced(newer, &earlier, candidates) {
                keep_larger(&mut outdated, older, share);
                keep_larger(&mut renewing, at, share);
            }
            let is_listed = listed.get(at).copied().unwrap_or_default();
            if (newer.has_exact_value() || is_listed) && is_new {
                known.add(at, names);
            }
        }
        Self { continuing, outdated, renewing }
    }
}

fn keep_larger(shares: &mut HashMap<usize, f32>, at: usize, share: f32) {
    let known = shares.entry(at).or_default();
    *known = share.max(*known);
}

/// Facts that give something, by the possible names of the thing.
struct KnownThings<'f, 'a> {
    candidates: &'f [Candidate<'a>],
    frequency: &'f DocumentFrequency,
    facts: HashKeyMap<Vec<usize>>,
}

impl KnownThings<'_, '_> {
    fn add(&mut self, at: usize, names: HashSet<u64>) {
        for name in names {
            self.facts.entry(name).or_default().push(at);
        }
    }

    /// The facts of earlier messages that may be of the same thing, each with the number of shared names.
    fn earlier(&self, newer: &Candidate<'_>, keys: &HashSet<u64>) -> Vec<(usize, usize)> {
        let mut shared: HashMap<usize, (usize, u32)> = HashMap::new();
        for key in keys {
            let earlier = self.facts.get(key).map(Vec::as_slice).unwrap_or_default();
            let holding = self.frequency.holding(*key);
            if holding > SHARED as u32 || earlier.len() > SHARED {
                continue;
            }
            for older in earlier {
                let (names, rarest) = shared.entry(*older).or_insert((0, u32::MAX));
                *names += 1;
                *rarest = holding.min(*rarest);
            }
        }
        let is_earlier =
            |at: usize| self.candidates.get(at).is_some_and(|older| older.message < newer.message);
        let alike = shared.into_iter().filter(|(at, (names, rarest))| {
            (*names >= ALIKE || *rarest <= RARE) && is_earlier(*at)
        });
        alike.map(|(at, (names, _))| (at, names)).collect()
    }
}

/// Those of the earlier facts whose place a newer one may have taken, each with the share of its names that
/// the newer one has, 0 to 1: of the entries of a list the one that shares the most names.
fn replaced(
    newer: &Candidate<'_>,
    earlier: &[(usize, usize)],
    candidates: &[Candidate<'_>],
) -> impl Iterator<Item = (usize, f32)> {
    let mut replaced: HashMap<usize, (usize, usize)> = HashMap::new();
    for (at, names) in earlier {
        let Some(older) = candidates.get(*at).filter(|older| may_replace(newer, older)) else {
            continue;
        };
        let best = replaced.entry(older.line).or_insert((*names, *at));
        if *names > best.0 || *names == best.0 && *at < best.1 {
            *best = (*names, *at);
        }
    }
    replaced.into_values().map(|(shared, at)| {
        let all = candidates.get(at).map_or(0, |older| names(older).len());
        (at, shared as f32 / all.max(1) as f32)
    })
}

fn may_replace(newer: &Candidate<'_>, older: &Candidate<'_>) -> bool {
    let entry = newer.cues.any(Cues::CHANGE) && older.entry && !older.has_exact_value();
    !newer.tells_of_past() && (older.differs_from(newer) || entry)
}

/// The possible names of the thing that a fact is of: words, and values that are no measure.
pub(super) fn names(candidate: &Candidate<'_>) -> HashSet<u64> {
    let measures =
        |kind: &FactKind| matches!(kind, FactKind::Number | FactKind::Date | FactKind::Version);
    let values = candidate.values.iter().filter(|(kind, _)| !measures(kind));
    values.map(|(_, value)| stem(value)).chain(candidate.topic.iter().copied()).collect()
}
