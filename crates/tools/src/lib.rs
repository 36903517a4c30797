//! Tools for the model: built in, from skills, or from MCP servers.
//!
//! Tool results are data, never instructions. Operations of other parts of the program are stated
//! as a narrow trait ([`host::ToolHost`]), which `app` implements. Not here: when tools run
//! (`turn`), or storing their results (`store`).

mod argument_check;
pub mod builtin;
mod error_chain;
pub mod files;
pub mod host;
pub mod mcp;
pub mod output_truncation;
pub mod permission;
pub mod skills;
mod ssrf_guard;
mod subprocess;
pub mod tool_set;
pub mod user_prompts;

use std::path::Path;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use skein_documents::image_info::ImageFile;
use skein_domain::ids::GrantKey;
use skein_domain::tool_declaration::ToolDeclaration;
use specta::Type;
use tokio_util::sync::CancellationToken;

/// The effect of a call, which decides if the user is asked first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ToolEffect {
    /// Reads data the user already gave access to. Never needs approval; may run in parallel.
    ReadOnly,
    /// Changes only Skein's notes (reminders, `clear_mind`). Never needs approval.
    Notes,
    /// Writes files, or a reminder that every session is sent.
    Writes,
    /// Runs a command.
    Runs,
    /// Sends data over the network, or is an MCP server's and therefore unknown.
    ReachesOut,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolOutcome {
    /// Success. The text is complete, not yet truncated ([`output_truncation`]).
    Done {
        text: String,
        /// Pictures, each named by a line of the text.
        pictures: Vec<ImageFile>,
    },
    /// Failure, as a short text for the model.
    Failed { message: String },
}

impl ToolOutcome {
    /// Success with a text.
    pub fn done(text: impl Into<String>) -> Self {
        Self::Done { text: text.into(), pictures: Vec::new() }
    }

    /// Failure. The text is truncated, whoever wrote it.
    pub fn failed(message: impl std::fmt::Display) -> Self {
        Self::Failed {
            message: output_truncation::truncate_end(
                &message.to_string(),
                output_truncation::FAILURE_LIMIT,
            ),
        }
    }
}

impl<Text: Into<String>, Cause: std::fmt::Display> From<Result<Text, Cause>> for ToolOutcome {
    fn from(result: Result<Text, Cause>) -> Self {
        result.map_or_else(Self::failed, Self::done)
    }
}

/// The preview that the user approves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ApprovalPreview {
    /// A command line.
    Command {
        /// The complete line.
        line: String,
        /// The working directory.
        folder: String,
    },
    /// A change of a file.
    Diff {
        /// Relative to the workspace.
        path: String,
        /// A unified diff, truncated if it is very long.
        diff: String,
        /// The omitted part of the diff; `None` if it is complete.
        left_out: Option<OmittedLines>,
        /// The version of the file that the change is based on.
        #[serde(skip)]
        #[specta(skip)]
        basis: FileBaseline,
    },
    /// A request that leaves the machine.
    Request {
        /// The address, or the search words.
        target: String,
    },
    /// A call of an MCP tool.
    Foreign {
        server: String,
        /// The arguments, indented JSON.
        args: String,
        /// True if a grant exists for an earlier version of the tool.
        changed: bool,
    },
    /// Another repetition of a call that keeps failing.
    Repeated {
        /// The number of failures in a row.
        times: u32,
        /// The arguments, as the model wrote them.
        args: String,
    },
    /// A note for every session.
    Reminder {
        /// The text.
        content: String,
    },
}

/// Diff lines that are not shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct OmittedLines {
    /// Added lines.
    pub added: u32,
    /// Removed lines.
    pub removed: u32,
}

/// The version of a file that a change is based on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FileBaseline {
    /// Any version: the change replaces a passage.
    #[default]
    Any,
    /// The file did not exist.
    Absent,
    /// A text with this SHA-256.
    Text([u8; 32]),
}

/// A tool, ready for one session.
#[async_trait]
pub trait Tool: Send + Sync {
    fn declaration(&self) -> ToolDeclaration;

    fn effect(&self, args: &serde_json::Value) -> ToolEffect;

    /// The name of the grant for this call: the tool's name, or narrower, such as one command line
    /// or one host. An MCP tool includes its server.
    fn grant(&self, _args: &serde_json::Value) -> GrantKey {
        GrantKey::new(self.declaration().name)
    }

    /// For a tool that may change under the same name: the prefix of its grants, which is also the
    /// grant of earlier versions. `None` for other tools.
    fn grant_by_name(&self) -> Option<GrantKey> {
        None
    }

    /// The output limit in characters, unless the user set another (P08).
    fn output_limit(&self) -> u32 {
        output_truncation::LIMIT
    }

    /// The folder that paths in its arguments are relative to, links resolved; `None`: it takes none.
    fn folder(&self) -> Option<&Path> {
        None
    }

    /// The preview for the approval; `None` if none is needed.
    ///
    /// # Errors
    /// The text for the model, if the call would fail. The user is not asked then.
    async fn preview(&self, _args: &serde_json::Value) -> Result<Option<ApprovalPreview>, String> {
        Ok(None)
    }

    /// Checks that an approved preview still holds. Hours may have passed since the question.
    ///
    /// # Errors
    /// The text for the model, if the preview no longer holds. The call does not run then.
    async fn check_preview(
        &self,
        _args: &serde_json::Value,
        _shown: &ApprovalPreview,
    ) -> Result<(), String> {
        Ok(())
    }

    /// Runs the tool. Must return soon after `call.cancel` fires, or the future is dropped.
    async fn run(&self, call: ToolInvocation) -> ToolOutcome;
}

/// A run of a tool.
pub struct ToolInvocation {
    /// The arguments, valid JSON.
    pub args: serde_json::Value,
    pub cancel: CancellationToken,
    /// Receives progress texts for the user.
    pub progress: tokio::sync::mpsc::UnboundedSender<String>,
}

/// Parses the arguments of a call, or returns an error for the model.
pub(crate) fn parse_args<T: serde::de::DeserializeOwned>(
    args: &serde_json::Value,
) -> Result<T, String> {
    T::deserialize(args).map_err(|error| format!("The arguments do not fit: {error}."))
}
