//! Tools, prompts and resources of MCP servers. Nothing outside this folder knows `rmcp`.
//!
//! A server is somebody else's program: whatever it answers is data, and whatever becomes of it
//! harms nothing but its own results. Not here: storing configurations (`settings`) and the values
//! they name (`secrets`).

mod backoff;
pub mod change_callback;
pub mod config;
pub mod consent;
pub mod declaration_budget;
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

use serde::{Deserialize, Serialize};
use specta::Type;

/// A server as the user configured it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpServerConfig {
    /// What the user calls it; the beginning of its tools' names.
    pub name: String,
    /// How it is reached.
    pub transport: McpTransport,
    /// Whether it is started at all.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Tools, as the server calls them, that the user wants to run without a question.
    #[serde(default)]
    pub always_allow: Vec<String>,
    /// How long a call may take, in seconds; `None`: ten minutes.
    #[serde(default)]
    pub timeout_seconds: Option<u32>,
}

fn yes() -> bool {
    true
}

/// How a server is reached. Every text may name values as `${NAME}` or `${NAME:-default}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum McpTransport {
    /// A program started here, spoken to over its standard input and output.
    Stdio {
        /// A path, or a name that is looked for.
        command: String,
        /// Its arguments.
        #[serde(default)]
        args: Vec<String>,
        /// What it gets besides PATH, HOME and locale.
        #[serde(default)]
        env: BTreeMap<String, String>,
        /// Where it is started; `None`: in the user's home.
        #[serde(default)]
        cwd: Option<String>,
    },
    /// Streamable HTTP.
    Http {
        /// Where it listens.
        url: String,
        /// Sent with every request.
        #[serde(default)]
        headers: BTreeMap<String, String>,
    },
}

/// A server as it is now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpServerStatus {
    /// As configured.
    pub name: String,
    /// What it is doing.
    pub state: McpState,
    /// Whether the user can sign in there.
    pub sign_in: McpSignIn,
    /// What a sign-in brought is kept, though it may be taken no longer: it can be forgotten.
    pub signed_in: bool,
    /// What its configuration names and the user can give, kept already or not: for
    /// `give_mcp_value`.
    pub values: Vec<String>,
    /// The last lines of what it wrote to its standard error or logged, oldest first.
    pub stderr: Vec<String>,
    /// Its tools, by name.
    pub tools: Vec<McpToolInfo>,
    /// Tools, as it calls them, that the model is not told of: they are described at too great length.
    pub too_long: Vec<String>,
    /// Tools, as it calls them, of whose description the model gets the beginning.
    pub shortened: Vec<String>,
    /// Its prompts: `/` commands.
    pub prompts: Vec<McpPromptInfo>,
    /// Its resources: attachments.
    pub resources: Vec<McpResourceInfo>,
}

/// What a server is doing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum McpState {
    /// Turned off.
    Off {},
    /// Not started before the user has seen what would run, or where it would go.
    NeedsConsent {
        /// The whole command, or the address. Agreeing is agreeing to exactly this text.
        command: String,
        /// The variables of Skein's own environment that it would be given, where they are set.
        environment: Vec<String>,
        /// Values that were taken out of it earlier and stand where the program itself may be named.
        unseen: Vec<String>,
        /// The user agreed to it when dots could stand for more of it than a key.
        again: bool,
    },
    /// Being started or connected.
    Starting {},
    /// Its tools can be called.
    Ready {},
    /// It is not there.
    Failed {
        /// Why.
        fault: McpServerError,
        /// When it is tried again, in milliseconds since the epoch; `None`: not by itself.
        retry_at: Option<i64>,
    },
}

/// Whether the user can sign in to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum McpSignIn {
    /// It does not ask for that, or was given a key instead.
    NotAsked {},
    /// It wants that.
    Offered {},
    /// The browser is open, or about to be.
    Waiting {},
}

/// Why a server is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum McpServerError {
    /// The program is not on this machine, as far as could be found out.
    ProgramMissing {
        /// As configured.
        program: String,
    },
    /// The configuration names a value that is nowhere.
    ValueMissing {
        /// Its name.
        name: String,
    },
    /// The configuration cannot be used, for example an address that is none.
    Invalid {
        /// For a developer.
        detail: String,
    },
    /// The program could not be started, or ended.
    Ended {
        /// Its exit code; `None` when it was ended by a signal or never ran.
        code: Option<i32>,
        /// For a developer.
        detail: String,
    },
    /// Nothing answers there.
    Unreachable {
        /// For a developer.
        detail: String,
    },
    /// It wants the user to sign in, or the key is wrong.
    Unauthorized {},
    /// What a sign-in brought is old, and could not be renewed.
    NotRenewed {
        /// For a developer.
        detail: String,
    },
    /// Something answers, but nothing there speaks streamable HTTP. Servers that only have the older
    /// transport over SSE answer so.
    NotSpoken {
        /// The HTTP status.
        status: u16,
    },
    /// It did not say hello in time.
    TimedOut {
        /// How long was waited.
        seconds: u32,
    },
    /// It answers, but not as the protocol has it.
    Protocol {
        /// For a developer.
        detail: String,
    },
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpToolInfo {
    /// As declared to the model, `server__tool`: the name of its switch.
    pub name: String,
    /// As the server calls it.
    pub tool: String,
    /// For the user; `None` when the server gives none.
    pub title: Option<String>,
    /// For the model.
    pub description: String,
}

/// A prompt of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpPromptInfo {
    /// As the server calls it.
    pub name: String,
    /// For the user; `None` when the server gives none.
    pub title: Option<String>,
    /// For the user; `None` when the server gives none.
    pub description: Option<String>,
    /// What it asks for.
    pub arguments: Vec<McpPromptArgument>,
}

/// What a prompt asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpPromptArgument {
    /// Its name.
    pub name: String,
    /// For the user; `None` when the server gives none.
    pub description: Option<String>,
    /// Whether the prompt cannot do without.
    pub required: bool,
}

/// A resource of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct McpResourceInfo {
    /// Its address.
    pub uri: String,
    /// For the user.
    pub name: String,
    /// For the user; `None` when the server gives none.
    pub description: Option<String>,
    /// For example `text/plain`; `None` when the server does not say.
    pub media_type: Option<String>,
}

/// What reading a resource brought: one or more pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpResource {
    pub uri: String,
    /// For example `text/plain`; `None` when the server does not say.
    pub media_type: Option<String>,
    pub content: McpResourceContent,
}

/// What a piece of a resource is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpResourceContent {
    Text {
        text: String,
    },
    /// Anything else.
    Bytes {
        bytes: Vec<u8>,
    },
}
