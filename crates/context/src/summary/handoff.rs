//! The continuation package made without a model, when the mind is cleared and none was written
//! (D15).

use skein_domain::message::{Message, MessageKind, Origin};

use crate::facts::{Fact, FactKind};
use crate::prompts::Language;
use crate::summary::excerpt;

/// Requests of the user that are quoted.
const REQUESTS: usize = 3;

/// Characters of each quotation.
const CHARS: usize = 500;

/// Pointers that are listed.
const POINTERS: usize = 30;

/// Pinned messages that are quoted.
const PINNED: usize = 30;

/// Headings of a template, each with a value below or behind it: the goal, and three lists.
const SECTIONS: usize = 4;

const ENGLISH: &str = include_str!("../prompts/continuation.en.md");
const CHINESE: &str = include_str!("../prompts/continuation.zh.md");

/// Goal, last requests, pinned messages, and the files, links and names found in the thread
/// (`pointers`, best first), on top of what the package that the thread went on from says: one clear
/// after another, the goal stays. `None` when the thread holds nothing to continue from.
pub fn local_handoff<'a>(
    path: impl IntoIterator<Item = &'a Message>,
    pointers: &[String],
    before: Option<&str>,
    language: Language,
) -> Option<String> {
    let found = ThreadDigest::of(path, pointers);
    let package = match before.and_then(Handoff::read) {
        Some(before) => before.followed_by(found),
        None => Handoff { goal: found.requests.first()?.clone(), said: found },
    };
    Some(package.write(language))
}

/// Words of the shortest clause that says what a number in it is.
const TELLING_WORDS: usize = 4;

/// Letters of the same in a language that does not part its words.
const TELLING_LETTERS: usize = 8;

/// The facts a package lists, best first. Those that a newer one replaces are left out. So are numbers and
/// dates whose clause is too short to say what they are of: "now 10" helps nobody in another thread.
pub fn handoff_references(facts: &[Fact]) -> Vec<String> {
    let holding = facts.iter().filter(|fact| fact.replaced_by.is_none());
    let telling = holding.filter(|fact| names_something(fact.kind) || is_telling(&fact.text));
    telling.map(|fact| fact.text.clone()).collect()
}

/// Whether a value of this kind can be looked up by itself.
fn names_something(kind: FactKind) -> bool {
    match kind {
        FactKind::Constraint
        | FactKind::Decision
        | FactKind::Error
        | FactKind::CodeLocation
        | FactKind::Identifier
        | FactKind::Path
        | FactKind::Hash
        | FactKind::Url
        | FactKind::Name => true,
        FactKind::Version
        | FactKind::Date
        | FactKind::Number
        | FactKind::Quote
        | FactKind::Symbol
        | FactKind::Statement => false,
    }
}

fn is_telling(clause: &str) -> bool {
    let unparted = clause.chars().filter(|letter| ('\u{3400}'..='\u{9fff}').contains(letter));
    clause.split_whitespace().count() >= TELLING_WORDS || unparted.count() >= TELLING_LETTERS
}

/// What is told of a thread.
#[derive(Debug, Clone, PartialEq)]
struct ThreadDigest {
    requests: Vec<String>,
    pinned: Vec<String>,
    pointers: Vec<String>,
}

impl ThreadDigest {
    fn of<'a>(path: impl IntoIterator<Item = &'a Message>, pointers: &[String]) -> Self {
        let (mut requests, mut pinned) = (Vec::new(), Vec::new());
        for message in path.into_iter().filter(|message| !message.is_left_out()) {
            let text = message.text();
            if text.trim().is_empty() {
                continue;
            }
            if message.is_pinned() {
                pinned.push(excerpt(&text, CHARS));
            }
            if message.origin == Origin::Person && message.kind == (MessageKind::Chat {}) {
                requests.push(excerpt(&text, CHARS));
            }
        }
        Self { requests, pinned, pointers: pointers.to_vec() }
    }
}

/// A package: what the whole is for, and what was found.
#[derive(Debug, Clone, PartialEq)]
struct Handoff {
    goal: String,
    said: ThreadDigest,
}

impl Handoff {
    /// The same goal, with what was found since.
    fn followed_by(self, found: ThreadDigest) -> Self {
        let Self { goal, said } = self;
        Self {
            goal,
            said: ThreadDigest {
                requests: each_once(said.requests, found.requests),
                pinned: each_once(said.pinned, found.pinned),
                pointers: best_of_both(found.pointers, said.pointers),
            },
        }
    }

    fn write(&self, language: Language) -> String {
        let template = match language {
            Language::English => ENGLISH,
            Language::Chinese => CHINESE,
        };
        let ThreadDigest { requests, pinned, pointers } = &self.said;
        let values = [
            self.goal.clone(),
            list(last(requests, REQUESTS)),
            list(last(pinned, PINNED)),
            list(pointers.get(..POINTERS).unwrap_or(pointers)),
        ];
        let mut package = String::new();
        // A heading with nothing below it only asks what is missing.
        let written = literals(template).zip(&values).filter(|(_, value)| !value.is_empty());
        for (heading, value) in written {
            package.push_str(heading);
            package.push_str(value);
        }
        package
    }

    /// What [`Handoff::write`] wrote, in whatever language; `None`: it is in words of somebody's own.
    fn read(package: &str) -> Option<Self> {
        [ENGLISH, CHINESE].into_iter().find_map(|template| {
            let headings: Vec<_> = literals(template).take(SECTIONS).collect();
            let (opening, headings) = headings.split_first()?;
            let mut rest = package.strip_prefix(opening)?;
            let mut lists = [""; SECTIONS - 1];
            // From the last to the first, each of which may be missing.
            for (heading, list) in headings.iter().zip(&mut lists).rev() {
                if let Some((before, below)) = rest.rsplit_once(heading) {
                    (rest, *list) = (before, below);
                }
            }
            let [requests, pinned, pointers] = lists.map(items);
            Some(Self { goal: rest.to_owned(), said: ThreadDigest { requests, pinned, pointers } })
        })
    }
}

/// The heading before each value of a template, and what follows the last.
fn literals(template: &str) -> impl Iterator<Item = &str> {
    template.split(['{', '}']).step_by(2)
}

/// What was said before and since. What was carried from one thread to the next is in both.
fn each_once(mut before: Vec<String>, since: Vec<String>) -> Vec<String> {
    before.retain(|line| !since.contains(line));
    before.extend(since);
    before
}

/// In turns, the best first: what is cut off at the end is the least of each.
fn best_of_both(since: Vec<String>, mut before: Vec<String>) -> Vec<String> {
    before.retain(|line| !since.contains(line));
    let (mut since, mut before) = (since.into_iter(), before.into_iter());
    let mut both = Vec::new();
    loop {
        let (one, other) = (since.next(), before.next());
        if one.is_none() && other.is_none() {
            return both;
        }
        both.extend(one.into_iter().chain(other));
    }
}

fn last(lines: &[String], most: usize) -> &[String] {
    lines.get(lines.len().saturating_sub(most)..).unwrap_or(lines)
}

/// Lines of a list; empty where there are none.
fn list(lines: &[String]) -> String {
    lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}

fn items(list: &str) -> Vec<String> {
    list.lines().filter_map(|line| Some(line.strip_prefix("- ")?.to_owned())).collect()
}
