//! The declaration of a tool as the model reads it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The tool that gives the model the description and the arguments of a deferred tool.
pub const DESCRIBE_TOOL: &str = "describe_tool";

/// The tool through which the model calls a deferred tool. Only a request has it: a call is stored,
/// shown and approved under the name and with the arguments of the tool that it calls.
pub const CALL_TOOL: &str = "call_tool";

/// The declaration of a tool as the model reads it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
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

/// When tools of MCP servers are deferred: the model knows their names and one line each, and reads
/// a description when it wants one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ToolLoading {
    /// While their declarations would take more than a tenth of the window.
    #[default]
    Automatic,
    /// Always.
    OnDemand,
    /// Never: every request declares them all.
    Declared,
}
