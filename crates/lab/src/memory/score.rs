//! What a request says of the things of a conversation, and what of that is false.

use serde::{Deserialize, Serialize};

use super::conversation::{Conversation, Thing};
use super::program::Request;
use super::set::{Fact, Passage};
use super::text::{holds, names, stands};

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// How many hold.
    pub of: u32,
    /// How many there are.
    pub all: u32,
}

impl Share {
    /// Counts one more.
    pub fn add(&mut self, holds: bool) {
        self.of += u32::from(holds);
        self.all += 1;
    }

    /// Takes another share into this one.
    pub fn join(&mut self, other: Self) {
        self.of += other.of;
        self.all += other.all;
    }

    /// In percent; `None`: of nothing.
    pub fn percent(self) -> Option<f64> {
        (self.all > 0).then(|| f64::from(self.of) * 100.0 / f64::from(self.all))
    }
}

/// A line a model reads, and how new it shows itself to be.
#[derive(Debug, Clone)]
pub struct Line<'r> {
    /// Its words.
    pub text: &'r str,
    age: Age,
}

/// From old to new: a summary, quotations by the number of their message, messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Age {
    Summary(usize),
    Fact(u64, usize),
    Message(usize),
}

/// The lines of a request.
pub fn lines(request: &Request) -> Vec<Line<'_>> {
    let summary = request.summary.lines().enumerate();
    let summary = summary.map(|(at, text)| Line { text, age: Age::Summary(at) });
    let mut number = 0;
    let facts = request.facts.lines().enumerate().map(|(at, text)| {
        if let Some((given, _)) = quoted(text) {
            number = given;
        }
        Line { text, age: Age::Fact(number, at) }
    });
    let messages = request.messages.iter().flat_map(|message| message.lines()).enumerate();
    let messages = messages.map(|(at, text)| Line { text, age: Age::Message(at) });
    summary.chain(facts).chain(messages).collect()
}

/// What opens a remark that something was something else.
const REMARK: &str = " (was ";

/// A line of the facts: the number of its message and what it quotes. `None` for a heading.
pub fn quoted(line: &str) -> Option<(u64, &str)> {
    let (number, text) = line.split_once(' ')?;
    Some((number.parse().ok()?, text))
}

/// The remarks of a line, wherever they stand in it: the words from the line's start, those from the remark
/// before, and the value that was before.
fn remarks_of(line: &str) -> Vec<(&str, &str, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, opening) in line.match_indices(REMARK) {
        let value = line.get(at + opening.len()..).unwrap_or_default();
        let Some((value, _)) = value.split_once(')') else { continue };
        let (all, own) = (line.get(..at).unwrap_or_default(), line.get(from..at));
        found.push((all, own.unwrap_or_default(), value));
        from = at + opening.len() + value.len() + 1;
    }
    found
}

/// A line of the facts without what they themselves remark in it.
fn without_remarks(line: &str) -> String {
    let mut bare = String::new();
    let mut rest = line;
    while let Some(at) = [REMARK, " (replaced in "].iter().filter_map(|mark| rest.find(mark)).min()
    {
        let (before, remark) = rest.split_at_checked(at).unwrap_or((rest, ""));
        bare.push_str(before);
        rest = remark.split_once(')').map_or("", |(_, after)| after);
    }
    bare + rest
}

/// How a thing stands in what a model reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Its newest value is there, word for word.
    pub exact: bool,
    /// It stands in one line with what it is of, and no newer line has an older value.
    pub right: bool,
}

/// How the newest value of a thing stands. A line may name the thing as any statement about it did.
pub fn standing(lines: &[Line<'_>], newest: &Fact, older: &[&Fact]) -> Standing {
    let subjects: Vec<&Fact> = [newest].into_iter().chain(older.iter().copied()).collect();
    let is_about = |line: &str| subjects.iter().any(|fact| names(line, fact));
    let says = |line: &str, value: &str| holds(line, value) && is_about(line);
    let right = lines.iter().filter(|line| says(line.text, &newest.value));
    let right = right.map(|line| line.age).max();
    let outdated = lines.iter().filter(|line| {
        !holds(line.text, &newest.value) && older.iter().any(|it| says(line.text, &it.value))
    });
    let outdated = outdated.map(|line| line.age).max();
    Standing {
        exact: lines.iter().any(|line| holds(line.text, &newest.value)),
        right: right.is_some() && outdated <= right,
    }
}

/// The remarks that something "was" something else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remarks {
    /// Of those about a thing of the conversation, how many are false.
    pub false_of: Share,
    /// About something else: filler.
    pub unjudged: u32,
    /// The lines of the false ones.
    pub false_lines: Vec<String>,
}

/// Judges them. One is true where the line names a thing and gives one of its values, and that thing
/// had the other value before. Where none of both is of a thing of the conversation, it is not judged.
pub fn remarks(facts: &str, things: &[Thing]) -> Remarks {
    let mut remarks = Remarks::default();
    for line in facts.lines() {
        let Some((_, text)) = quoted(line) else { continue };
        for (all, own, was) in remarks_of(text) {
            let is_true = things.iter().any(|thing| is_remark_about(thing, all, own, was));
            let mut facts = things.iter().flat_map(|thing| thing.values.iter().map(|(_, it)| it));
            let concerns = facts.any(|fact| stands(own, fact) || holds(was, &fact.value));
            match is_true || concerns {
                true => remarks.false_of.add(!is_true),
                false => remarks.unjudged += 1,
            }
            if !is_true && concerns {
                remarks.false_lines.push(line.to_owned());
            }
        }
    }
    remarks
}

/// Whether the words before a remark name a thing, its own words give one of its values, and the thing had
/// the other value before.
fn is_remark_about(thing: &Thing, all: &str, own: &str, was: &str) -> bool {
    let values = || thing.values.iter().map(|(_, fact)| fact).enumerate();
    let is_named = values().any(|(_, fact)| names(all, fact));
    is_named
        && values().filter(|(_, now)| holds(own, &now.value)).any(|(at, now)| {
            let before = values().take(at).map(|(_, before)| &before.value);
            before.into_iter().any(|before| *before != now.value && holds(was, before))
        })
}

/// The lines of the facts that quote what nobody said. A line may begin with what its words were
/// listed under.
pub fn invented<'f>(facts: &'f str, passages: &[Passage]) -> Vec<&'f str> {
    let is_said = |text: &str| passages.iter().any(|passage| passage.text.contains(text));
    let is_invented = |line: &&str| {
        let Some((_, text)) = quoted(line) else { return false };
        let bare = without_remarks(text);
        // A fact may join several clauses of one line, each of them word for word.
        let all_said = |text: &str| {
            is_said(text)
                || text.split(" › ").all(|part| {
                    is_said(part) || part.split("; ").flat_map(|it| it.split(", ")).all(is_said)
                })
        };
        !all_said(&bare) && !all_said(text)
    };
    facts.lines().filter(is_invented).collect()
}

/// The newest messages of the first `told`, whole, that take no more tokens than `room`: what is left where
/// the oldest are simply dropped.
pub fn oldest_dropped(
    conversation: &Conversation,
    told: usize,
    room: u32,
    count: impl Fn(&str) -> u32,
) -> Request {
    let passages = conversation.passages.get(..told).unwrap_or_default();
    let mut left = room;
    let kept = passages.iter().rev().map_while(|passage| {
        left = left.checked_sub(count(&passage.text))?;
        Some(passage.text.clone())
    });
    let mut messages: Vec<String> = kept.collect();
    messages.reverse();
    Request { messages, ..Request::default() }
}
