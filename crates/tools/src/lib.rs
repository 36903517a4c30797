//! Tools the model may call: built in, from skills, or from MCP servers.
//!
//! Everything a tool returns is data. Not here: deciding when tools run (`turn`), or keeping their
//! results (`store`). Where a tool needs what another room holds it states the operations it needs
//! as a narrow trait ([`host::ToolHost`]); `app` hands it one.

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

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use skein_documents::image_info::ImageFile;
use skein_domain::ids::GrantKey;
use skein_domain::tool_declaration::ToolDeclaration;
use specta::Type;
use tokio_util::sync::CancellationToken;

/// What a tool may do to the world: decides whether the user is asked first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ToolEffect {
    /// Reads what the user already opened to it; never asked for, may run beside others.
    ReadOnly,
    /// Changes only Skein's own notes (reminders, `clear_mind`); never asked for.
    Notes,
    /// Writes files, or a note for every session.
    Writes,
    /// Runs a command.
    Runs,
    /// Reaches out over the network, or is a foreign server's and unknown.
    ReachesOut,
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolOutcome {
    /// It ended well: the whole text, not yet cut to its limit ([`output`]).
    Done {
        text: String,
        /// The pictures among it, each named by a line of the text.
        pictures: Vec<ImageFile>,
    },
    /// It ended badly, in words for the model, already short.
    Failed { message: String },
}

impl ToolOutcome {
    /// It ended well, in words.
    pub fn done(text: impl Into<String>) -> Self {
        Self::Done { text: text.into(), pictures: Vec::new() }
    }

    /// It ended badly. Whatever wrote the words, they stay short enough for the context.
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

/// What the user is shown before saying yes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ApprovalPreview {
    /// A command, whole.
    Command {
        /// As it will be run.
        line: String,
        /// Where it will be run.
        folder: String,
    },
    /// A change of a file.
    Diff {
        /// Within the session's folder.
        path: String,
        /// Unified diff of what is there now against what would be, as far as anybody reads.
        diff: String,
        /// What of it is left out; `None`: nothing.
        left_out: Option<OmittedLines>,
        /// What the change was worked out from.
        #[serde(skip)]
        #[specta(skip)]
        basis: FileBaseline,
    },
    /// A request that leaves the machine.
    Request {
        /// The address, or the words searched for.
        target: String,
    },
    /// A call of a foreign server's tool.
    Foreign {
        /// Which server.
        server: String,
        /// The arguments, indented JSON.
        args: String,
        /// Whether the user said a lasting yes to it when it was another one.
        changed: bool,
    },
    /// A call that failed time and again, once more.
    Repeated {
        /// How often it failed in a row.
        times: u32,
        /// As the model wrote them.
        args: String,
    },
    /// A note that would stand in every session.
    Reminder {
        /// Its words.
        content: String,
    },
}

/// Lines of a difference that are not shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct OmittedLines {
    /// How many of them are added.
    pub added: u32,
    /// How many of them are removed.
    pub removed: u32,
}

/// What a file was when a change of it was worked out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FileBaseline {
    /// Whatever it will be: the change is of a place in it.
    #[default]
    Any,
    /// Not there.
    Absent,
    /// A text with this SHA-256.
    Text([u8; 32]),
}

/// A tool the model may call, ready for one session.
#[async_trait]
pub trait Tool: Send + Sync {
    /// How the model is told of it.
    fn declaration(&self) -> ToolDeclaration;

    /// What this very call may do.
    fn effect(&self, args: &serde_json::Value) -> ToolEffect;

    /// What a lasting yes to this very call would cover: the tool's name alone, or narrower, such as
    /// one command line or one host. A foreign tool says whose it is, beyond the name it is declared
    /// under.
    fn grant(&self, _args: &serde_json::Value) -> GrantKey {
        GrantKey::new(self.declaration().name)
    }

    /// What begins a lasting yes to a tool that can become another one under its name, and what was the
    /// whole of it once; `None`: it cannot.
    fn grant_by_name(&self) -> Option<GrantKey> {
        None
    }

    /// P08: the characters of its output that may enter the context, unless the user set another
    /// number.
    fn output_limit(&self) -> u32 {
        output_truncation::LIMIT
    }

    /// What the user is shown before saying yes; `None` for what is never asked for.
    ///
    /// # Errors
    /// Why the call would come to nothing, in words for the model: nobody is asked then.
    async fn preview(&self, _args: &serde_json::Value) -> Result<Option<ApprovalPreview>, String> {
        Ok(None)
    }

    /// Whether what the user was shown would happen still: between the question and their yes there may
    /// be hours.
    ///
    /// # Errors
    /// Why not, in words for the model: it is not run then.
    async fn stands(
        &self,
        _args: &serde_json::Value,
        _shown: &ApprovalPreview,
    ) -> Result<(), String> {
        Ok(())
    }

    /// Runs it. Returns soon after `call.cancel` fires; a tool that does not is dropped.
    async fn run(&self, call: ToolInvocation) -> ToolOutcome;
}

/// One run of a tool.
pub struct ToolInvocation {
    /// The arguments, valid JSON.
    pub args: serde_json::Value,
    /// Fires when the user stops it.
    pub cancel: CancellationToken,
    /// Takes words about its progress, for the user.
    pub progress: tokio::sync::mpsc::UnboundedSender<String>,
}

/// Reads the arguments of a call, or says in words for the model what is wrong with them.
pub(crate) fn parse_args<T: serde::de::DeserializeOwned>(
    args: &serde_json::Value,
) -> Result<T, String> {
    T::deserialize(args).map_err(|error| format!("The arguments do not fit: {error}."))
}
