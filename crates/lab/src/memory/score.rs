//! Scores a request: values that are present, and statements that are false.

use serde::{Deserialize, Serialize};

use super::conversation::Thing;
use super::program::Request;
use super::set::{Fact, Passage};
use super::text::{holds, names, stands};

/// A number of successes out of a total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The successes.
    pub of: u32,
    /// The total.
    pub all: u32,
}

impl Share {
    /// Counts one more.
    pub fn add(&mut self, holds: bool) {
        self.of += u32::from(holds);
        self.all += 1;
    }

    pub fn join(&mut self, other: Self) {
        self.of += other.of;
        self.all += other.all;
    }

    /// In percent; `None` if the total is 0.
    pub fn percent(self) -> Option<f64> {
        (self.all > 0).then(|| f64::from(self.of) * 100.0 / f64::from(self.all))
    }
}

/// A line of a request, with the age it shows to the model.
#[derive(Debug, Clone)]
pub struct Line<'r> {
    pub text: &'r str,
    age: Age,
}

/// The age of a line in a request, from old to new: a summary, then facts in the order of the messages they
/// come from, then messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Age {
    Summary(usize),
    Fact(u64, usize),
    Message(usize),
}

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

/// The beginning of a remark on a former value.
const REMARK: &str = " (was ";

/// A line of the facts: the message number and the quotation. `None` for a heading.
pub fn quoted(line: &str) -> Option<(u64, &str)> {
    let (number, text) = line.split_once(' ')?;
    Some((number.parse().ok()?, text))
}

/// The remarks of a line: for each the text from the line's start, the text after the previous
/// remark, and the former value.
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

/// A line of the facts without its remarks.
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

/// The presence of a thing in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// True if its newest value is present word for word.
    pub exact: bool,
    /// True if one line has the value with its subject, and no newer line has an older value.
    pub right: bool,
}

/// The presence of a thing. A line may name the thing as any of its statements did.
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

/// The result of checking remarks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remarks {
    /// The remarks about things of the conversation; the false ones count.
    pub false_of: Share,
    /// The lines of false remarks.
    pub false_lines: Vec<String>,
}

/// Checks the remarks. A remark is true if the line names a thing with one of its values, and the
/// thing had the former value before. It is not judged if neither value belongs to a thing of the
/// conversation.
pub fn remarks(facts: &str, things: &[Thing]) -> Remarks {
    let mut remarks = Remarks::default();
    for line in facts.lines() {
        let Some((_, text)) = quoted(line) else { continue };
        for (all, own, was) in remarks_of(text) {
            let is_true = things.iter().any(|thing| is_remark_about(thing, all, own, was));
            let mut facts = things.iter().flat_map(|thing| thing.values.iter().map(|(_, it)| it));
            let concerns = facts.any(|fact| stands(own, fact) || holds(was, &fact.value));
            if !is_true && !concerns {
                continue;
            }
            remarks.false_of.add(!is_true);
            if !is_true {
                remarks.false_lines.push(line.to_owned());
            }
        }
    }
    remarks
}

/// True if the text before a remark names the thing and has one of its values, and the thing had
/// the former value before.
fn is_remark_about(thing: &Thing, all: &str, own: &str, was: &str) -> bool {
    let values = || thing.values.iter().map(|(_, fact)| fact).enumerate();
    let is_named = values().any(|(_, fact)| names(all, fact));
    is_named
        && values().filter(|(_, now)| holds(own, &now.value)).any(|(at, now)| {
            let before = values().take(at).map(|(_, before)| &before.value);
            before.into_iter().any(|before| *before != now.value && holds(was, before))
        })
}

/// The lines of the facts whose quotation is in no line of a message, the width of spaces aside. A line may
/// begin with a heading.
pub fn invented<'f>(facts: &'f str, passages: &[Passage]) -> Vec<&'f str> {
    let said: Vec<String> = passages.iter().map(|passage| single_spaced(&passage.text)).collect();
    let is_said = |text: &str| {
        let text = single_spaced(text);
        said.iter().any(|passage| passage.contains(&text))
    };
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

/// A text with one space between the words of each line.
fn single_spaced(text: &str) -> String {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
