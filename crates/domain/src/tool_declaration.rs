//! A tool as the model is told of it.

use serde::{Deserialize, Serialize};
use specta::Type;

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
