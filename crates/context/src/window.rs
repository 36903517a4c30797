//! What the model will see: one function from the conversation to the exact request.
//!
//! Not here: how a provider spells it on the wire (`runtime::providers`).

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::message::{ContentPart, Role};

/// Exactly what is sent, before a provider spells it on its wire.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// System prompt, instructions and memory, joined; empty when there is none.
    pub system: String,
    /// Tools declared to the model, in a fixed order.
    pub tools: Vec<ToolDeclaration>,
    /// In order; the roles need not alternate: a provider that demands it merges neighbours.
    pub messages: Vec<PromptMessage>,
    /// How many messages from the first will be sent unchanged again while the conversation only
    /// grows: where a provider may set a cache breakpoint.
    pub stable_messages: u32,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PromptMessage {
    /// Who it comes from.
    pub role: Role,
    /// In order, never empty. A tool part carries call and result; the provider splits them.
    pub parts: Vec<ContentPart>,
}

/// A tool as the model is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolDeclaration {
    /// Unique; MCP tools as `server__tool`.
    pub name: String,
    /// For the model.
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: serde_json::Value,
    /// Which row of the breakdown it belongs to.
    pub family: ToolFamily,
}

/// Which row of the breakdown a tool belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ToolFamily {
    /// Comes with the program.
    BuiltIn,
    /// Comes from an MCP server.
    Mcp,
    /// The tool that loads skills; its description lists them all.
    Skill,
}
