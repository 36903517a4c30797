//! Token counts as the engine uses them: one list of numbers per message, made once and kept by the
//! caller, so that assembling and deciding never look at a text again.
//!
//! Opaque provider state (signatures, encrypted reasoning) is counted by its length and excluded from
//! calibration.
//!
//! Not here: any tokeniser. Whatever counts is handed in as [`Counts`].

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use skein_domain::message::{ContentPart, ImageRef, Message, MessageKind, ToolCall};

use super::token_count::Basis;
use crate::prompts;
use skein_domain::tool_declaration::ToolDeclaration;

/// What chat templates put around a message: its role and the separators, in tokens.
pub const MESSAGE_OVERHEAD: u32 = 4;

/// What a call and its result cost beside name, arguments and output: two wrappers and an id.
const CALL_OVERHEAD: u32 = 12;

/// What a declaration costs beside its name, description and schema, in tokens.
const DECLARATION_OVERHEAD: u32 = 8;

/// Which rules of this file a count was made by: it grows when they change, and what was kept is counted
/// anew.
pub(crate) const RULES: u32 = 5;

/// What opaque reasoning is wrapped in, in bytes; and its bytes for each token. As OpenAI's own client
/// estimates it (`estimate_reasoning_length` in codex-rs): of what nobody but its provider can read there
/// is only the length to go by.
const ENVELOPE: usize = 650;
const BYTES_PER_TOKEN: usize = 4;

/// Counts tokens of one model family. Linear in the length of the text.
pub trait Tokenizer {
    /// Tokens of a text. What looks like a special token is ordinary text.
    fn text(&self, text: &str) -> u32;
    /// Tokens its provider charges for a picture of this size; `None`: the size is unknown.
    fn image(&self, width: Option<u32>, height: Option<u32>) -> u32;
    /// Whether the model is sent the pictures that a tool returned.
    fn sees(&self) -> bool;
    /// Whether its provider is sent back what came, opaque, with a thought or a call: only what is its own.
    fn takes_back(&self, signature: &str) -> bool;
    /// How sure the numbers are.
    fn basis(&self) -> Basis;
}

/// The tokens of one message, counted once and kept beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageTokens {
    /// Tokens of each part, in the order of the message's parts, without the pictures that tools
    /// showed.
    pub parts: Vec<u32>,
    /// Of those, what each tool call's result takes, in the order of the calls: all that leaves where an
    /// output does (P09).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<u32>,
    /// Tokens of each of those pictures, in their order. Empty for a model that is sent none: a picture
    /// that is not counted is not sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<u32>,
    /// Tokens around it, paid once whatever parts are sent.
    pub overhead: u32,
    /// How sure the numbers are.
    pub basis: Basis,
}

impl MessageTokens {
    /// Everything, if every part and every picture is sent.
    pub fn total(&self) -> u32 {
        saturating_sum(self.parts.iter().chain(&self.shown).copied().chain([self.overhead]))
    }
}

/// A message beside its tokens.
#[derive(Debug, Clone, Copy)]
pub struct CountedMessageRef<'a> {
    /// As stored.
    pub message: &'a Message,
    /// Counted for the model of the next call.
    pub tokens: &'a MessageTokens,
}

impl<'a> CountedMessageRef<'a> {
    /// Its parts, each with its tokens. A count that is short of a part counts it as nothing: the
    /// caller counts again whenever a message changes.
    pub fn parts(self) -> impl Iterator<Item = (&'a ContentPart, u32)> {
        let tokens = self.tokens.parts.iter().copied().chain(std::iter::repeat(0));
        self.message.parts.iter().zip(tokens)
    }
}

/// A text that is sent, beside its tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedText {
    /// As it is sent.
    pub text: String,
    /// Its tokens.
    pub tokens: u32,
}

impl CountedText {
    /// Counts a text.
    pub fn new(counter: &impl Tokenizer, text: impl Into<String>) -> Self {
        let text = text.into();
        let tokens = counter.text(&text);
        Self { text, tokens }
    }
}

/// Counts a message; a summary as it is sent, within its frame.
pub fn count_message(counter: &impl Tokenizer, message: &Message) -> MessageTokens {
    if message.kind == (MessageKind::Summary {}) {
        let text = message.text();
        if let Cow::Owned(text) = prompts::summary_words(&text) {
            return count_parts(counter, &[ContentPart::Text { text }]);
        }
    }
    count_parts(counter, &message.parts)
}

/// Counts parts that are, or will be, one message: also the draft in the composer.
pub fn count_parts(counter: &impl Tokenizer, parts: &[ContentPart]) -> MessageTokens {
    let shown = parts.iter().flat_map(ContentPart::shown).filter(|_| counter.sees());
    let of_parts = parts.iter().map(|part| count_part(counter, part));
    let (parts, results): (_, Vec<Option<u32>>) = of_parts.unzip();
    MessageTokens {
        parts,
        results: results.into_iter().flatten().collect(),
        shown: shown.map(|picture| count_picture(counter, picture)).collect(),
        overhead: MESSAGE_OVERHEAD,
        basis: counter.basis(),
    }
}

/// Counts a declaration: name, description and schema as compact JSON.
pub fn count_declaration(counter: &impl Tokenizer, tool: &ToolDeclaration) -> u32 {
    saturating_sum([
        counter.text(&tool.name),
        counter.text(&tool.description),
        counter.text(&tool.parameters.to_string()),
        DECLARATION_OVERHEAD,
    ])
}

/// A part, and of a tool call its result alone.
fn count_part(counter: &impl Tokenizer, part: &ContentPart) -> (u32, Option<u32>) {
    let tokens = match part {
        ContentPart::Text { text } => counter.text(text),
        // The words may be a summary of what goes back, or the whole of it.
        ContentPart::Reasoning { text, signature } => {
            counter.text(text).max(count_opaque(counter, signature.as_deref()))
        }
        ContentPart::Image(picture) => count_picture(counter, picture),
        ContentPart::File { name, text, .. } => {
            let words = counter.text(&prompts::escape_file_text(text));
            counter.text(&prompts::file_block(name, "")).saturating_add(words)
        }
        ContentPart::Tool { call } => {
            let result = counter.text(&prompts::tool_result_text(call));
            return (count_call(counter, call, result), Some(result));
        }
    };
    (tokens, None)
}

fn count_picture(counter: &impl Tokenizer, picture: &ImageRef) -> u32 {
    let (width, height) = picture.sent_size().unzip();
    counter.image(width, height)
}

fn count_call(counter: &impl Tokenizer, call: &ToolCall, result: u32) -> u32 {
    let opaque = count_opaque(counter, call.signature.as_deref());
    saturating_sum([
        counter.text(&call.name),
        counter.text(&call.args),
        result,
        opaque,
        CALL_OVERHEAD,
    ])
}

/// What goes back for its provider alone to read.
fn count_opaque(counter: &impl Tokenizer, signature: Option<&str>) -> u32 {
    signature.filter(|signature| counter.takes_back(signature)).map_or(0, opaque_tokens)
}

/// Base64: three bytes in four characters.
fn opaque_tokens(signature: &str) -> u32 {
    let bytes = (signature.len() / 4 * 3).saturating_sub(ENVELOPE);
    u32::try_from(bytes / BYTES_PER_TOKEN).unwrap_or(u32::MAX)
}

/// Whether some of a part is only known by its length.
pub(crate) fn is_opaque(part: &ContentPart) -> bool {
    let signature = match part {
        ContentPart::Reasoning { signature, .. } => signature,
        ContentPart::Tool { call } => &call.signature,
        ContentPart::Text { .. } | ContentPart::Image(_) | ContentPart::File { .. } => &None,
    };
    signature.as_deref().is_some_and(|signature| opaque_tokens(signature) > 0)
}

/// Adds without overflow: a sum past `u32::MAX` stays there.
pub fn saturating_sum(numbers: impl IntoIterator<Item = u32>) -> u32 {
    numbers.into_iter().fold(0, u32::saturating_add)
}
