//! Names where words have no spaces between them: a piece that a question and a sentence share is
//! the same name only where it is not the end of two different ones.
//!
//! In Chinese what tells things apart stands first: of two kinds of gate, "gate" is shared. That a
//! piece is such an end is seen in the context, where it stands behind several words and seldom first.

use std::collections::{HashMap, HashSet};

use super::lexicon::{CHINESE_ATTRIBUTES, JOINING};
use super::question::Chunk;
use super::words::{is_chinese, twos};

/// Characters that are surely a name.
const NAME: usize = 4;
/// So many tenths of a shorter piece of a question must be in a sentence.
const NAMED: usize = 7;

/// One in so many is seldom.
const SELDOM: usize = 4;

/// What speaks for a sentence that opens with a short name.
const OPENED: f64 = 0.45;
/// Characters that may open a sentence before what it is about.
const OPENING: usize = 4;
/// How much more a run tells of what is asked about that is said first, or that what is said first
/// describes.
const LEANING: f64 = 1.5;

/// The Chinese of a question, read beside a context.
pub(super) struct Pieces {
    runs: Vec<Vec<char>>,
    /// Which run is the name: the one that tells most.
    name: usize,
    /// Pairs of characters that stand anywhere.
    standing: HashSet<String>,
    /// Pairs of characters that stand behind several words and seldom first.
    ends: HashSet<String>,
}

/// What a sentence shares with a question.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Pairs of characters.
    pub(super) twos: HashSet<String>,
    /// The characters of the longest piece of the name.
    pub(super) longest: usize,
    /// Whether the sentence opens with it: what it is about is said first.
    pub(super) first: bool,
}

/// What stands before a pair of characters.
#[derive(Default)]
struct Before {
    /// Times that nothing does: a word begins.
    first: usize,
    letters: HashSet<char>,
    /// How many sentences have it.
    having: usize,
}

impl Pieces {
    pub(super) fn of<'s>(chunks: &[Chunk], sentences: impl Iterator<Item = &'s str>) -> Self {
        let pairs = chunks.iter().flat_map(|chunk| twos(&chunk.text));
        let mut before: HashMap<String, Before> =
            pairs.map(|two| (two, Before::default())).collect();
        let mut all = 0;
        if !before.is_empty() {
            for sentence in sentences {
                note(sentence, &mut before);
                all += 1;
            }
        }
        let stands = |two: &String| before.get(two).is_some_and(|seen| seen.having > 0);
        let runs: Vec<String> =
            chunks.iter().map(|chunk| named(&chunk.text, stands).to_owned()).collect();
        let tells = |two: &String| {
            let having = before.get(two).map_or(0, |seen| seen.having);
            ((all as f64 + 1.0) / (having as f64 + 0.5)).ln()
        };
        let headed = chunks.iter().any(|chunk| chunk.head);
        let weights = runs.iter().zip(chunks).enumerate().map(|(at, (run, chunk))| {
            let weight: f64 = twos(run).iter().map(tells).sum();
            let leans = if headed { chunk.head } else { at == 0 };
            (at, if leans { weight * LEANING } else { weight })
        });
        let name = weights.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(at, _)| at);
        let standing = before.keys().filter(|two| stands(two)).cloned().collect();
        let ends = before
            .into_iter()
            .filter(|(_, seen)| seen.letters.len() > 1 && seen.first * SELDOM <= seen.having);
        Self {
            runs: runs.iter().map(|run| run.chars().collect()).collect(),
            name,
            standing,
            ends: ends.map(|(two, _)| two).collect(),
        }
    }

    /// What a sentence has of the question in the same words.
    pub(super) fn shared(&self, sentence: &str) -> Shared {
        let letters: Vec<char> = sentence.chars().collect();
        let mut shared = Shared::default();
        for (nth, run) in self.runs.iter().enumerate() {
            for (at, from, long) in common(run, &letters) {
                let Some(piece) = run.get(at..at + long) else { continue };
                let (mine, its) = (letter(run, at), letter(&letters, from));
                let apart = mine.is_some() && its.is_some();
                let piece: String = piece.iter().collect();
                let ends = twos(&piece).first().is_some_and(|two| self.ends.contains(two));
                if apart && (ends || self.goes_back(run, at)) {
                    continue;
                }
                if nth == self.name && self.is_whole(run, at + long) {
                    // A letter that joins words begins no name that stands behind others.
                    let joins = piece.chars().take_while(|letter| JOINING.contains(*letter));
                    let telling = long - if at > 0 { joins.count() } else { 0 };
                    shared.longest = shared.longest.max(telling);
                    shared.first |= from <= OPENING;
                }
                shared.twos.extend(twos(&piece));
            }
        }
        shared
    }

    /// Whether a piece of a run that begins there is the end of a longer name: what stands before it
    /// there stands before it elsewhere, too.
    fn goes_back(&self, run: &[char], at: usize) -> bool {
        let seam = at.checked_sub(1).and_then(|from| run.get(from..=at));
        seam.is_some_and(|seam| self.standing.contains(&seam.iter().collect::<String>()))
    }

    /// Whether a piece of a run that ends there may be all of a name: its last characters end names,
    /// or the next do not.
    fn is_whole(&self, run: &[char], end: usize) -> bool {
        let ends = |two: Option<&[char]>| {
            two.is_some_and(|two| self.ends.contains(&two.iter().collect::<String>()))
        };
        let joins = |two: &&[char]| two.iter().any(|one| JOINING.contains(*one));
        let next = run.get(end..end + 2).filter(|two| !joins(two));
        !ends(next) || ends(end.checked_sub(2).and_then(|at| run.get(at..end)))
    }

    /// What speaks for a sentence that opens with the name: most where that is a word that stands in
    /// many sentences, and is what one is about only there.
    pub(super) fn opens(&self, shared: &Shared) -> f64 {
        let short = self.runs.get(self.name).is_some_and(|name| name.len() < NAME);
        match (shared.first, short) {
            (true, true) => OPENED,
            (true, false) => OPENED / 3.0,
            (false, _) => 0.0,
        }
    }

    /// Whether what is shared is the name that is asked about. Of a question without Chinese,
    /// anything is.
    pub(super) fn names(&self, shared: &Shared) -> bool {
        let name = self.runs.get(self.name);
        name.is_none_or(|name| shared.longest >= NAME.min((name.len() * NAMED).div_ceil(10)))
    }
}

/// A run without the kind of thing at its end, where the context does not have it as one word.
fn named(run: &str, stands: impl Fn(&String) -> bool) -> &str {
    let bare = CHINESE_ATTRIBUTES.iter().find_map(|kind| run.strip_suffix(kind));
    let bare = bare.filter(|bare| bare.chars().nth(1).is_some());
    bare.filter(|bare| {
        let seam = twos(run).get(bare.chars().count() - 1).cloned();
        seam.is_some_and(|seam| !stands(&seam))
    })
    .unwrap_or(run)
}

/// The character of a word before a place, if a word goes on there.
fn letter(letters: &[char], at: usize) -> Option<char> {
    let before = letters.get(at.checked_sub(1)?)?;
    Some(*before).filter(|letter| is_chinese(*letter) && !JOINING.contains(*letter))
}

fn note(sentence: &str, before: &mut HashMap<String, Before>) {
    let letters: Vec<char> = sentence.chars().collect();
    let mut having = HashSet::new();
    for (at, two) in letters.windows(2).enumerate() {
        if !two.iter().all(|letter| is_chinese(*letter)) {
            continue;
        }
        let two: String = two.iter().collect();
        let Some(seen) = before.get_mut(&two) else { continue };
        match letter(&letters, at) {
            Some(letter) => {
                seen.letters.insert(letter);
            }
            None => seen.first += 1,
        }
        seen.having += usize::from(having.insert(two));
    }
}

/// The Chinese that two sentences have in common, in pieces long enough to be somebody's name.
pub(super) fn shared_pieces(one: &str, other: &str) -> Vec<String> {
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    let pieces =
        common(&one, &other).into_iter().filter_map(|(at, _, long)| one.get(at..at + long));
    let named = pieces.filter(|piece| piece.len() > 2 && piece.iter().all(|one| is_chinese(*one)));
    named.map(|piece| piece.iter().collect()).collect()
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
        let chunks = [Chunk { text: question.to_owned(), head: false }];
        Pieces::of(&chunks, context.iter().copied()).shared(sentence).longest
    }

    #[test]
    fn a_piece_that_is_the_end_of_another_name_is_not_shared() {
        let context = ["东门岗亭今天关闭。", "西门岗亭今天开放。", "北门由老周看守。"];
        assert_eq!(longest("南门岗亭今天", context[0], &context), 0);
        assert_eq!(longest("东门岗亭明天", context[0], &context), 4);
        assert_eq!(longest("重开东门岗亭", "检查东门岗亭。", &context), 4);
    }
}
