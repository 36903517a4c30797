//! Events for the UI: the stream of a turn, and notifications of changes.
//!
//! A notification has topics and no data: the UI reads again what it shows.

use serde::{Deserialize, Serialize};
use skein_domain::error::Error;
use skein_domain::health::HealthSnapshot;
use skein_domain::ids::{GrantKey, MessageId, SessionId, ThreadId};
use skein_domain::message::{Message, ToolCall, ToolState};
use skein_domain::provider_config::ReasoningEffort;
use skein_providers::EffortReason;
use skein_tools::{ApprovalPreview, ToolEffect};
use specta::Type;

/// Receives the events of a turn, for example a channel to the UI.
pub trait EventSink: Send + Sync {
    /// Receives one event. `false`: the receiver is gone.
    fn event(&self, event: &TurnEvent) -> bool;
}

impl<F: Fn(&TurnEvent) -> bool + Send + Sync> EventSink for F {
    fn event(&self, event: &TurnEvent) -> bool {
        self(event)
    }
}

/// A question to the user about a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalRequest {
    /// The message with the call.
    pub message_id: MessageId,
    /// The id of the tool call.
    pub call_id: String,
    /// The name of the tool.
    pub tool: String,
    pub effect: ToolEffect,
    /// The key of a lasting grant.
    pub grant: GrantKey,
    /// The details of the call that the user sees; `None`: only its arguments.
    pub preview: Option<ApprovalPreview>,
}

/// An event of a running turn. Text is sent once per frame, in pieces of less than 8 KiB.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TurnEvent {
    /// A message joins the path: the user's own, a notice, or an empty reply that will grow. It is sent again
    /// when it is complete, and to a sink that attaches late.
    Message {
        /// The message as it is now.
        message: Message,
    },
    /// Text for the last text part of a streaming message; a new part if the last one is of another kind.
    Text {
        message_id: MessageId,
        /// The text to append.
        delta: String,
    },
    /// Text for the last reasoning part of a streaming message.
    Reasoning {
        message_id: MessageId,
        /// The text to append.
        delta: String,
    },
    /// A tool call joins a streaming message.
    ToolCall {
        message_id: MessageId,
        /// The call; its arguments may be incomplete.
        call: ToolCall,
    },
    /// The arguments of a call have grown. Their text comes with the whole message.
    Arguments {
        message_id: MessageId,
        call_id: String,
        /// The length of the arguments so far, in characters.
        chars: u32,
    },
    /// A tool part changed its state.
    Tool {
        message_id: MessageId,
        call_id: String,
        /// The new state of the call.
        state: ToolState,
        /// The progress that a running tool reports.
        progress: Option<String>,
    },
    /// A tool call waits for the user's answer.
    Question { question: ApprovalRequest },
    /// The provider has reported the usage of a reply.
    Usage {
        /// The health of the context by that report.
        health: HealthSnapshot,
    },
    /// The call failed for a temporary reason and is repeated after a wait.
    Retrying {
        /// The error of the attempt that failed.
        error: Error,
        /// Milliseconds until the next attempt.
        wait_ms: u32,
        /// The number of the next attempt, from 1.
        attempt: u32,
    },
    /// The model refused the reasoning effort that the user chose.
    EffortRefused {
        /// The user's choice.
        effort: ReasoningEffort,
        /// The effort that is asked for instead.
        instead: ReasoningEffort,
        /// The reason for the other effort.
        because: EffortReason,
    },
    /// A message left the path: it went back to the composer, or its reply is generated again.
    Removed { message_id: MessageId },
    /// The message waits for a compaction.
    WaitingForCompaction {},
    /// The turn continues in another thread, after an archive or a clear.
    Moved {
        /// The new current thread.
        thread_id: ThreadId,
    },
}

/// Stored data that changed. The UI reads it again if it shows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(tag = "topic", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Topic {
    /// The list of sessions.
    Sessions {},
    /// One session: its settings, threads, drafts.
    Session {
        session_id: SessionId,
    },
    /// The messages or compaction points of a thread.
    Thread {
        thread_id: ThreadId,
    },
    /// The progress of a compaction of a session.
    Compaction {
        /// The session.
        session_id: SessionId,
    },
    /// The estimate and the health of a session, and the reason why it is blocked.
    Context {
        session_id: SessionId,
    },
    Reminders {},
    /// The settings file.
    Settings {},
    /// Providers, their models and windows.
    Providers {},
    /// Tools, MCP servers, skills, memory, prompts.
    Tools {},
    /// A link was opened.
    Links {},
    /// The user asked to close the app window while work is running, or no longer asks.
    Closing {},
    /// The tray appeared or disappeared.
    Desktop {},
    /// The progress of an import.
    Import {},
    /// The data locations: their backups and damages.
    Data {},
    /// Any data: the UI missed some notifications.
    Everything {},
}

/// A notification of the changes since the last notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangeNotification {
    /// The topics, without duplicates.
    pub topics: Vec<Topic>,
}
