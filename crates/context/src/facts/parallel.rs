//! Clauses side by side in one frame, each with other words in it: the entries of a list that is told in
//! a sentence ("Leila brings the gazebo, Lena the tables"), whatever language it is in and whether or not
//! any of its words is known to be a value.

use super::clause::{Clause, head_end};
use super::words::cue_words::{Cues, is_han_stop};
use super::words::tokenize::Word;
use super::words::word_key::is_han;

/// Units of a clause that are compared; a longer clause is no entry.
const UNITS: usize = 24;
/// One unit in so many is common to two entries, where a telling one stands inside both.
const FEW: usize = 6;
/// The same without that.
const MANY: usize = 2;
/// Bytes of a word that may be an article or a preposition in any language.
const SHORT: usize = 3;

/// Bytes of an item of a list that gives one thing to another.
const PAIR: usize = 80;
/// The marks between those two.
const PAIR_MARKS: [&str; 7] = [": ", "：", "|", "→", "->", " - ", " – "];

/// The marks that end a sentence.
const STOPS: [char; 6] = ['.', '!', '?', '。', '！', '？'];

/// A word, or a Han character.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Unit {
    key: u64,
    /// True if it may be the statement of the frame, and no word that only joins.
    telling: bool,
}

/// Marks each clause that shares its frame with a neighbour.
pub(super) fn mark_entries(line: &str, clauses: &mut [Clause<'_>]) {
    let units: Vec<Vec<Unit>> = clauses.iter().map(|clause| units(line, clause)).collect();
    let pairs = units.windows(2).map(|two| matches!(two, [a, b] if share_frame(a, b)));
    let pairs: Vec<bool> = pairs.collect();
    for (at, clause) in clauses.iter_mut().enumerate() {
        let before = at.checked_sub(1).and_then(|before| pairs.get(before));
        clause.entry = pairs.get(at).into_iter().chain(before).any(|alike| *alike);
    }
}

/// Marks the only clause of a list's item that gives one thing to another: a row of a table, a name and its
/// value.
pub(super) fn mark_pair(item: &str, clauses: &mut [Clause<'_>]) {
    if let [clause] = clauses {
        clause.entry |= is_pair(item);
    }
}

/// True if a line gives one thing to another and is no sentence. In Chinese a space alone may stand between
/// them.
pub(super) fn is_pair(line: &str) -> bool {
    let is_marked = PAIR_MARKS.iter().any(|mark| line.contains(mark));
    let parts: Vec<&str> = line.split_whitespace().collect();
    let is_han_pair = || parts.len() == 2 && parts.iter().all(|part| part.chars().all(is_han));
    line.len() <= PAIR && !line.ends_with(STOPS) && (is_marked || is_han_pair())
}

/// The units of a clause. The head of a list is no part of the frame of its first entry.
fn units(line: &str, clause: &Clause<'_>) -> Vec<Unit> {
    let head = head_end(line, clause).unwrap_or_default();
    let passed = |word: &&Word<'_>| word.start < head || word.cues.any(Cues::OPENER);
    let words = clause.words.iter().skip_while(passed).take(UNITS + 1);
    words.flat_map(|word| units_of(word)).take(UNITS + 1).collect()
}

fn units_of(word: &Word<'_>) -> Vec<Unit> {
    if word.han {
        let characters = word.text.chars().take(UNITS + 1);
        return characters.map(|c| Unit { key: u64::from(c), telling: !is_han_stop(c) }).collect();
    }
    let telling = word.text.len() > SHORT && !word.cues.any(Cues::STOP);
    vec![Unit { key: word.key, telling }]
}

/// True if two clauses have words in common in the same order, and each its own beside them.
fn share_frame(one: &[Unit], other: &[Unit]) -> bool {
    let shorter = one.len().min(other.len());
    if shorter < 3 || one.len().max(other.len()) > UNITS {
        return false;
    }
    let common = common(one, other);
    let own = shorter - common.len();
    let inside = |at: usize, all: usize| at > 0 && at + 1 < all;
    let framed = common.iter().any(|(a, b)| {
        let telling = one.get(*a).is_some_and(|unit| unit.telling);
        telling && inside(*a, one.len()) && inside(*b, other.len()) && a.abs_diff(*b) <= 3
    });
    own >= 2 && (framed && common.len() * FEW >= shorter || common.len() * MANY >= shorter)
}

/// The longest common subsequence, as places in both.
fn common(one: &[Unit], other: &[Unit]) -> Vec<(usize, usize)> {
    let width = other.len() + 1;
    let mut lengths = vec![0u8; (one.len() + 1) * width];
    let at = |lengths: &[u8], a: usize, b: usize| lengths.get(a * width + b).copied().unwrap_or(0);
    for (a, unit) in one.iter().enumerate().rev() {
        for (b, with) in other.iter().enumerate().rev() {
            let length = match unit.key == with.key {
                true => at(&lengths, a + 1, b + 1) + 1,
                false => at(&lengths, a + 1, b).max(at(&lengths, a, b + 1)),
            };
            if let Some(place) = lengths.get_mut(a * width + b) {
                *place = length;
            }
        }
    }
    let (mut a, mut b, mut found) = (0, 0, Vec::new());
    while let (Some(unit), Some(with)) = (one.get(a), other.get(b)) {
        if unit.key == with.key {
            found.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if at(&lengths, a + 1, b) >= at(&lengths, a, b + 1) {
            a += 1;
        } else {
            b += 1;
        }
    }
    found
}
