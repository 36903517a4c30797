//! How much an anchor is worth: what it holds, who said it, how rare it is, how it was said.

use std::collections::{HashMap, HashSet};

use super::collect::Found;
use super::cues::Cues;
use super::words::stem;
use super::{AnchorKind, Voice};

/// Weighs every anchor, and takes out those that only repeat.
pub(super) fn rank(found: &mut Vec<Found<'_>>) {
    let mentions = mentions(found);
    for anchor in found.iter_mut() {
        anchor.weight = weight(anchor, &mentions);
    }
    repeat(found);
}

/// In how many messages each value is found.
fn mentions(found: &[Found<'_>]) -> HashMap<u64, u32> {
    let mut seen: HashSet<(u64, i64)> = HashSet::new();
    let mut mentions: HashMap<u64, u32> = HashMap::new();
    for anchor in found {
        for (_, value) in &anchor.values {
            let key = stem(value);
            if seen.insert((key, anchor.message.0)) {
                *mentions.entry(key).or_default() += 1;
            }
        }
    }
    mentions
}

fn weight(anchor: &Found<'_>, mentions: &HashMap<u64, u32>) -> u32 {
    let kinds = anchor.values.iter().map(|(kind, value)| worth(*kind, value));
    let own = worth(anchor.kind, anchor.text);
    let best = kinds.fold(own, f32::max);
    let common = anchor.values.iter().filter_map(|(_, value)| mentions.get(&stem(value))).min();
    let common = common.map_or(1.0, |count| (*count as f32 / 2.0).max(1.0).sqrt());
    let voice = match anchor.voice {
        Voice::Person => 1.5,
        Voice::Model => 1.0,
        Voice::Material if anchor.kind == AnchorKind::Error => 0.9,
        Voice::Material => 0.4,
    };
    let crowd = anchor.crowd.max(1) as f32;
    let crowd = if anchor.voice == Voice::Material { crowd.sqrt() } else { crowd.powf(0.2) };
    let told = [
        (Cues::URGE, 1.3),
        (Cues::DOUBT, 0.45),
        (Cues::CHANGE, 1.15),
        (Cues::DECISION.with(Cues::DEMAND), 1.25),
    ];
    let told = told.iter().filter(|(cue, _)| anchor.cues.any(*cue)).map(|(_, factor)| factor);
    let asked = if anchor.question { 0.4 } else { 1.0 };
    let subject = match anchor.subject.len() {
        0 => 0.5,
        1 => 0.8,
        2..=12 => 1.0,
        _ => 0.85,
    };
    let weight = best * voice * told.product::<f32>() * asked * subject * 100.0 / (crowd * common);
    weight as u32
}

/// What a value is worth by itself: the more specific, the more.
fn worth(kind: AnchorKind, value: &str) -> f32 {
    match kind {
        AnchorKind::Constraint | AnchorKind::Decision => 80.0,
        AnchorKind::Error => 75.0,
        AnchorKind::CodeLocation => 75.0,
        AnchorKind::Identifier | AnchorKind::Hash => 70.0,
        AnchorKind::Path | AnchorKind::Version => 65.0,
        AnchorKind::Url | AnchorKind::Date => 60.0,
        AnchorKind::Number => number_worth(value),
        AnchorKind::Quote => 45.0,
        AnchorKind::Symbol => 40.0,
        AnchorKind::Name if value.contains(' ') => 55.0,
        AnchorKind::Name => 35.0,
    }
}

/// A number is worth more with a unit, and the more digits it has.
fn number_worth(value: &str) -> f32 {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let unit = value.chars().any(|c| c.is_alphabetic() || matches!(c, '%' | '$' | '€' | '£' | '¥'));
    match (unit, digits) {
        (true, _) => 62.0,
        (false, 0 | 1) => 25.0,
        (false, 2) => 45.0,
        (false, _) => 58.0,
    }
}

/// Takes out the same words said again, and lowers a clause whose every value is in a better one.
fn repeat(found: &mut Vec<Found<'_>>) {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|index| {
        std::cmp::Reverse(found.get(*index).map_or(0, |anchor| anchor.weight))
    });
    let mut texts: HashSet<u64> = HashSet::new();
    let mut shown: HashSet<u64> = HashSet::new();
    for index in order {
        let Some(anchor) = found.get_mut(index) else { continue };
        if !texts.insert(stem(anchor.text)) {
            anchor.weight = 0;
            continue;
        }
        let own = |kind: &AnchorKind| {
            !matches!(
                kind,
                AnchorKind::Number | AnchorKind::Date | AnchorKind::Version | AnchorKind::Quote
            )
        };
        let lasting = matches!(anchor.kind, AnchorKind::Constraint | AnchorKind::Decision);
        let mut fresh = lasting || anchor.values.is_empty();
        for (kind, value) in &anchor.values {
            fresh |= !own(kind) || shown.insert(stem(value));
        }
        if !fresh {
            anchor.weight /= 3;
        }
    }
    found.retain(|anchor| anchor.weight > 0);
}
