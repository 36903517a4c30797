//! The request before a provider writes it in its wire format.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::message::{ContentPart, ImageRef, Role};
use skein_domain::tool_declaration::ToolDeclaration;
use specta::Type;

/// The request before a provider writes it in its wire format.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// System prompt, instructions and memory, joined; empty when there is none.
    pub system: String,
    /// Tools declared to the model, in a fixed order.
    pub tools: Vec<ToolDeclaration>,
    /// Deferred tools. A wire format has a way of its own for them, or sends none of them and writes each
    /// call as one of `call_tool`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deferred: Vec<ToolDeclaration>,
    /// The messages in order, the user's side first. Roles may repeat: a provider that demands alternating
    /// roles merges neighbours.
    pub messages: Vec<PromptMessage>,
    /// The number of messages from the first that later requests repeat unchanged while the conversation only
    /// grows. A provider may set a cache breakpoint behind them.
    pub stable_messages: u32,
    /// The indexes of the messages that are notices of the program. No wire format merges them with the
    /// user's.
    pub notices: Vec<u32>,
    /// W09: the items that take the place of the first message where the request goes to their origin.
    /// Elsewhere that message, the readable summary, is sent.
    #[serde(skip)]
    pub encrypted: Option<Arc<EncryptedSummary>>,
}

impl Prompt {
    /// The images in it: the user's attachments, and those of tool results.
    pub fn images(&self) -> impl Iterator<Item = &ImageRef> {
        let parts = self.messages.iter().flat_map(|message| message.parts.iter());
        parts.flat_map(|part| part.attached_image().into_iter().chain(part.shown()))
    }
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PromptMessage {
    /// The role of the message.
    pub role: Role,
    /// The parts in order, never empty. A tool part has both the call and its result; the crate `providers`
    /// writes them as two messages. If nothing of a message is left out, these are the parts of the stored
    /// message itself, not a copy.
    pub parts: Arc<[ContentPart]>,
}
