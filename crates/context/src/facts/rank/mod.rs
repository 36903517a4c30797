//! How much a fact is worth: the chance that somebody needs it later, for its tokens.
//!
//! The score of a fact is the sum of its `features`, each times its weight. The `weights` are fitted to sets
//! of conversations, not chosen: the program `fit_facts` of the lab writes them.

mod continuations;
mod features;
mod frequency;
mod routine;
mod surroundings;
mod weights;

use super::candidate::{Candidate, drop_repeated};
use super::fact::{Author, FactKind};
use features::{Evidence, FEATURES, LENGTH};
use surroundings::Surroundings;
use weights::WEIGHTS;

/// The exponent of the tokens that a worth is divided by. At 1 each token would count in full; but tokens
/// that no fact fits into are lost.
const COST: f32 = 0.8;
/// Added to the logarithm of a worth, so that a whole number tells the smallest apart.
const SHIFT: f32 = 12.0;
/// The largest logarithm of a weight.
const MOST: f32 = 22.0;
/// The share of the weight of a value that is left to words that name its thing and lead to it.
const NAMING_LEAD: f32 = 0.9;

/// Weighs every candidate, and takes out lines that are said again later.
pub(super) fn rank(found: &mut Vec<Candidate<'_>>) {
    let surroundings = Surroundings::of(found);
    let weigh = |(at, candidate): (usize, &Candidate<'_>)| {
        let gives_value = candidate.has_exact_value() || is_to_follow(candidate);
        let evidence = Evidence { candidate, at, gives_value, surroundings: &surroundings };
        weight(candidate.author, &features(evidence))
    };
    let weights: Vec<u32> = found.iter().enumerate().map(weigh).collect();
    for (at, (candidate, weight)) in found.iter_mut().zip(weights).enumerate() {
        candidate.weight = weight;
        candidate.outdated = surroundings.continuations.outdated.contains_key(&at);
    }
    raise_heads(found);
    drop_repeated(found);
}

/// The names of the features, in the order of [`all_features`].
pub fn feature_names() -> Vec<&'static str> {
    FEATURES.iter().map(|(name, _)| *name).collect()
}

/// The features of each candidate, which the weights are fitted to.
pub(super) fn all_features(found: &[Candidate<'_>]) -> Vec<Vec<f32>> {
    let surroundings = Surroundings::of(found);
    let of_each = |(at, candidate): (usize, &Candidate<'_>)| {
        let gives_value = candidate.has_exact_value();
        features(Evidence { candidate, at, gives_value, surroundings: &surroundings })
    };
    found.iter().enumerate().map(of_each).collect()
}

/// True for a demand or decision of the user that says that it lasts. It ranks as a value does: the sets ask
/// for values alone, so that the fit knows nothing of demands, which the model has to follow.
fn is_to_follow(candidate: &Candidate<'_>) -> bool {
    candidate.is_demand() && candidate.is_explicit && candidate.author == Author::User
}

fn features(evidence: Evidence<'_, '_>) -> Vec<f32> {
    FEATURES.iter().map(|(_, value)| value(&evidence)).collect()
}

/// The weight of a fact with these features: what they tell of the chance that it is needed, for its tokens.
fn weight(author: Author, features: &[f32]) -> u32 {
    let told = |((name, weights), value): (&(&str, [f32; 3]), &f32)| {
        let [user, model, material] = weights;
        let weight = match author {
            Author::User => user,
            Author::Model => model,
            Author::Material => material,
        };
        let cost = if *name == LENGTH { COST } else { 0.0 };
        (weight - cost) * value
    };
    let score: f32 = WEIGHTS.iter().zip(features).map(told).sum();
    (score + SHIFT).clamp(0.0, MOST).exp() as u32
}

/// Raises the words at the beginning of each line that was said: the first entry of a list holds the words
/// that all stand under, and words that lead to a value may name its thing. The rows of an output stand
/// under none of them.
fn raise_heads(found: &mut [Candidate<'_>]) {
    for line in found.chunk_by_mut(|a, b| a.line == b.line) {
        if line.first().is_none_or(|it| it.author == Author::Material) {
            continue;
        }
        let best = line.iter().map(|it| it.weight).max().unwrap_or_default();
        if let Some(first) = line.iter_mut().find(|it| !it.lead) {
            first.weight = best;
        }
        if let [lead, value, ..] = line
            && lead.lead
            && !value.lead
            && lead.values.iter().any(|(kind, _)| *kind == FactKind::Name)
        {
            lead.weight = lead.weight.max((value.weight as f32 * NAMING_LEAD) as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FEATURES, WEIGHTS};

    #[test]
    fn each_feature_has_the_weight_of_its_name() {
        let of_feature = FEATURES.iter().map(|(name, _)| *name);
        assert!(of_feature.eq(WEIGHTS.iter().map(|(name, _)| *name)));
    }
}
