//! The declaration of a tool as the model reads it.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The declaration of a tool as the model reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolDeclaration {
    /// The name, unique in a request; MCP tools as `server__tool`.
    pub name: String,
    /// The description for the model.
    pub description: String,
    /// The JSON Schema of the arguments.
    pub parameters: serde_json::Value,
    /// The row of the breakdown that it belongs to.
    pub family: ToolFamily,
}

/// The row of the breakdown that a tool belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ToolFamily {
    /// A tool of the program.
    BuiltIn,
    /// A tool of an MCP server.
    Mcp,
    /// The tool that loads skills; its description lists them all.
    Skill,
}
