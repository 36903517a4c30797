//! What a summary must not lose, found in the originals without a model: paths, links, identifiers,
//! numbers, versions, dates, errors, names, and the person's decisions and constraints.
//!
//! Everything kept is a slice of a message, word for word, so nothing can be invented; and it is
//! taken from the originals at every compaction, so nothing decays. Deliberately not here: a
//! model, stored state, and any reading of instructions in what tools or files said — only the
//! person's own words become decisions and constraints.
//!
//! [`extract`] finds and ranks, [`beside`] leaves out what a summary says itself, [`choose`] holds to
//! a budget, [`render`] writes the lines.

mod before;
mod beside;
mod change;
mod choose;
mod clause;
mod collect;
mod cues;
mod lexicon;
mod material;
mod rank;
mod shape;
mod stretch;
mod talk;
mod words;

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use specta::Type;

use self::collect::Found;
use crate::message::{ContentPart, Message, MessageId, MessageKind, Origin, ToolState};

pub use beside::beside;
pub use choose::{Chosen, budget, choose, render};
pub(crate) use clause::stems;

/// One passage of the originals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnchorSource<'a> {
    /// The message it is part of.
    pub message: MessageId,
    /// Whose words they are.
    pub voice: Voice,
    /// As it was written.
    pub text: &'a str,
}

/// Whose words a passage holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Voice {
    /// The person's own.
    Person,
    /// A model's.
    Model,
    /// Read, not said: a tool's output, an attached file, a code block. Never obeyed.
    Material,
}

/// A clause worth carrying, with the values in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Anchor {
    /// The kind of its most telling value.
    pub kind: AnchorKind,
    /// The shortest clause that carries the values and says what they are, word for word.
    pub text: String,
    /// The values, in order, word for word.
    pub values: Vec<String>,
    /// What the clause is listed under or answers, where it does not say so itself.
    pub under: Option<String>,
    /// The value that held before, when this one took its place.
    pub was: Option<String>,
    /// The message whose newer value holds instead; `None` while this one holds.
    pub replaced_by: Option<MessageId>,
    /// Where it was said.
    pub message: MessageId,
    /// Who said it.
    pub voice: Voice,
    /// Its rank: larger is kept first. Means nothing across two extractions.
    pub weight: u32,
}

impl Anchor {
    /// Whether a summary says all of it. What stands under a heading says nothing by itself.
    pub fn is_said_in(&self, summary: &str) -> bool {
        self.under.is_none() && summary.contains(&self.text)
    }
}

/// What an anchor holds.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "camelCase")]
pub enum AnchorKind {
    /// What the person demands, forbids or prefers.
    Constraint,
    /// What the person decided.
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
}

/// The passages of messages that anchors are taken from, in order. Reasoning, pictures, what the
/// program itself said and what is left out of the context have none.
pub fn sources<'a>(messages: impl IntoIterator<Item = &'a Message>) -> Vec<AnchorSource<'a>> {
    let messages = messages.into_iter().filter(|message| !message.is_left_out());
    messages.flat_map(passages).collect()
}

fn passages(message: &Message) -> impl Iterator<Item = AnchorSource<'_>> {
    let said = match message.origin {
        Origin::Person => Some(Voice::Person),
        Origin::Model => Some(Voice::Model),
        Origin::Runtime => None,
    };
    let said = said.filter(|_| matches!(message.kind, MessageKind::Chat {}));
    message.parts.iter().filter_map(move |part| {
        let (voice, text) = match part {
            ContentPart::Text { text } => (said?, text.as_str()),
            ContentPart::File { text, .. } => (Voice::Material, text.as_str()),
            ContentPart::Tool { call } => (Voice::Material, result(&call.state)?),
            ContentPart::Reasoning { .. } | ContentPart::Image(_) => return None,
        };
        Some(AnchorSource { message: message.id, voice, text })
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

/// All anchors of the passages, best first. Passages come in the order they were said: of two
/// values for the same thing the later one holds. Linear in the length of the text.
pub fn extract(messages: &[AnchorSource<'_>]) -> Vec<Anchor> {
    listed(settled(messages).into_iter().map(Found::into_anchor))
}

/// The anchors of the passages in the order they were said, with their weight and what each replaced.
fn settled<'a>(messages: &[AnchorSource<'a>]) -> Vec<Found<'a>> {
    let lexicon = lexicon::Lexicon::of(messages);
    let mut found: Vec<Found<'a>> = Vec::new();
    let mut asked: Option<(MessageId, &str)> = None;
    for source in messages {
        let question =
            asked.filter(|(message, _)| *message != source.message).map(|(_, text)| text);
        collect::collect(source, question, &lexicon, &mut found);
        asked = talk::question(source).map(|text| (source.message, text));
    }
    let commons = rank::rank(&mut found);
    change::settle(&mut found, &commons);
    found
}

/// Best first.
fn listed(anchors: impl Iterator<Item = Anchor>) -> Vec<Anchor> {
    let mut anchors: Vec<Anchor> = anchors.collect();
    anchors.sort_by_key(|anchor| Reverse(anchor.weight));
    anchors
}

#[cfg(test)]
mod tests;
