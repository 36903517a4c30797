//! Finds the value of a thing that holds: the later of two, where something says that it changed.
//!
//! Evidence is the same identity and a sign of change, or the same key of the same file read again. Where
//! there is none both values stand, and the numbers of their messages tell which came later. What a sentence
//! tells of the past takes no place. Superseding labels and orders; it drops nothing.

use std::collections::HashMap;

use super::candidate::Candidate;
use super::fact::Author;
use super::words::cue_words::{Cues, cues_of, han_cue_positions};
use super::words::word_key::{HashKeyMap, fold_case};
use super::words::word_shape::is_path;

/// How far back the values of one thing are compared.
const COMPARED: usize = 8;

/// Marks the older of two values as replaced, and what the newer replaced or may have. `candidates` is in the
/// order it was said.
pub(super) fn resolve_superseded(candidates: &mut [Candidate<'_>], documents: &DocumentReadings) {
    let mut by_identity: HashMap<Vec<u64>, Vec<usize>> = HashMap::new();
    for index in 0..candidates.len() {
        let Some(newer) = candidates.get(index) else { continue };
        if newer.identity.is_empty() || newer.given_value.is_none() || newer.tells_of_past() {
            continue;
        }
        if let Some((older, replaces)) = older(index, candidates, &by_identity, documents) {
            link(candidates, older, index, replaces);
        }
        let Some(newer) = candidates.get(index) else { continue };
        by_identity.entry(newer.identity.clone()).or_default().push(index);
    }
}

/// The latest earlier value of the same thing, and whether it is known to hold no more.
fn older(
    index: usize,
    candidates: &[Candidate<'_>],
    by_identity: &HashMap<Vec<u64>, Vec<usize>>,
    documents: &DocumentReadings,
) -> Option<(usize, bool)> {
    let newer = candidates.get(index)?;
    const KEEPS: Cues = Cues::DOUBT.with(Cues::ADDITION).with(Cues::POSSIBLE).with(Cues::CONDITION);
    if newer.question || newer.cues.any(KEEPS) {
        return None;
    }
    if let Some(at) = named(newer, candidates, by_identity) {
        return Some((at, true));
    }
    let same = by_identity.get(&newer.identity)?.iter().rev().take(COMPARED);
    let at = *same
        .into_iter()
        .find(|at| candidates.get(**at).is_some_and(|it| may_follow(newer, it)))?;
    let older = candidates.get(at)?;
    let changed = newer.cues.any(Cues::CHANGE) && newer.author != Author::Material;
    Some((at, changed || documents.has_again(older, newer)))
}

/// Words that set a value against another: "9001, not 7443".
const NEGATIONS: [&str; 5] = ["not", "nicht", "no", "longer", "mehr"];

/// The latest whose value is named beside another of its kind, where all else is the same and something says
/// that it changed: "moved from 14:35 to 15:10", "15:10, not 14:35".
fn named(
    newer: &Candidate<'_>,
    candidates: &[Candidate<'_>],
    by_identity: &HashMap<Vec<u64>, Vec<usize>>,
) -> Option<usize> {
    let (kind, _) = newer.given_value?;
    let own: Vec<&str> =
        newer.values.iter().filter(|(of, _)| *of == kind).map(|(_, value)| *value).collect();
    let [one, other] = own.as_slice() else { return None };
    if !says_that_it_changed(newer.text) || are_listed(newer.text, one, other) {
        return None;
    }
    let excluded = [fold_case(one), fold_case(other)].into_iter().chain(NEGATIONS.map(fold_case));
    let excluded: Vec<u64> = excluded.collect();
    let base: Vec<u64> =
        newer.identity.iter().copied().filter(|key| !excluded.contains(key)).collect();
    let same = by_identity.get(&base)?.iter().rev().take(COMPARED);
    let names = |at: &&usize| {
        candidates.get(**at).is_some_and(|older| {
            let named =
                older.given_value.is_some_and(|(_, value)| value == *one || value == *other);
            named && may_take_place(newer, older)
        })
    };
    same.into_iter().find(names).copied()
}

/// True if a clause denies a value, or tells of a change by more than "now".
/// "Now from 09:10 to 15:20" is a span and no change.
fn says_that_it_changed(text: &str) -> bool {
    const NOW: [&str; 8] =
        ["now", "jetzt", "nun", "inzwischen", "künftig", "现在", "如今", "actually"];
    const SIGNS: Cues = Cues::CHANGE.with(Cues::NEGATION);
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let mut han = han_cue_positions(text).filter(|(_, _, cue)| cue.any(SIGNS));
    let is_now = |word: &str| NOW.contains(&word.to_lowercase().as_str());
    words.any(|word| cues_of(fold_case(word)).any(SIGNS) && !is_now(word))
        || han.any(|(at, length, _)| !text.get(at..at + length).is_some_and(|it| NOW.contains(&it)))
}

/// True if both values stand beside each other, as parts of a list: both hold. "At 09:10 and at 15:20" is
/// one; "left at 09:10 and now leaves at 15:20" is none.
fn are_listed(text: &str, one: &str, other: &str) -> bool {
    let between = text.split_once(one).and_then(|(_, rest)| rest.split_once(other));
    between.is_some_and(|(between, _)| {
        let joined = [",", "和", "与", "或", "、"].contains(&between.trim());
        let mut words = between.split_whitespace();
        let joins = words.any(|word| ["and", "und", "or", "oder", "&"].contains(&word));
        joined || joins && !says_that_it_changed(between)
    })
}

/// True if one may take the other's place: a tool never replaces a person, only a demand replaces a demand,
/// and a value takes the place of one of its kind.
fn may_follow(newer: &Candidate<'_>, older: &Candidate<'_>) -> bool {
    may_take_place(newer, older) && newer.given_value != older.given_value
}

fn may_take_place(newer: &Candidate<'_>, older: &Candidate<'_>) -> bool {
    let read = |it: &Candidate<'_>| it.author == Author::Material;
    let kind = |it: &Candidate<'_>| it.given_value.map(|(kind, _)| kind);
    older.message != newer.message
        && older.replaced_by.is_none()
        && (!read(newer) || read(older))
        && (!older.is_demand() || newer.is_demand())
        && kind(newer) == kind(older)
}

fn link(candidates: &mut [Candidate<'_>], older: usize, newer: usize, replaces: bool) {
    let Some(message) = candidates.get(newer).map(|it| it.message) else { return };
    let Some(replaced) = candidates.get_mut(older) else { return };
    if replaces {
        replaced.replaced_by = Some(message);
    }
    let (weight, was) = (replaced.weight, replaced.given_value.map(|(_, value)| value));
    if let Some(newer) = candidates.get_mut(newer) {
        newer.was = was.filter(|was| replaces && !newer.text.contains(was));
        // The older alone would mislead.
        newer.weight = newer.weight.max(weight);
        newer.earlier = Some(older);
    }
}

/// The lines of files each time they were read.
pub(super) struct DocumentReadings {
    /// How often a reading of a file (its message and name) has lines of an identity.
    keys: HashKeyMap<u32>,
    /// The lines of each reading, as hashes.
    lines_of_document: HashKeyMap<Vec<u64>>,
}

impl DocumentReadings {
    /// Of all that was found, what is said again included.
    pub fn of(candidates: &[Candidate<'_>]) -> Self {
        let mut documents =
            Self { keys: HashKeyMap::default(), lines_of_document: HashKeyMap::default() };
        for candidate in candidates.iter().filter(|it| names_file(it)) {
            *documents.keys.entry(key(candidate)).or_default() += 1;
            documents
                .lines_of_document
                .entry(reading(candidate))
                .or_default()
                .push(fold_case(candidate.text));
        }
        documents
    }

    /// True if a value is that of the same key of the same file, read again: its name is the same, the key
    /// stands there once each time, and most of the rest is as it was.
    fn has_again(&self, older: &Candidate<'_>, newer: &Candidate<'_>) -> bool {
        let once = |it: &Candidate<'_>| self.keys.get(&key(it)) == Some(&1);
        let lines = |it: &Candidate<'_>| self.lines_of_document.get(&reading(it));
        if !names_file(newer) || newer.document != older.document || !once(older) || !once(newer) {
            return false;
        }
        lines(older).zip(lines(newer)).is_some_and(|(before, after)| {
            let same = after.iter().filter(|line| before.contains(line)).count();
            same * 2 >= after.len() && same > 0
        })
    }
}

/// True if a candidate was read from a file that is known by a path.
fn names_file(candidate: &Candidate<'_>) -> bool {
    let parts = |name: &str| name.split(['"', ' ', '\'']).any(is_path);
    candidate.document.is_some_and(parts)
}

fn reading(candidate: &Candidate<'_>) -> u64 {
    fold_case(candidate.document.unwrap_or_default()) ^ candidate.message.0.unsigned_abs()
}

fn key(candidate: &Candidate<'_>) -> u64 {
    candidate.identity.iter().fold(reading(candidate), |hash, key| hash.rotate_left(5) ^ key)
}
