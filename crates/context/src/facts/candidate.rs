//! A fact in the making, and the list of all that were found. Not here: which words make one.

use std::collections::HashMap;

use skein_domain::ids::MessageId;

use super::clause::{given_value, identity, is_replaceable};
use super::fact::{Author, Fact, FactKind, FactSource};
use super::values::{FactValue, topic_stems};
use super::words::cue_words::Cues;
use super::words::tokenize::{Word, words};
use super::words::word_key::{HashKeyMap, fold_case};

/// Bytes of a line of facts: what is longer goes on in another.
pub(super) const LINE: usize = 320;
/// Bytes of a fact. What is longer is not carried: half of a sentence may say the opposite.
pub(super) const LONGEST: usize = 900;
/// Bytes of a heading that is told again with what stands under it.
pub(super) const HEADING: usize = 120;
/// Values of a fact that are looked at.
const VALUES: usize = 64;
/// Bytes of a model's reply that states something without any value: a longer one explains.
pub(super) const REPLY: usize = 320;

/// A fact in the making: slices of its message.
#[derive(Debug, Clone)]
pub(super) struct Candidate<'a> {
    pub message: MessageId,
    pub author: Author,
    pub kind: FactKind,
    pub text: &'a str,
    pub values: Vec<(FactKind, &'a str)>,
    pub under: Option<&'a str>,
    /// The line it stands in, with its neighbours; and what stands between it and the one before.
    pub line: usize,
    pub joint: &'a str,
    /// Stems of what it is about, for how rare that is.
    pub topic: Vec<u64>,
    /// The identity of the fact ([`identity`]); empty if it cannot be known.
    pub identity: Vec<u64>,
    /// The value that it gives of that.
    pub given_value: Option<(FactKind, &'a str)>,
    /// The file that it was read from, as it is named in the call or the attachment.
    pub document: Option<&'a str>,
    /// True if its words say that it is meant to last.
    pub is_explicit: bool,
    pub cues: Cues,
    /// True if it asks, or asks for something.
    pub question: bool,
    /// True if no other line of its output is made as it is.
    pub singular: bool,
    /// True if it only leads to the value of its sentence, or follows from it.
    pub lead: bool,
    /// True if its message asks for something: the statement serves the answer.
    pub serves_answer: bool,
    /// True if it is one of several clauses in one frame.
    pub entry: bool,
    /// True if it is a line of code that somebody shows.
    pub code: bool,
    /// True if it is one of several facts of an output.
    pub row: bool,
    /// True if its line has a time of day in seconds.
    pub timed: bool,
    /// True if it gives way to all that the user said ([`super::filler`]).
    pub filler: bool,
    /// How many of its sort (errors, or others) are in the same passage, itself included.
    pub crowd: u32,
    /// Bytes of its passage.
    pub passage: usize,
    pub was: Option<&'a str>,
    pub replaced_by: Option<MessageId>,
    /// The place of the candidate that gave an earlier value of the same thing.
    pub earlier: Option<usize>,
    /// True if a later one may have taken its place, though nothing says so.
    pub outdated: bool,
    pub weight: u32,
}

/// The parts of a candidate.
pub(super) struct CandidateSpan<'p, 'a> {
    /// The line of the passage, and the part of it that is the fact.
    pub line: &'a str,
    pub range: (usize, usize),
    pub words: &'p [&'p Word<'a>],
    pub values: &'p [FactValue],
    /// The head of its sentence, which also says what the fact is of.
    pub head: &'p [&'p Word<'a>],
    pub under: Option<&'a str>,
    pub kind: FactKind,
    pub cues: Cues,
}

impl<'a> Candidate<'a> {
    /// A piece of a passage, not yet weighed against others. `None` where it would have no text.
    pub fn new(source: &FactSource<'a>, piece: &CandidateSpan<'_, 'a>) -> Option<Self> {
        let (start, end) = piece.range;
        let text = piece.line.get(start..end)?.trim();
        if text.is_empty() || text.len() > LONGEST {
            return None;
        }
        let slice = |value: &FactValue| Some((value.kind, piece.line.get(value.start..value.end)?));
        let given = given_value(piece.words, piece.values);
        let mut identity = identity(piece.words, piece.values, given);
        identity.extend(self::identity(piece.head, &[], None));
        if let Some(under) = piece.under {
            let words = words(under, 0, under.len());
            identity.extend(self::identity(&words.iter().collect::<Vec<_>>(), &[], None));
        }
        identity.sort_unstable();
        identity.dedup();
        // The first entry of a list is no more about its head than the others are.
        let head_end = piece.head.last().map_or(0, |word| word.end());
        let owned = piece.words.iter().map(|word| **word).filter(|word| word.start >= head_end);
        let owned: Vec<Word<'a>> = owned.collect();
        // A name is a value, and says what another is of.
        let exact: Vec<FactValue> =
            piece.values.iter().filter(|value| is_replaceable(value.kind)).copied().collect();
        Some(Self {
            message: source.message,
            author: source.author,
            kind: piece.kind,
            text,
            values: piece.values.iter().filter_map(slice).take(VALUES).collect(),
            under: piece.under.filter(|under| under.len() <= HEADING),
            line: 0,
            joint: "",
            topic: topic_stems(&owned, &exact),
            identity,
            given_value: given.as_ref().and_then(slice),
            document: source.document,
            is_explicit: false,
            cues: piece.cues,
            question: false,
            singular: false,
            lead: false,
            serves_answer: false,
            entry: false,
            code: false,
            row: false,
            timed: false,
            filler: false,
            crowd: 1,
            passage: source.text.len(),
            was: None,
            replaced_by: None,
            earlier: None,
            outdated: false,
            weight: 0,
        })
    }

    /// True if the user demanded or decided it.
    pub fn is_demand(&self) -> bool {
        matches!(self.kind, FactKind::Constraint | FactKind::Decision)
    }

    /// True if its sentence tells what held before: no value takes the place of another by it.
    pub fn tells_of_past(&self) -> bool {
        self.cues.any(Cues::PAST)
    }

    /// True if it gives a value that another can take the place of.
    pub fn has_exact_value(&self) -> bool {
        self.values.iter().any(|(kind, _)| is_replaceable(*kind))
    }

    /// True if a newer one gives another exact value of the same kind.
    pub fn differs_from(&self, newer: &Self) -> bool {
        self.values.iter().filter(|(kind, _)| is_replaceable(*kind)).any(|(kind, value)| {
            let mut of_kind = newer.values.iter().filter(|(own, _)| own == kind).peekable();
            of_kind.peek().is_some() && of_kind.all(|(_, own)| own != value)
        })
    }

    /// Owns what it points at. `place`: where it is in the order that all were said in.
    pub fn into_fact(self, place: usize) -> Fact {
        Fact {
            kind: self.kind,
            text: self.text.to_owned(),
            values: self.values.iter().map(|(_, value)| (*value).to_owned()).collect(),
            under: self.under.map(str::to_owned),
            line: u32::try_from(self.line).unwrap_or(u32::MAX),
            place: u32::try_from(place).unwrap_or(u32::MAX),
            joint: self.joint.to_owned(),
            was: self.was.map(str::to_owned),
            replaced_by: self.replaced_by,
            message: self.message,
            author: self.author,
            weight: self.weight,
            filler: self.filler,
        }
    }
}

/// The candidates so far, and the number of their lines.
#[derive(Default)]
pub(super) struct CandidateList<'a> {
    pub candidates: Vec<Candidate<'a>>,
    lines: usize,
    /// Bytes in the line that is being filled.
    filled: usize,
}

impl<'a> CandidateList<'a> {
    /// Takes back the facts from a place on.
    pub fn truncate(&mut self, from: usize) {
        self.candidates.truncate(from);
        self.filled = LONGEST;
    }

    /// Adds a fact in a line of its own.
    pub fn begin_line(&mut self, candidate: Candidate<'a>) {
        self.lines += 1;
        self.filled = candidate.text.len();
        self.candidates.push(Candidate { line: self.lines, joint: "", ..candidate });
    }

    /// Adds a fact to the line of the one before; `false` where that would hold more than `most` bytes.
    pub fn append_to_line(
        &mut self,
        candidate: &Candidate<'a>,
        joint: &'a str,
        most: usize,
    ) -> bool {
        let filled = self.filled + joint.len() + candidate.text.len();
        let together = |last: &Candidate<'_>| {
            last.message == candidate.message && filled <= most && last.line == self.lines
        };
        if !self.candidates.last().is_some_and(together) {
            return false;
        }
        self.filled = filled;
        self.candidates.push(Candidate { line: self.lines, joint, ..candidate.clone() });
        true
    }
}

/// Takes out a line whose words stand again in a later one: the later tells that it holds still.
pub(super) fn drop_repeated(found: &mut Vec<Candidate<'_>>) {
    let mut lines: Vec<(usize, u64)> = Vec::new();
    for candidate in found.iter() {
        let said = fold_case(candidate.text)
            ^ fold_case(candidate.under.unwrap_or_default()).rotate_left(7);
        match lines.last_mut() {
            Some((line, words)) if *line == candidate.line => *words = words.rotate_left(5) ^ said,
            Some(_) | None => lines.push((candidate.line, said)),
        }
    }
    let mut last: HashKeyMap<usize> = HashKeyMap::default();
    let mut said_again: HashMap<usize, usize> = HashMap::new();
    for (line, words) in lines.iter().rev() {
        let later = *last.entry(*words).or_insert(*line);
        if later != *line {
            said_again.insert(*line, later);
        }
    }
    // A repetition keeps the highest weight, whoever said it last.
    let mut best: HashMap<usize, u32> = HashMap::new();
    for candidate in found.iter() {
        let Some(later) = said_again.get(&candidate.line) else { continue };
        let weight = best.entry(*later).or_default();
        *weight = candidate.weight.max(*weight);
    }
    found.retain(|candidate| !said_again.contains_key(&candidate.line));
    for candidate in found.iter_mut() {
        candidate.weight = candidate.weight.max(best.get(&candidate.line).copied().unwrap_or(0));
    }
}
