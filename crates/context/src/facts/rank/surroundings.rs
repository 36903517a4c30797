//! Looks at all candidates of a conversation once: what stands beside each, and what comes again.

use std::collections::{HashMap, HashSet};

use skein_domain::ids::MessageId;

use super::continuations::{Continuations, RARE, names};
use super::frequency::DocumentFrequency;
use super::routine::Routine;
use crate::facts::candidate::Candidate;
use crate::facts::fact::Author;
use crate::facts::words::word_key::HashKeyMap;

/// The candidates of a conversation as the features of one need them. Lists have one item for each candidate.
pub(super) struct Surroundings {
    pub frequency: DocumentFrequency,
    pub routine: Routine,
    pub continuations: Continuations,
    /// True for those that stand beside others of their kind: a roster, a timetable, the rows of a table.
    pub listed: Vec<bool>,
    /// The number of other messages of persons and models that share a rare name.
    pub mentions: Vec<usize>,
    /// The number of facts in each line.
    pub in_line: HashMap<usize, u32>,
    /// The messages that give a value.
    pub giving: HashSet<MessageId>,
    /// The first candidate of each passage.
    pub opening: HashSet<usize>,
    /// How many facts that are mentioned elsewhere a message has: what is said in it, and what is not.
    mentioned: HashMap<(MessageId, bool), usize>,
}

impl Surroundings {
    pub fn of(found: &[Candidate<'_>]) -> Self {
        let frequency = DocumentFrequency::of(found);
        let routine = Routine::of(found);
        let listed = listed(found);
        let continuations = Continuations::of(found, &frequency, &routine, &listed);
        let mentions = mentions(found, &frequency);
        let mut in_line: HashMap<usize, u32> = HashMap::new();
        let mut mentioned: HashMap<_, usize> = HashMap::new();
        let mut opening = HashSet::new();
        let mut from = 0;
        for own in found.chunk_by(|a, b| passage(a) == passage(b)) {
            opening.insert(from);
            from += own.len();
        }
        for (candidate, mentions) in found.iter().zip(&mentions) {
            *in_line.entry(candidate.line).or_default() += 1;
            *mentioned.entry(passage(candidate)).or_default() += usize::from(*mentions > 0);
        }
        let giving = found.iter().filter(|it| it.has_exact_value()).map(|it| it.message).collect();
        Self {
            frequency,
            routine,
            continuations,
            listed,
            mentions,
            in_line,
            giving,
            opening,
            mentioned,
        }
    }

    /// How many facts of the same passage are mentioned in other messages.
    pub fn mentioned_in_passage(&self, candidate: &Candidate<'_>) -> usize {
        self.mentioned.get(&passage(candidate)).copied().unwrap_or_default()
    }
}

fn passage(candidate: &Candidate<'_>) -> (MessageId, bool) {
    (candidate.message, candidate.author == Author::Material)
}

/// Of each candidate whether it is an entry, or shares its line with others that give something.
fn listed(found: &[Candidate<'_>]) -> Vec<bool> {
    let mut entries: HashMap<usize, u32> = HashMap::new();
    for candidate in found {
        // Sentences of a model's explanation are no list.
        let tells = candidate.under.is_some() || candidate.has_exact_value();
        let tells = tells && !(candidate.author == Author::Material && candidate.singular);
        *entries.entry(candidate.line).or_default() += u32::from(tells);
    }
    let several = |it: &Candidate<'_>| entries.get(&it.line).is_some_and(|entries| *entries > 1);
    found.iter().map(|it| it.entry || several(it)).collect()
}

fn mentions(found: &[Candidate<'_>], frequency: &DocumentFrequency) -> Vec<usize> {
    let rare = |candidate: &Candidate<'_>| {
        let names = names(candidate).into_iter();
        names.filter(|name| frequency.holding(*name) <= RARE).collect::<Vec<_>>()
    };
    let rare: Vec<Vec<u64>> = found.iter().map(rare).collect();
    let mut said: HashKeyMap<HashSet<MessageId>> = HashKeyMap::default();
    for (candidate, names) in found.iter().zip(&rare) {
        for name in names.iter().filter(|_| candidate.author != Author::Material) {
            said.entry(*name).or_default().insert(candidate.message);
        }
    }
    let others = |candidate: &Candidate<'_>, name: &u64| {
        let messages = said.get(name).into_iter().flatten();
        messages.filter(|message| **message != candidate.message).count()
    };
    let most = |(candidate, names): (&Candidate<'_>, &Vec<u64>)| {
        names.iter().map(|name| others(candidate, name)).max().unwrap_or_default()
    };
    found.iter().zip(&rare).map(most).collect()
}
