//! The plain types of facts and of what they are taken from, and the passages of messages. Not here: any rule
//! by which a fact is found.

use serde::{Deserialize, Serialize};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Message, MessageKind, Origin};
use specta::Type;

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
    /// The heading or question that the clause belongs to, where it does not say so itself.
    pub under: Option<String>,
    /// Facts with the same number stand in one line of their message.
    pub line: u32,
    /// The place of the fact among the facts of its line.
    pub place: u32,
    /// The text between it and the fact before it in its line, as it was written.
    pub joint: String,
    /// The value that held before, when this one took its place.
    pub was: Option<String>,
    /// The message whose newer value holds instead; `None` while this one holds.
    pub replaced_by: Option<MessageId>,
    /// Where it was said.
    pub message: MessageId,
    /// The author of the fact.
    pub author: Author,
    /// The rank of the fact: larger is kept first. Means nothing across two extractions.
    pub weight: u32,
    /// True for a row of an output that a program made and that names nothing of the conversation: it gives
    /// way to all that the user said.
    pub filler: bool,
}

impl Fact {
    /// True if a summary says all of it. A fact under a heading says nothing by itself.
    pub fn is_said_in(&self, summary: &str) -> bool {
        self.under.is_none() && contains_whole(summary, &self.text)
    }
}

/// The kinds of facts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "camelCase")]
pub enum FactKind {
    /// A demand, a prohibition or a preference of the user.
    Constraint,
    /// A decision of the user.
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
    /// Words of the user without any of these.
    Statement,
}

/// Kinds of values that name one thing in all the world.
pub(super) const UNIQUE_KINDS: [FactKind; 6] = [
    FactKind::CodeLocation,
    FactKind::Identifier,
    FactKind::Path,
    FactKind::Version,
    FactKind::Hash,
    FactKind::Url,
];

/// The passages of messages that facts are taken from, in order. Reasoning, pictures, what the
/// program itself said and what is left out of the context have none.
pub fn sources<'a>(messages: impl IntoIterator<Item = &'a Message>) -> Vec<FactSource<'a>> {
    let messages = messages.into_iter().filter(|message| !message.is_left_out());
    messages.flat_map(passages).collect()
}

fn passages(message: &Message) -> impl Iterator<Item = FactSource<'_>> {
    let is_dialogue = match message.origin {
        Origin::Person => Some(Author::User),
        Origin::Model => Some(Author::Model),
        Origin::Runtime => None,
    };
    let said = is_dialogue.filter(|_| matches!(message.kind, MessageKind::Chat {}));
    message.parts.iter().filter_map(move |part| {
        let (author, text, document) = match part {
            ContentPart::Text { text } => (said?, text.as_str(), None),
            ContentPart::File { name, text, .. } => {
                (Author::Material, text.as_str(), Some(name.as_str()))
            }
            ContentPart::Tool { call } => {
                (Author::Material, call.result_text()?, Some(call.args.as_str()))
            }
            ContentPart::Reasoning { .. } | ContentPart::Image(_) => return None,
        };
        Some(FactSource { message: message.id, author, text, document })
    })
}

/// True if a text has another whole: "port 44" is not said by "port 4411".
pub(crate) fn contains_whole(text: &str, fact: &str) -> bool {
    let joins = |a: Option<char>, b: Option<char>| {
        a.zip(b).is_some_and(|(a, b)| a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric())
    };
    text.match_indices(fact).any(|(at, _)| {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        let after = text.get(at + fact.len()..).and_then(|it| it.chars().next());
        !joins(before, fact.chars().next()) && !joins(fact.chars().next_back(), after)
    })
}
