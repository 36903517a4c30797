//! Settings and tools as their pages show them.

use serde::{Deserialize, Serialize};
use skein_domain::error::Error;
use skein_domain::tool_declaration::ToolFamily;
use specta::Type;

use crate::settings::{SettingProblem, Settings};

/// The settings, and what is wrong with their file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SettingsView {
    /// As they hold.
    pub settings: Settings,
    /// Values in the file that could not be used.
    pub problems: Vec<SettingProblem>,
    /// Why the file could not be read at all: then nothing is written until it is reset.
    pub broken: Option<Error>,
    /// Where the file is.
    pub path: String,
    /// Started with `--safe-mode`: no MCP server starts and nothing is compacted automatically.
    pub safe_mode: bool,
}

/// A tool with its switch and its cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolView {
    /// As declared.
    pub name: String,
    /// For the model.
    pub description: String,
    /// Where it comes from.
    pub family: ToolFamily,
    /// Whether the person wants it.
    pub on: bool,
    /// Whether the next request of the session declares it: it is on, and there is something to use
    /// it on.
    pub declared: bool,
    /// Whether it is not declared because the tools of all servers together take too much of the window.
    pub left_out: bool,
    /// Tokens of its declaration.
    pub tokens: u32,
    /// P08: characters of its output that enter the context.
    pub output_limit: u32,
}
