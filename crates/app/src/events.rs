//! What the window is told while it watches: a turn's own stream, and broadcasts of what changed.
//!
//! Broadcasts carry topics, never payloads: the window reads again what it shows.

use serde::{Deserialize, Serialize};
use skein_domain::error::Error;
use skein_domain::health::HealthSnapshot;
use skein_domain::ids::{GrantKey, MessageId, SessionId, ThreadId};
use skein_domain::message::{Message, ToolCall, ToolState};
use skein_domain::provider_config::ReasoningEffort;
use skein_providers::EffortReason;
use skein_tools::{ApprovalPreview, ToolEffect};
use specta::Type;

/// Takes the events of a turn, for example a channel into a window.
pub trait EventSink: Send + Sync {
    /// Takes one event. `false`: nobody is there any more.
    fn event(&self, event: &TurnEvent) -> bool;
}

/// A question about a tool call, until it is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalRequest {
    /// The message with the call.
    pub message_id: MessageId,
    /// The call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// What it may do.
    pub effect: ToolEffect,
    /// What a lasting yes would cover.
    pub grant: GrantKey,
    /// What exactly would happen.
    pub preview: Option<ApprovalPreview>,
}

/// What a turn streams to the window that watches it. Deltas are batched to one flush per frame
/// and kept under 8 KiB.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TurnEvent {
    /// A stored message joins the path: the person's own, a notice, or an empty reply that will
    /// grow. Sent again as a whole when it is complete, or to someone who attaches late.
    Message {
        /// As stored at this moment.
        message: Message,
    },
    /// Text for the last text part of a growing message (a new part if the last is another kind).
    Text {
        /// Which message.
        message_id: MessageId,
        /// Appended.
        delta: String,
    },
    /// The same for reasoning.
    Reasoning {
        /// Which message.
        message_id: MessageId,
        /// Appended.
        delta: String,
    },
    /// A tool call joins a growing message.
    ToolCall {
        /// Which message.
        message_id: MessageId,
        /// The call; its arguments may still be arriving.
        call: ToolCall,
    },
    /// The arguments of a call of a growing message have grown. What they are comes with the whole message.
    Arguments {
        /// Which message.
        message_id: MessageId,
        /// Which call.
        call_id: String,
        /// Characters of them so far.
        chars: u32,
    },
    /// A tool part changed its state.
    Tool {
        /// Which message.
        message_id: MessageId,
        /// Which call.
        call_id: String,
        /// Its state now.
        state: ToolState,
        /// Words of a running tool about its progress.
        progress: Option<String>,
    },
    /// A tool call waits for the person's yes.
    Question {
        /// What is asked.
        question: ApprovalRequest,
    },
    /// The provider has reported the usage of a reply.
    Usage {
        /// The health of the context by that report.
        health: HealthSnapshot,
    },
    /// The call was refused for a passing reason and is made again; a countdown may be shown.
    Retrying {
        /// What was in its way.
        error: Error,
        /// Until the next attempt.
        wait_ms: u32,
        /// Counted from 1.
        attempt: u32,
    },
    /// The model refused to think as hard, or as little, as the person wants.
    EffortRefused {
        /// As the person wants.
        effort: ReasoningEffort,
        /// As it is asked to instead.
        instead: ReasoningEffort,
        /// Why.
        because: EffortReason,
    },
    /// A message left the path: it went back into the box, or its reply will come again.
    Removed {
        /// Which.
        message_id: MessageId,
    },
    /// Waiting for a compaction before this message can leave.
    WaitingForCompaction {},
    /// The turn goes on in another thread (archived or cleared).
    Moved {
        /// The new current thread.
        thread_id: ThreadId,
    },
}

/// Something stored changed; whoever shows it reads it again.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(tag = "topic", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Topic {
    /// The list of sessions.
    Sessions {},
    /// One session: its settings, threads, drafts.
    Session {
        /// Which.
        session_id: SessionId,
    },
    /// The messages or compaction points of a thread.
    Thread {
        /// Which.
        thread_id: ThreadId,
    },
    /// The progress of a compaction of a session.
    Compaction {
        /// Which session.
        session_id: SessionId,
    },
    /// The estimate and health of a session, and what stands in its way.
    Context {
        /// Which session.
        session_id: SessionId,
    },
    /// Reminders.
    Reminders {},
    /// The settings file.
    Settings {},
    /// Providers, their models and windows.
    Providers {},
    /// Tools, MCP servers, skills, memory, prompts.
    Tools {},
    /// A link was opened.
    Links {},
    /// The person wants the window closed while something runs, or no longer.
    Closing {},
    /// The progress of an import.
    Import {},
    /// Where everything is kept: its copies, and whether it is whole.
    Data {},
    /// Perhaps anything: more changed than a slow window was told of.
    Everything {},
}

/// The broadcast: what changed since the last one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChangeNotification {
    /// Without repetition.
    pub topics: Vec<Topic>,
}
