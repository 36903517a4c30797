//! Tools, prompts and resources of MCP servers. Only this folder uses `rmcp`.
//!
//! A server is a foreign program: its responses are data, and its failures affect only its own
//! results. Not here: storing configurations (`settings`) and secrets (`secrets`).

mod backoff;
pub mod config;
pub mod consent;
pub mod declaration_room;
mod errors;
pub mod hub;
pub mod keys;
pub mod oauth;
mod server;
mod server_features;
mod server_log;
mod tool;
mod transport;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use specta::Type;

/// Called whenever the state or the features of a server have changed.
type ChangeCallback = Arc<dyn Fn() + Send + Sync>;

/// A server's configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpServerConfig {
    /// The user's name for it, which prefixes the names of its tools.
    pub name: String,
    /// The way to reach it.
    pub transport: McpTransport,
    /// False: the server is not started.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Tools that run without approval, by the server's names.
    #[serde(default)]
    pub always_allow: Vec<String>,
    /// The time limit of a call, in seconds; `None`: ten minutes.
    #[serde(default)]
    pub timeout_seconds: Option<u32>,
}

fn yes() -> bool {
    true
}

/// The way to reach a server. Every text may contain `${NAME}` or `${NAME:-default}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum McpTransport {
    /// A local program with the protocol on its standard input and output.
    Stdio {
        /// A path, or a name looked up in the PATH.
        command: String,
        /// The arguments of the command.
        #[serde(default)]
        args: Vec<String>,
        /// Variables beside PATH, HOME and locale.
        #[serde(default)]
        env: BTreeMap<String, String>,
        /// The working directory; `None`: the user's home.
        #[serde(default)]
        cwd: Option<String>,
    },
    /// Streamable HTTP.
    Http {
        /// The address.
        url: String,
        /// Sent with every request.
        #[serde(default)]
        headers: BTreeMap<String, String>,
    },
}

/// The present status of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpServerStatus {
    /// The name in the configuration.
    pub name: String,
    pub state: McpState,
    /// The state of signing in.
    pub sign_in: McpSignIn,
    /// True if tokens are stored, valid or not, so that the user can delete them.
    pub signed_in: bool,
    /// The values that its configuration needs, given or not, for `give_mcp_value`.
    pub values: Vec<String>,
    /// The last lines of its standard error and log messages, oldest first.
    pub stderr: Vec<String>,
    /// The tools of the server, by name.
    pub tools: Vec<McpToolInfo>,
    /// Tools that are not declared because their description is too long, by the server's names.
    pub too_long: Vec<String>,
    /// Tools whose description is truncated, by the server's names.
    pub shortened: Vec<String>,
    /// The prompts of the server, which are `/` commands.
    pub prompts: Vec<McpPromptInfo>,
    /// The resources of the server, which can be attached.
    pub resources: Vec<McpResourceInfo>,
}

/// The state of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum McpState {
    /// Turned off.
    Off {},
    /// Not started until the user has approved the command or address.
    NeedsConsent {
        /// The whole command, or the address. The consent covers exactly this text.
        command: String,
        /// The set variables of Skein's own environment that it would get.
        environment: Vec<String>,
        /// Values extracted by an earlier version that may be the program itself.
        unseen: Vec<String>,
        /// True if the user approved an earlier text, in which masks could hide more than keys.
        again: bool,
    },
    /// Starting or connecting.
    Starting {},
    /// The tools of the server can be called.
    Ready {},
    Failed {
        /// The reason.
        fault: McpServerError,
        /// The time of the next attempt, in milliseconds since the epoch; `None`: there is none.
        retry_at: Option<i64>,
    },
}

/// The state of signing in to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum McpSignIn {
    /// Not needed, or the server got a key instead.
    NotAsked {},
    /// The server asks for it.
    Offered {},
    /// The browser is open, or about to be.
    Waiting {},
}

/// The reason why a server failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum McpServerError {
    /// The program was not found on this machine.
    ProgramMissing {
        /// The command in the configuration.
        program: String,
    },
    /// The configuration names a value that is not set.
    ValueMissing {
        /// The value's name.
        name: String,
    },
    /// The configuration is invalid, for example its address.
    Invalid {
        /// For developers.
        detail: String,
    },
    /// The program could not be started, or exited.
    Ended {
        /// The exit code; `None` if a signal ended it or it never ran.
        code: Option<i32>,
        /// For developers.
        detail: String,
    },
    /// The host does not respond.
    Unreachable {
        /// For developers.
        detail: String,
    },
    /// The user must sign in, or the key is wrong.
    Unauthorized {},
    /// The tokens are expired and could not be renewed.
    NotRenewed {
        /// For developers.
        detail: String,
    },
    /// The server responds, but not in streamable HTTP. Servers with only the older SSE transport
    /// do so.
    NotSpoken {
        /// The HTTP status.
        status: u16,
    },
    /// The handshake took too long.
    TimedOut {
        /// The time limit, in seconds.
        seconds: u32,
    },
    /// The server violates the protocol.
    Protocol {
        /// For developers.
        detail: String,
    },
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpToolInfo {
    /// The declared name, `server__tool`, which is also the name of its switch.
    pub name: String,
    /// The server's name for it.
    pub tool: String,
    /// For the user; `None` if the server states none.
    pub title: Option<String>,
    /// For the model.
    pub description: String,
}

/// A prompt of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpPromptInfo {
    /// The server's name for it.
    pub name: String,
    /// For the user; `None` if the server states none.
    pub title: Option<String>,
    /// For the user; `None` if the server states none.
    pub description: Option<String>,
    /// The parameters of the prompt.
    pub arguments: Vec<McpPromptArgument>,
}

/// A parameter of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpPromptArgument {
    pub name: String,
    /// For the user; `None` if the server states none.
    pub description: Option<String>,
    /// True if the argument must be given.
    pub required: bool,
}

/// A resource of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpResourceInfo {
    /// The address.
    pub uri: String,
    /// The name, for the user.
    pub name: String,
    /// For the user; `None` if the server states none.
    pub description: Option<String>,
    /// For example `text/plain`; `None` if the server does not say.
    pub media_type: Option<String>,
}

/// A piece of a resource that was read. One resource may consist of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpResource {
    pub uri: String,
    /// For example `text/plain`; `None` if the server does not say.
    pub media_type: Option<String>,
    pub content: McpResourceContent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpResourceContent {
    Text { text: String },
    Bytes { bytes: Vec<u8> },
}
