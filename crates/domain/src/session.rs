//! A session is a conversation in the sidebar; a thread is one part of it.
//!
//! Not here: messages (`message`), the contents of the window (`context::window`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::ids::{MessageId, SessionId, ThreadId};
use crate::model::{ModelRef, ReasoningEffort};
use crate::strategy::Strategy;

/// A conversation in the sidebar. Owns its overrides, its reminders and its threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Key.
    pub id: SessionId,
    /// The title in the sidebar; `None` until the user or the model named it.
    pub title: Option<String>,
    /// True if the session is pinned to the top of the sidebar.
    pub pinned: bool,
    /// The thread of the next message.
    pub current_thread: ThreadId,
    /// The model of the next generation; `None` follows the global default.
    pub model: Option<ModelRef>,
    /// The session's overrides of the global settings.
    pub overrides: SessionOverrides,
    /// Milliseconds since the epoch.
    pub created_at: i64,
    /// Milliseconds since the epoch; the time of the latest message.
    pub updated_at: i64,
}

/// A session's overrides of the global settings. `None` follows the global value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionOverrides {
    /// FR-4.3: the session's own switch for automatic actions.
    pub auto_compaction: Option<Switch>,
    /// The strategy for a filling window.
    pub strategy: Option<Strategy>,
    /// The user's instructions for this session, part of the system prompt.
    pub instructions: Option<String>,
    /// The folder that the built-in tools may access; `None`: they access none.
    pub folder: Option<String>,
    /// The reasoning effort, if the model is known to reason; `None`: the user's value for the model.
    pub effort: Option<ReasoningEffort>,
}

impl SessionOverrides {
    /// The overrides with one of them changed.
    #[must_use]
    pub fn with(mut self, decided: SessionOverride) -> Self {
        match decided {
            SessionOverride::AutoCompaction(switch) => self.auto_compaction = switch,
            SessionOverride::Strategy(strategy) => self.strategy = strategy,
            SessionOverride::Instructions(instructions) => self.instructions = instructions,
            SessionOverride::Folder(folder) => self.folder = folder,
            SessionOverride::Effort(effort) => self.effort = effort,
        }
        self
    }
}

/// One override of a session; `None` follows the global value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "name", content = "value", rename_all = "camelCase")]
pub enum SessionOverride {
    /// The session's own switch for automatic actions.
    AutoCompaction(Option<Switch>),
    /// The strategy for a filling window.
    Strategy(Option<Strategy>),
    /// The user's instructions.
    Instructions(Option<String>),
    /// The folder of the built-in tools.
    Folder(Option<String>),
    /// The reasoning effort.
    Effort(Option<ReasoningEffort>),
}

/// On or off.
// An enum, because the third state ("follow the global setting") is an absent value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

/// A part of a session with its own messages and its own compaction points.
///
/// A thread is a tree of messages; the path from its root to `leaf` is shown and sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    /// Key.
    pub id: ThreadId,
    /// The session it belongs to.
    pub session_id: SessionId,
    /// The number of the thread within its session, from 1.
    pub number: u32,
    /// The end of the path that is shown and sent; `None` while the thread is empty.
    pub leaf: Option<MessageId>,
    /// The reason why it was begun.
    pub beginning: ThreadStart,
    /// Milliseconds since the epoch.
    pub created_at: i64,
    /// The time when another thread replaced it, in milliseconds since the epoch; `None` while it is current.
    pub ended_at: Option<i64>,
}

/// The reason why a thread was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ThreadStart {
    /// The thread is the first of its session.
    First {},
    /// The user asked for a new thread.
    Person {},
    /// P05: the former thread was full and was archived.
    Archived {
        /// The threshold of archiving, in percent of the window.
        percent: u32,
        /// The name of the file in `archive/`.
        file: String,
    },
    /// D15: the context was cleared.
    Cleared {
        /// The author of the clear.
        by: ClearedBy,
    },
}

/// The author of a clear (D15).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ClearedBy {
    /// The user, with `/clear`.
    Person,
    /// The model, with the tool `clear_mind`.
    Model,
    /// The countdown of the critical level.
    Countdown,
}
