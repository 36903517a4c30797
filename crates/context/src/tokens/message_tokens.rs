//! The tokens of messages, parts and declarations: counted once and stored by the caller, so that assembling
//! and deciding never read a text again.
//!
//! Opaque provider state (signatures, encrypted reasoning) is counted by its length and excluded from
//! calibration.
//!
//! Not here: any tokeniser. It is passed in as [`Tokenizer`].

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use skein_domain::message::{ContentPart, ImageRef, Message, ToolCall};

use super::token_count::Basis;
use crate::prompts;
use skein_domain::tool_declaration::ToolDeclaration;

/// Tokens that chat templates put around a message: its role and the separators.
pub const MESSAGE_OVERHEAD: u32 = 4;

/// Tokens of a call and its result beside name, arguments and output: two wrappers and an id.
const CALL_OVERHEAD: u32 = 12;

/// Tokens of a declaration beside its name, description and schema.
const DECLARATION_OVERHEAD: u32 = 8;

/// The version of the counting rules in this file. A change to the rules increases it, and stored counts are
/// made again.
pub(crate) const RULES: u32 = 5;

/// Bytes of the envelope of opaque reasoning, and its bytes for each token. OpenAI's own client estimates the
/// same way (`estimate_reasoning_length` in codex-rs): of state that only its provider can read the length is
/// all that is known.
const ENVELOPE: usize = 650;
const BYTES_PER_TOKEN: usize = 4;

/// Counts the tokens of one model family. Linear in the length of the text.
pub trait Tokenizer {
    /// Tokens of a text. Special tokens count as ordinary text.
    fn text(&self, text: &str) -> u32;
    /// Tokens that the provider charges for an image of this size; `None`: the size is unknown.
    fn image(&self, width: Option<u32>, height: Option<u32>) -> u32;
    /// True if the model is sent the images of tool results.
    fn sees(&self) -> bool;
    /// True if the provider takes this opaque state back with reasoning or a call.
    fn takes_back(&self, signature: &str) -> bool;
    /// The certainty of the counts.
    fn basis(&self) -> Basis;
}

/// The tokens of one message, counted once and stored beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageTokens {
    /// Tokens of each part, in the order of the parts, without the images of tool results.
    pub parts: Vec<u32>,
    /// Tokens of each tool call's result, in the order of the calls; included in `parts`. They leave the
    /// prompt if the output is withheld (P09).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<u32>,
    /// Tokens of each image of tool results, in their order. Empty if the model takes no images: an image
    /// that is not counted is not sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<u32>,
    /// Tokens around the message, whatever parts are sent.
    pub overhead: u32,
    /// The certainty of the counts.
    pub basis: Basis,
}

impl MessageTokens {
    /// Tokens of the message with all parts and images.
    pub fn total(&self) -> u32 {
        saturating_sum(self.parts.iter().chain(&self.shown).copied().chain([self.overhead]))
    }
}

/// A message and its tokens.
#[derive(Debug, Clone, Copy)]
pub struct CountedMessageRef<'a> {
    /// The stored message.
    pub message: &'a Message,
    /// The tokens of the message for the model of the next call.
    pub tokens: &'a MessageTokens,
}

impl<'a> CountedMessageRef<'a> {
    /// The parts with their tokens. A part without a count has 0 tokens; the caller counts again when a
    /// message changes.
    pub fn parts(self) -> impl Iterator<Item = (&'a ContentPart, u32)> {
        let tokens = self.tokens.parts.iter().copied().chain(std::iter::repeat(0));
        self.message.parts.iter().zip(tokens)
    }
}

/// A text and its tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedText {
    /// The text as it is sent.
    pub text: String,
    /// The tokens of the text.
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

/// Counts a message. A summary is counted as it is sent, with escaped tags.
pub fn count_message(counter: &impl Tokenizer, message: &Message) -> MessageTokens {
    if message.is_summary() {
        let text = message.text();
        if let Cow::Owned(text) = prompts::summary_words(&text) {
            return count_parts(counter, &[ContentPart::Text { text }]);
        }
    }
    count_parts(counter, &message.parts)
}

/// Counts the parts of a message or of a draft.
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

/// Tokens of a part; for a tool call also those of its result.
fn count_part(counter: &impl Tokenizer, part: &ContentPart) -> (u32, Option<u32>) {
    let tokens = match part {
        ContentPart::Text { text } => counter.text(text),
        // The text may be a summary of the opaque reasoning, or all of it.
        ContentPart::Reasoning { text, signature } => {
            counter.text(text).max(count_opaque(counter, signature.as_deref()))
        }
        ContentPart::Image(picture) => count_picture(counter, picture),
        ContentPart::File { name, text, .. } => {
            let tokens = counter.text(&prompts::escape_file_text(text));
            counter.text(&prompts::file_block(name, "")).saturating_add(tokens)
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

/// Tokens of opaque state that goes back to its provider.
fn count_opaque(counter: &impl Tokenizer, signature: Option<&str>) -> u32 {
    signature.filter(|signature| counter.takes_back(signature)).map_or(0, opaque_tokens)
}

/// Base64 has four characters for three bytes.
pub(crate) fn opaque_tokens(signature: &str) -> u32 {
    let bytes = (signature.len() / 4 * 3).saturating_sub(ENVELOPE);
    u32::try_from(bytes / BYTES_PER_TOKEN).unwrap_or(u32::MAX)
}

/// True if a part has opaque state.
pub(crate) fn is_opaque(part: &ContentPart) -> bool {
    let signature = match part {
        ContentPart::Reasoning { signature, .. } => signature,
        ContentPart::Tool { call } => &call.signature,
        ContentPart::Text { .. } | ContentPart::Image(_) | ContentPart::File { .. } => &None,
    };
    signature.as_deref().is_some_and(|signature| opaque_tokens(signature) > 0)
}

/// A sum that stays at `u32::MAX` instead of overflowing.
pub fn saturating_sum(numbers: impl IntoIterator<Item = u32>) -> u32 {
    numbers.into_iter().fold(0, u32::saturating_add)
}
