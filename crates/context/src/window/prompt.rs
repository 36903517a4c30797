//! The request as it is sent, before a provider puts it into its wire format.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use skein_domain::message::{ContentPart, ImageRef, Role};
use skein_domain::tool_declaration::ToolDeclaration;
use specta::Type;

/// Exactly what is sent, before a provider spells it on its wire.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// System prompt, instructions and memory, joined; empty when there is none.
    pub system: String,
    /// Tools declared to the model, in a fixed order.
    pub tools: Vec<ToolDeclaration>,
    /// In order, the user's side first; the roles need not alternate: a provider that demands it merges
    /// neighbours.
    pub messages: Vec<PromptMessage>,
    /// How many messages from the first will be sent unchanged again while the conversation only
    /// grows: where a provider may set a cache breakpoint.
    pub stable_messages: u32,
    /// Which messages are notices of the program, by their index. No wire merges their words with the
    /// user's beside them.
    pub notices: Vec<u32>,
}

impl Prompt {
    /// The pictures in it: those the user attached, and those that tools showed.
    pub fn images(&self) -> impl Iterator<Item = &ImageRef> {
        let parts = self.messages.iter().flat_map(|message| message.parts.iter());
        parts.flat_map(|part| part.attached_image().into_iter().chain(part.shown()))
    }
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PromptMessage {
    /// Who it comes from.
    pub role: Role,
    /// In order, never empty. A tool part carries call and result; the provider splits them. Those of
    /// a message that is sent whole are the message's own.
    pub parts: Arc<[ContentPart]>,
}
