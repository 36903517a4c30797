//! Names where words have no spaces between them: a piece that a question and a sentence share is
//! the same name only where it is not the end of two different ones.
//!
//! In Chinese what tells things apart stands first: of two kinds of gate, "gate" is shared. That a
//! piece is such an end is seen in the context, where it stands behind several words and never first.

use std::collections::{HashMap, HashSet};

use super::lexicon::JOINING;
use super::words::{is_chinese, twos};

/// Characters that are surely a name.
const NAME: usize = 4;
/// So many tenths of a shorter piece of a question must be in a sentence.
const NAMED: usize = 7;

/// The Chinese of a question, read beside a context.
pub(super) struct Pieces {
    runs: Vec<Vec<char>>,
    /// Pairs of characters that stand behind several words and never first.
    ends: HashSet<String>,
}

/// What a sentence shares with a question.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Pairs of characters.
    pub(super) twos: HashSet<String>,
    /// The characters of the longest piece.
    pub(super) longest: usize,
}

/// What stands before a pair of characters.
#[derive(Default)]
struct Before {
    first: bool,
    letters: HashSet<char>,
}

impl Pieces {
    pub(super) fn of<'s>(runs: &[String], sentences: impl Iterator<Item = &'s str>) -> Self {
        let mut before: HashMap<String, Before> =
            runs.iter().flat_map(|run| twos(run)).map(|two| (two, Before::default())).collect();
        if !before.is_empty() {
            for sentence in sentences {
                note(sentence, &mut before);
            }
        }
        let ends = before.into_iter().filter(|(_, seen)| !seen.first && seen.letters.len() > 1);
        Self {
            runs: runs.iter().map(|run| run.chars().collect()).collect(),
            ends: ends.map(|(two, _)| two).collect(),
        }
    }

    /// What a sentence has of the question in the same words.
    pub(super) fn shared(&self, sentence: &str) -> Shared {
        let letters: Vec<char> = sentence.chars().collect();
        let mut shared = Shared::default();
        for run in &self.runs {
            for (at, from, long) in common(run, &letters) {
                let Some(piece) = run.get(at..at + long) else { continue };
                let (mine, its) = (letter(run, at), letter(&letters, from));
                let apart = mine.is_some() && its.is_some();
                let piece: String = piece.iter().collect();
                if apart && twos(&piece).first().is_some_and(|two| self.ends.contains(two)) {
                    continue;
                }
                shared.longest = shared.longest.max(long);
                shared.twos.extend(twos(&piece));
            }
        }
        shared
    }

    /// Whether so long a piece is the name that is asked about. Of a question without Chinese, any.
    pub(super) fn names(&self, longest: usize) -> bool {
        let most = self.runs.iter().map(Vec::len).max().unwrap_or(0);
        most < 3 || longest >= NAME.min((most * NAMED).div_ceil(10))
    }
}

/// The character of a word before a place, if a word goes on there.
fn letter(letters: &[char], at: usize) -> Option<char> {
    let before = letters.get(at.checked_sub(1)?)?;
    Some(*before).filter(|letter| is_chinese(*letter) && !JOINING.contains(*letter))
}

fn note(sentence: &str, before: &mut HashMap<String, Before>) {
    let letters: Vec<char> = sentence.chars().collect();
    for (at, two) in letters.windows(2).enumerate() {
        if !two.iter().all(|letter| is_chinese(*letter)) {
            continue;
        }
        if let Some(seen) = before.get_mut(&two.iter().collect::<String>()) {
            match letter(&letters, at) {
                Some(letter) => {
                    seen.letters.insert(letter);
                }
                None => seen.first = true,
            }
        }
    }
}

/// Where two texts have the same characters, two and more, and no more on either side: the place in
/// each, and how many.
fn common(one: &[char], other: &[char]) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    let mut before = vec![0_usize; other.len() + 1];
    for (at, letter) in one.iter().enumerate() {
        let mut row = vec![0_usize; other.len() + 1];
        for (from, its) in other.iter().enumerate() {
            let long = before.get(from).copied().unwrap_or(0) + 1;
            if letter != its {
                continue;
            }
            if let Some(slot) = row.get_mut(from + 1) {
                *slot = long;
            }
            let ends = one.get(at + 1).is_none_or(|next| other.get(from + 1) != Some(next));
            if ends && long > 1 {
                found.push((at + 1 - long, from + 1 - long, long));
            }
        }
        before = row;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn longest(question: &str, sentence: &str, context: &[&str]) -> usize {
        let runs = [question.to_owned()];
        Pieces::of(&runs, context.iter().copied()).shared(sentence).longest
    }

    #[test]
    fn a_piece_that_is_the_end_of_another_name_is_not_shared() {
        let context = ["东门岗亭今天关闭。", "西门岗亭今天开放。", "北门由老周看守。"];
        assert_eq!(longest("南门岗亭今天", context[0], &context), 0);
        assert_eq!(longest("东门岗亭明天", context[0], &context), 4);
        assert_eq!(longest("重开东门岗亭", "检查东门岗亭。", &context), 4);
    }
}
