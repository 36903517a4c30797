//! All facts of a conversation, from its passages: found, weighed, and with what each replaced.

use std::cmp::Reverse;

use skein_domain::ids::MessageId;

use super::candidate::{Candidate, CandidateList};
use super::fact::{Fact, FactSource};
use super::filler::FillerFilter;
use super::passage::collect_candidates;
use super::rank::{all_features, rank};
use super::request;
use super::supersede::{DocumentReadings, resolve_superseded};
use super::words::word_stats::WordStats;

/// All facts of the passages, best first. Passages come in the order they were said. Linear in the length
/// of the text.
pub fn extract(messages: &[FactSource<'_>]) -> Vec<Fact> {
    best_first(resolved(messages).into_iter().enumerate())
}

/// All facts of the passages in the order they were said, each with the features that its weight is made
/// of, in the order of [`feature_names`]. Nothing is left out that is said again later.
pub fn extract_features(messages: &[FactSource<'_>]) -> Vec<(Fact, Vec<f32>)> {
    let candidates = collected(messages);
    let features = all_features(&candidates);
    let facts = candidates.into_iter().enumerate().map(|(place, it)| it.into_fact(place));
    facts.zip(features).collect()
}

/// The facts of the passages in the order they were said, with their weight and what each replaced.
pub(super) fn resolved<'a>(messages: &[FactSource<'a>]) -> Vec<Candidate<'a>> {
    let mut candidates = collected(messages);
    let documents = DocumentReadings::of(&candidates);
    let filter = FillerFilter::of(messages, &candidates);
    candidates.iter_mut().for_each(|candidate| candidate.filler = filter.is_filler(candidate));
    rank(&mut candidates);
    resolve_superseded(&mut candidates, &documents);
    candidates
}

/// The facts of the passages in the order they were said, not yet weighed.
fn collected<'a>(messages: &[FactSource<'a>]) -> Vec<Candidate<'a>> {
    let stats = WordStats::of(messages);
    let mut candidates = CandidateList::default();
    let mut last_question: Option<(MessageId, &str)> = None;
    for source in messages {
        let question =
            last_question.filter(|(message, _)| *message != source.message).map(|(_, text)| text);
        collect_candidates(source, question, &stats, &mut candidates);
        last_question = request::question(source).map(|text| (source.message, text));
    }
    candidates.candidates
}

/// Facts of candidates, each with its place in the order it was said: the best first, and what was replaced
/// behind what holds.
pub(super) fn best_first<'a>(
    candidates: impl Iterator<Item = (usize, Candidate<'a>)>,
) -> Vec<Fact> {
    let mut facts: Vec<Fact> = candidates.map(|(place, it)| it.into_fact(place)).collect();
    facts.sort_by_key(|fact| (fact.replaced_by.is_some(), Reverse(fact.weight)));
    facts
}
