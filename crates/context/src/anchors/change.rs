//! Which of two values for the same thing holds: the one said later.
//!
//! What somebody said is only replaced by what somebody said, never by what a tool returned.

use super::clause::Name;
use super::collect::Found;
use super::cues::Cues;
use super::rank::Commons;
use super::words::Keyed;
use super::{AnchorKind, Voice};

/// How many earlier anchors about the same words are compared with a new one, and how many of the things
/// that it names are looked up.
const COMPARED: usize = 24;

/// How much of what the shorter of two clauses is about must be in the other, by rarity, for them to
/// be about the same thing where a word says that it changed.
const SAME: f32 = 0.55;
/// The same, by number, where both name it.
const SAME_NAMED: f32 = 0.35;

/// Bytes of a value that may stand in two clauses by chance.
const SHORT: usize = 2;

/// Marks the older of two values as replaced, and what the newer replaced or may have. `found` is in
/// the order it was said.
pub(super) fn settle(found: &mut [Found<'_>], commons: &Commons) {
    let mut about: Keyed<Vec<usize>> = Keyed::default();
    for index in 0..found.len() {
        let older = found.get(index).and_then(|newer| older(newer, found, &about, commons));
        match older {
            Some((Claim::Replaces, at)) => replace(found, at, index),
            Some((Claim::Follows, at)) => follow(found, at, index),
            None => {}
        }
        let Some(newer) = found.get(index) else { continue };
        for stem in &newer.subject {
            about.entry(*stem).or_default().push(index);
        }
    }
}

fn replace(found: &mut [Found<'_>], older: usize, newer: usize) {
    let Some(message) = found.get(newer).map(|anchor| anchor.message) else { return };
    let Some(replaced) = found.get_mut(older) else { return };
    replaced.replaced_by = Some(message);
    let weight = replaced.weight;
    let was = match replaced.kind {
        AnchorKind::Constraint | AnchorKind::Decision => {
            replaced.values.first().map(|(_, value)| *value)
        }
        kind => replaced.values.iter().find(|(of, _)| *of == kind).map(|(_, value)| *value),
    };
    if let Some(newer) = found.get_mut(newer) {
        newer.was = was.filter(|was| !newer.text.contains(was));
        // What took a fact's place is worth what that was.
        newer.weight = newer.weight.max(weight);
        newer.earlier = Some(older);
    }
}

/// What may have taken a value's place, though no word says so, is worth what that is: the older alone
/// would mislead.
fn follow(found: &mut [Found<'_>], older: usize, newer: usize) {
    let weight = found.get(older).map_or(0, |anchor| anchor.weight);
    if let Some(newer) = found.get_mut(newer) {
        newer.weight = newer.weight.max(weight);
        newer.earlier = Some(older);
    }
}

/// What a later value claims of an earlier one; the surer is the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// It may have taken its place, though no word says so.
    Follows,
    /// It has taken its place.
    Replaces,
}

/// The latest anchor that `newer` takes the place of; else one that it may.
fn older(
    newer: &Found<'_>,
    found: &[Found<'_>],
    about: &Keyed<Vec<usize>>,
    commons: &Commons,
) -> Option<(Claim, usize)> {
    if newer.cues.any(Cues::DOUBT) || newer.question {
        return None;
    }
    let known = |stems: &[u64]| -> Vec<&Vec<usize>> {
        let mut known: Vec<_> = stems.iter().filter_map(|stem| about.get(stem)).collect();
        known.sort_by_key(|anchors| anchors.len());
        known
    };
    // What a thing is called may be common where the reason given beside it is not.
    let named = newer.names.iter().take(COMPARED).filter_map(|name| known(name).into_iter().next());
    let candidates = known(&newer.subject).into_iter().take(3).chain(named);
    let candidates = candidates.flat_map(|known| known.iter().rev().take(COMPARED));
    candidates
        .filter_map(|at| {
            let older = found.get(*at)?;
            let claim = if replaces(newer, older, commons) {
                Claim::Replaces
            } else if follows(newer, older) {
                Claim::Follows
            } else {
                return None;
            };
            Some((claim, shared(newer, older).count(), *at))
        })
        .max()
        .map(|(claim, _, at)| (claim, at))
}

/// What both are about.
fn shared<'f>(newer: &'f Found<'_>, older: &'f Found<'_>) -> impl Iterator<Item = &'f u64> + Clone {
    newer.subject.iter().filter(|stem| older.subject.binary_search(stem).is_ok())
}

fn replaces(newer: &Found<'_>, older: &Found<'_>, commons: &Commons) -> bool {
    let material = (newer.voice == Voice::Material, older.voice == Voice::Material);
    let heard = matches!(material, (false, _) | (true, true));
    if !heard || older.replaced_by.is_some() || older.message == newer.message {
        return false;
    }
    let same = older.values == newer.values && !older.values.is_empty();
    if same || !comparable(newer, older) {
        return false;
    }
    let shared = shared(newer, older);
    let count = shared.clone().count();
    let named = older.values.iter().any(|(_, value)| value.len() > 1 && newer.text.contains(value));
    let contrasts = newer.cues.any(Cues::CONTRAST.with(Cues::CHANGE));
    if named && count >= 1 && (contrasts || sets_against(newer, older)) {
        return true;
    }
    let same = newer.names.iter().any(|name| names(name, older));
    // What is wished for has a name of its own beside that of what the wish is about.
    if !same && !newer.names.is_empty() && newer.kind != AnchorKind::Constraint {
        return false;
    }
    if newer.cues.any(Cues::CHANGE) {
        let fewer = newer.subject.len().min(older.subject.len());
        if same && newer.kind != AnchorKind::Constraint {
            return count >= 2 && count as f32 >= SAME_NAMED * fewer as f32;
        }
        let weigh = |stems: &[u64]| stems.iter().map(|stem| commons.rarity(*stem)).sum::<f32>();
        let common: f32 = shared.map(|stem| commons.rarity(*stem)).sum();
        let less = weigh(&newer.subject).min(weigh(&older.subject));
        // Decisions bring their reasons, which need not be shared.
        let same = if lasts(newer.kind) && lasts(older.kind) { SAME / 2.0 } else { SAME };
        return count >= 2.min(older.subject.len()) && common >= same * less;
    }
    let longer = newer.subject.len().max(older.subject.len());
    !lasts(newer.kind) && count >= 2 && count == longer
}

/// Whether a clause names the value of another beside one of its own of the same kind, in whatever
/// words: 7000 → 7443.
fn sets_against(newer: &Found<'_>, older: &Found<'_>) -> bool {
    let held = |value: &str| older.values.iter().any(|(_, held)| *held == value);
    let telling = newer.values.iter().filter(|(_, value)| value.len() > SHORT);
    let (old, own): (Vec<_>, Vec<_>) = telling.partition(|(_, value)| held(value));
    old.iter().any(|(kind, _)| own.iter().any(|(other, _)| kind == other))
}

/// Whether both give a value of the same kind for a thing that both name.
fn follows(newer: &Found<'_>, older: &Found<'_>) -> bool {
    let heard = newer.voice != Voice::Material || older.voice == Voice::Material;
    let open = older.replaced_by.is_none() && older.message != newer.message;
    heard && open && newer.kind == older.kind && newer.names.iter().any(|name| names(name, older))
}

/// Whether an anchor is about a thing: all of a name is in its subject.
fn names(name: &Name, anchor: &Found<'_>) -> bool {
    name.iter().all(|stem| anchor.subject.binary_search(stem).is_ok())
}

/// Whether one may take the other's place: both say the same sort of thing.
fn comparable(newer: &Found<'_>, older: &Found<'_>) -> bool {
    let quotes = |kind: AnchorKind| matches!(kind, AnchorKind::Quote | AnchorKind::Error);
    let alike = |a: AnchorKind, b: AnchorKind| a == b || quotes(a) && quotes(b);
    alike(newer.kind, older.kind)
        || lasts(newer.kind) && lasts(older.kind)
        || lasts(newer.kind) && newer.values.iter().any(|(kind, _)| alike(*kind, older.kind))
}

fn lasts(kind: AnchorKind) -> bool {
    matches!(kind, AnchorKind::Constraint | AnchorKind::Decision)
}
