//! The facts worth carrying beside a summary: those that it does not say itself.
//!
//! Chosen after the summary is written, and again when the user edits it, or leaves out or takes in
//! something that it covers: facts that the words leave out are found in the originals anew, so that nothing
//! is lost by trusting them.

use std::collections::HashSet;

use super::candidate::Candidate;
use super::extract::{best_first, resolved};
use super::fact::{Fact, FactSource, contains_whole};
use super::words::word_key::HashKeyMap;

/// All facts of the passages that `summary` does not say word for word, best first. Facts that correct
/// something the summary says come before all others: the older value alone would mislead. A demand or a
/// decision of which the summary says a part is returned whole.
///
/// Where two values were given for a thing, both stay even if the summary has one of them: only the
/// numbers of their messages tell which came later.
pub fn facts_not_in(messages: &[FactSource<'_>], summary: &str) -> Vec<Fact> {
    let mut candidates = resolved(messages);
    for at in corrections(&candidates, summary) {
        if let Some(newer) = candidates.get_mut(at) {
            newer.weight = u32::MAX;
        }
    }
    let earlier: HashSet<usize> = candidates.iter().filter_map(|it| it.earlier).collect();
    let in_summary: Vec<bool> = candidates.iter().map(|it| is_said(summary, it)).collect();
    let mut carried: HashKeyMap<Vec<&Candidate<'_>>> = HashKeyMap::default();
    for (fact, _) in candidates.iter().zip(&in_summary).filter(|(_, said)| !**said) {
        for key in &fact.topic {
            carried.entry(*key).or_default().push(fact);
        }
    }
    let is_missing = |(at, it): (usize, &Candidate<'_>)| {
        let disputed = it.earlier.is_some() || earlier.contains(&at);
        let is_said = in_summary.get(at).copied().unwrap_or_default();
        disputed || !is_said || misleads_alone(it, &carried)
    };
    let missing: Vec<bool> = candidates.iter().enumerate().map(is_missing).collect();
    let whole = candidates.iter().zip(&missing).filter(|(it, unsaid)| **unsaid && it.is_demand());
    let whole: HashSet<usize> = whole.map(|(it, _)| it.line).collect();
    let kept = candidates.into_iter().enumerate().zip(missing);
    let kept = kept.filter(|((_, it), unsaid)| *unsaid || whole.contains(&it.line));
    best_first(kept.map(|(kept, _)| kept))
}

/// True if a line of a summary says a fact word for word, with the heading that the fact stands under.
fn is_said(summary: &str, fact: &Candidate<'_>) -> bool {
    let heads = |line: &str| fact.under.is_none_or(|under| contains_whole(line, under));
    summary.lines().any(|line| contains_whole(line, fact.text) && heads(line))
}

/// A name that so many facts share tells nothing of which of them are of one thing.
const SHARED: usize = 8;

/// True if a fact that is carried gives an earlier value of the same kind, whose place `newer` may have
/// taken: carried alone that would show itself as the newest. `carried`: by the names in them.
fn misleads_alone(newer: &Candidate<'_>, carried: &HashKeyMap<Vec<&Candidate<'_>>>) -> bool {
    let sharing = newer.topic.iter().filter_map(|key| carried.get(key));
    let mut sharing = sharing.filter(|facts| facts.len() <= SHARED).flatten();
    sharing
        .any(|older| older.outdated && older.message < newer.message && older.differs_from(newer))
}

/// Those whose earlier value stands in the summary, while they do not.
fn corrections(candidates: &[Candidate<'_>], summary: &str) -> Vec<usize> {
    let corrects = |newer: &Candidate<'_>| {
        let older = newer.earlier.and_then(|at| candidates.get(at));
        older.is_some_and(|older| contains_whole(summary, older.text))
            && !contains_whole(summary, newer.text)
    };
    let newer = candidates.iter().enumerate().filter(|(_, it)| corrects(it));
    newer.map(|(at, _)| at).collect()
}
