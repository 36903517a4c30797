//! Tools the model may call: built in, from skills, or from MCP servers.
//!
//! Not here: deciding when they run (`turn`), or keeping their results (`store`). Where a tool needs
//! what another room holds it states the operations it needs as a narrow trait; `app` hands it one.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use skein_context::window::ToolDeclaration;
use specta::Type;
use tokio_util::sync::CancellationToken;

/// What a tool may do to the world: decides whether the person is asked first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Effect {
    /// Reads what the person already opened to it; never asked for, may run beside others.
    ReadOnly,
    /// Changes only Skein's own notes (reminders, `clear_mind`); never asked for.
    Notes,
    /// Writes files.
    Writes,
    /// Runs a command.
    Runs,
    /// Reaches out over the network, or is a foreign server's and unknown.
    ReachesOut,
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It ended well: the whole text, not yet cut to its limit.
    Done {
        /// What it returned.
        text: String,
    },
    /// It ended badly, in words for the model.
    Failed {
        /// What went wrong.
        message: String,
    },
}

/// A tool the model may call.
#[async_trait]
pub trait Tool: Send + Sync {
    /// How the model is told of it.
    fn declaration(&self) -> ToolDeclaration;

    /// What this very call may do.
    fn effect(&self, args: &serde_json::Value) -> Effect;

    /// P08: the characters of its output that may enter the context.
    fn output_limit(&self) -> u32;

    /// What the person is shown before saying yes: a command line, a diff, an address.
    fn preview(&self, args: &serde_json::Value) -> Option<String>;

    /// Runs it. Returns soon after `call.cancel` fires; a hanging tool is dropped.
    async fn run(&self, call: Call) -> Outcome;
}

/// One run of a tool.
pub struct Call {
    /// The arguments, valid JSON.
    pub args: serde_json::Value,
    /// Fires when the person stops it.
    pub cancel: CancellationToken,
    /// Takes words about its progress, for the person.
    pub progress: tokio::sync::mpsc::UnboundedSender<String>,
}
