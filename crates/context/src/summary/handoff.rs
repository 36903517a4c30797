//! The local hand-over note: made without a model when the context is cleared and the model wrote none (D15).

use skein_domain::message::{Message, MessageKind, Origin};

use crate::facts::{Fact, FactKind};
use crate::prompts::Language;
use crate::summary::excerpt;

/// The number of the user's requests that are quoted.
const REQUESTS: usize = 3;

/// Characters of each quotation.
const CHARS: usize = 500;

/// The number of references that are listed.
const POINTERS: usize = 30;

/// The number of pinned messages that are quoted.
const PINNED: usize = 30;

/// The number of headings of a template, each followed by its value: the goal, and three lists.
const SECTIONS: usize = 4;

const ENGLISH: &str = include_str!("../prompts/continuation.en.md");
const CHINESE: &str = include_str!("../prompts/continuation.zh.md");

/// The note for a thread: its goal, the last requests, the pinned messages, and the files, links and names
/// found in it (`pointers`, best first). `before` is the note that the thread began with; its goal and lists
/// are carried on, so that the goal survives repeated clears. `None`: the thread has no request to continue
/// from.
pub fn local_handoff<'a>(
    path: impl IntoIterator<Item = &'a Message>,
    pointers: &[String],
    before: Option<&str>,
    language: Language,
) -> Option<String> {
    let handoff = Handoff::of(path, pointers);
    let package = match before.and_then(Handoff::read) {
        Some(before) => before.followed_by(handoff),
        None if handoff.requests.is_empty() => return None,
        None => handoff,
    };
    Some(package.write(language))
}

/// The fewest words of a clause that says what a number in it means.
const CLAUSE_WORDS: usize = 4;

/// The fewest characters of such a clause in a language that does not separate words.
const CLAUSE_CHARS: usize = 8;

/// The facts that a note lists, best first. Replaced facts are left out. So are numbers and dates whose
/// clause is too short to say what they mean, such as "now 10".
pub fn handoff_references(facts: &[Fact]) -> Vec<String> {
    let holding = facts.iter().filter(|fact| fact.replaced_by.is_none());
    let telling = holding.filter(|fact| names_something(fact.kind) || is_telling(&fact.text));
    telling.map(|fact| fact.text.clone()).collect()
}

/// True if a value of this kind can be understood without its clause.
fn names_something(kind: FactKind) -> bool {
    const VAGUE: [FactKind; 6] = [
        FactKind::Version,
        FactKind::Date,
        FactKind::Number,
        FactKind::Quote,
        FactKind::Symbol,
        FactKind::Statement,
    ];
    !VAGUE.contains(&kind)
}

fn is_telling(clause: &str) -> bool {
    let unseparated = clause.chars().filter(|letter| ('\u{3400}'..='\u{9fff}').contains(letter));
    clause.split_whitespace().count() >= CLAUSE_WORDS || unseparated.count() >= CLAUSE_CHARS
}

/// A hand-over note.
#[derive(Debug, Clone, PartialEq)]
struct Handoff {
    /// The first request.
    goal: String,
    requests: Vec<String>,
    pinned: Vec<String>,
    pointers: Vec<String>,
}

impl Handoff {
    /// The note about one thread.
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
        let goal = requests.first().cloned().unwrap_or_default();
        Self { goal, requests, pinned, pointers: pointers.to_vec() }
    }

    /// The note for the next thread: the same goal, with the contents of both threads.
    fn followed_by(self, found: Self) -> Self {
        Self {
            goal: self.goal,
            requests: merge_unique(self.requests, found.requests),
            pinned: merge_unique(self.pinned, found.pinned),
            pointers: interleave(found.pointers, self.pointers),
        }
    }

    fn write(&self, language: Language) -> String {
        let template = match language {
            Language::English => ENGLISH,
            Language::Chinese => CHINESE,
        };
        let Self { goal, requests, pinned, pointers } = self;
        let values = [
            goal.clone(),
            list(last(requests, REQUESTS)),
            list(last(pinned, PINNED)),
            list(pointers.get(..POINTERS).unwrap_or(pointers)),
        ];
        let mut package = String::new();
        // A heading without a value is left out, so that the model does not ask for it.
        let written = literals(template).zip(&values).filter(|(_, value)| !value.is_empty());
        for (heading, value) in written {
            package.push_str(heading);
            package.push_str(value);
        }
        package
    }

    /// Parses a note that [`Handoff::write`] wrote, in any language; `None`: the text is not such a note.
    fn read(package: &str) -> Option<Self> {
        [ENGLISH, CHINESE].into_iter().find_map(|template| {
            let headings: Vec<_> = literals(template).take(SECTIONS).collect();
            let (opening, headings) = headings.split_first()?;
            let mut rest = package.strip_prefix(opening)?;
            let mut lists = [""; SECTIONS - 1];
            // Backwards, because each list may be missing.
            for (heading, list) in headings.iter().zip(&mut lists).rev() {
                if let Some((before, below)) = rest.rsplit_once(heading) {
                    (rest, *list) = (before, below);
                }
            }
            let [requests, pinned, pointers] = lists.map(items);
            Some(Self { goal: rest.to_owned(), requests, pinned, pointers })
        })
    }
}

/// The heading before each value of a template, and the text after the last value.
fn literals(template: &str) -> impl Iterator<Item = &str> {
    template.split(['{', '}']).step_by(2)
}

/// Both lists in order. A line in both appears once, at its newer place.
fn merge_unique(mut before: Vec<String>, since: Vec<String>) -> Vec<String> {
    before.retain(|line| !since.contains(line));
    before.extend(since);
    before
}

/// Both lists alternately, best first, so that a cut at the end removes the worst of each.
fn interleave(since: Vec<String>, mut before: Vec<String>) -> Vec<String> {
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

/// The lines as a list; empty if there are none.
fn list(lines: &[String]) -> String {
    lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}

fn items(list: &str) -> Vec<String> {
    list.lines().filter_map(|line| Some(line.strip_prefix("- ")?.to_owned())).collect()
}
