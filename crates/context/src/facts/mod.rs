//! What a summary must not lose, found in the originals without a model: paths, links, identifiers,
//! numbers, versions, dates, errors, names, and the user's decisions and demands.
//!
//! Everything kept is a slice of a message, word for word and whole, so nothing can be invented; and it is
//! taken from the originals at every compaction, so nothing decays. Three things make a fact: the shape of
//! its values (`word_shape`), its identity (`clause`: every word that may be a name, a number or an
//! identifier, but the value given), and evidence that a newer value took the place of an older one
//! (`supersede`). Deliberately not here: a model, stored state, a dictionary of names, and any reading of
//! orders in what tools, files or models said: only the user's own words become decisions and demands.
//!
//! [`extract`] finds and ranks, [`facts_not_in`] leaves out what a summary says itself, [`fit_budget`] holds
//! to a budget, [`render`] writes the lines.

mod budget;
mod clause;
mod cue_words;
mod dialogue;
mod extract;
mod missing_from_summary;
mod non_dialogue;
mod parallel;
mod rank;
mod supersede;
mod tokenize;
mod values;
mod word_shape;
mod word_stats;

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Message, MessageKind, Origin, ToolState};
use specta::Type;

pub use budget::{
    FactSelection, facts_budget, facts_budget_beside, fit_budget, lines_to_read, render,
    summary_and_facts_budget,
};
pub use missing_from_summary::facts_not_in;
pub(crate) use values::stems;

use self::extract::{Candidate, CandidateList};

/// The rules by which facts are found, as a number: facts stored by older ones are found anew.
pub const RULES: u32 = 2;

/// One passage of the originals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactSource<'a> {
    /// The message it is part of.
    pub message: MessageId,
    /// Whose words they are.
    pub author: Author,
    /// As it was written.
    pub text: &'a str,
    /// Where it was read from: the arguments of the call, or the file's name. `None` where it was said.
    pub document: Option<&'a str>,
}

/// Whose words a passage holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Author {
    /// The user's own.
    User,
    /// A model's.
    Model,
    /// Read, not said: a tool's output, an attached file, a code block. Never obeyed.
    Material,
}

/// Clauses worth carrying, with the values in them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    /// The kind of its most telling value.
    pub kind: FactKind,
    /// The clauses that carry the values and say what they are, word for word.
    pub text: String,
    /// The values, in order, word for word.
    pub values: Vec<String>,
    /// What the clause is listed under or answers, where it does not say so itself.
    pub under: Option<String>,
    /// Facts with the same number stand in one line of their message.
    pub line: u32,
    /// Its place among the facts of its line.
    pub place: u32,
    /// What stands between it and the fact before it in its line, as it was written.
    pub joint: String,
    /// The value that held before, when this one took its place.
    pub was: Option<String>,
    /// The message whose newer value holds instead; `None` while this one holds.
    pub replaced_by: Option<MessageId>,
    /// Where it was said.
    pub message: MessageId,
    /// Who said it.
    pub author: Author,
    /// Its rank: larger is kept first. Means nothing across two extractions.
    pub weight: u32,
}

impl Fact {
    /// Whether a summary says all of it. What stands under a heading says nothing by itself.
    pub fn is_said_in(&self, summary: &str) -> bool {
        self.under.is_none() && missing_from_summary::contains_whole(summary, &self.text)
    }
}

/// What an anchor holds.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "camelCase")]
pub enum FactKind {
    /// What the user demands, forbids or prefers.
    Constraint,
    /// What the user decided.
    Decision,
    /// An error's text.
    Error,
    /// A place in a file.
    CodeLocation,
    /// An id, a host, a key, an address.
    Identifier,
    /// A file or folder.
    Path,
    /// A version.
    Version,
    /// A commit or a checksum.
    Hash,
    /// A link.
    Url,
    /// A date or a time.
    Date,
    /// A number, with its unit where it has one.
    Number,
    /// Words in quotation marks.
    Quote,
    /// A function, type, variable, flag.
    Symbol,
    /// A person, a place, a product.
    Name,
    /// What the user says without any of these.
    Statement,
}

/// The passages of messages that facts are taken from, in order. Reasoning, pictures, what the
/// program itself said and what is left out of the context have none.
pub fn sources<'a>(messages: impl IntoIterator<Item = &'a Message>) -> Vec<FactSource<'a>> {
    let messages = messages.into_iter().filter(|message| !message.is_left_out());
    messages.flat_map(passages).collect()
}

fn passages(message: &Message) -> impl Iterator<Item = FactSource<'_>> {
    let said = match message.origin {
        Origin::Person => Some(Author::User),
        Origin::Model => Some(Author::Model),
        Origin::Runtime => None,
    };
    let said = said.filter(|_| matches!(message.kind, MessageKind::Chat {}));
    message.parts.iter().filter_map(move |part| {
        let (author, text, document) = match part {
            ContentPart::Text { text } => (said?, text.as_str(), None),
            ContentPart::File { name, text, .. } => {
                (Author::Material, text.as_str(), Some(name.as_str()))
            }
            ContentPart::Tool { call } => {
                (Author::Material, result(&call.state)?, Some(call.args.as_str()))
            }
            ContentPart::Reasoning { .. } | ContentPart::Image(_) => return None,
        };
        Some(FactSource { message: message.id, author, text, document })
    })
}

fn result(state: &ToolState) -> Option<&str> {
    match state {
        ToolState::Done { output } => Some(&output.text),
        ToolState::Failed { message } => Some(message),
        ToolState::Pending {}
        | ToolState::AwaitingApproval {}
        | ToolState::Running { .. }
        | ToolState::Denied {}
        | ToolState::Cancelled {} => None,
    }
}

/// All facts of the passages, best first. Passages come in the order they were said. Linear in the length
/// of the text.
pub fn extract(messages: &[FactSource<'_>]) -> Vec<Fact> {
    best_first(resolved(messages).into_iter().map(Candidate::into_fact))
}

/// The facts of the passages in the order they were said, with their weight and what each replaced.
fn resolved<'a>(messages: &[FactSource<'a>]) -> Vec<Candidate<'a>> {
    let stats = word_stats::WordStats::of(messages);
    let mut found = CandidateList::default();
    let mut asked: Option<(MessageId, &str)> = None;
    for source in messages {
        let question =
            asked.filter(|(message, _)| *message != source.message).map(|(_, text)| text);
        extract::collect_candidates(source, question, &stats, &mut found);
        asked = dialogue::question(source).map(|text| (source.message, text));
    }
    let mut found = found.candidates;
    let documents = supersede::DocumentReadings::of(&found);
    rank::rank(&mut found);
    supersede::resolve_superseded(&mut found, &documents);
    found
}

/// Best first; what was replaced stands behind what holds.
fn best_first(facts: impl Iterator<Item = Fact>) -> Vec<Fact> {
    let mut facts: Vec<Fact> =
        (0..).zip(facts).map(|(place, fact)| Fact { place, ..fact }).collect();
    facts.sort_by_key(|fact| (fact.replaced_by.is_some(), Reverse(fact.weight)));
    facts
}

#[cfg(test)]
mod tests;
