//! Views of settings and tools.

use serde::{Deserialize, Serialize};
use skein_domain::error::Error;
use skein_domain::tool_declaration::ToolFamily;
use specta::Type;

use crate::settings::{SettingProblem, Settings};

/// The settings, and the problems of their file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SettingsView {
    /// The settings that apply.
    pub settings: Settings,
    /// Values in the file that are invalid.
    pub problems: Vec<SettingProblem>,
    /// The error of a file that cannot be read; nothing is written until it is reset.
    pub broken: Option<Error>,
    /// The path of the file.
    pub path: String,
    /// True after `--safe-mode`: no MCP server starts and nothing is compacted automatically.
    pub safe_mode: bool,
}

/// A tool, its switch and its size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolView {
    /// The declared name.
    pub name: String,
    /// The description for the model.
    pub description: String,
    /// The source of the tool.
    pub family: ToolFamily,
    /// True if the user switched it on.
    pub on: bool,
    /// True if the session's next request declares the tool: it is switched on and can be used in the
    /// session.
    pub declared: bool,
    /// True if the tool is not declared, because all MCP tools together exceed their budget.
    pub left_out: bool,
    /// True if a request has only its name and one line of it.
    pub deferred: bool,
    /// Tokens of its declaration.
    pub tokens: u32,
    /// P08: the largest output that enters the context, in characters.
    pub output_limit: u32,
}
