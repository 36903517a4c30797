//! A session is a conversation in the sidebar; a thread is one stretch of it.
//!
//! Not here: messages (`message`), what fills the window (`window`).

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
    /// Shown in the sidebar; `None` until the user or the model named it.
    pub title: Option<String>,
    /// Kept at the top of the sidebar.
    pub pinned: bool,
    /// The thread a new message goes to.
    pub current_thread: ThreadId,
    /// The model of the next generation; `None` follows the global default.
    pub model: Option<ModelRef>,
    /// What this session decides otherwise than the global settings.
    pub overrides: SessionOverrides,
    /// Milliseconds since the epoch.
    pub created_at: i64,
    /// Milliseconds since the epoch; the time of the latest message.
    pub updated_at: i64,
}

/// What one session decides otherwise than the global settings. `None` follows the global value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionOverrides {
    /// FR-4.3: the session's own switch.
    pub auto_compaction: Option<Switch>,
    /// What happens by itself as the window fills.
    pub strategy: Option<Strategy>,
    /// The user's own instructions for this session, part of the system prompt.
    pub instructions: Option<String>,
    /// The folder the built-in tools may touch; `None`: they touch nothing.
    pub folder: Option<String>,
    /// How hard its model is asked to think, where that is known to think; `None`: as the user set
    /// for the model.
    pub effort: Option<ReasoningEffort>,
}

impl SessionOverrides {
    /// The same with one thing decided anew, and all else as it is.
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

/// One thing that a session decides; `None` follows the global value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "name", content = "value", rename_all = "camelCase")]
pub enum SessionOverride {
    /// The session's own switch.
    AutoCompaction(Option<Switch>),
    /// What happens by itself.
    Strategy(Option<Strategy>),
    /// The user's own instructions.
    Instructions(Option<String>),
    /// The folder of the built-in tools.
    Folder(Option<String>),
    /// How hard to think.
    Effort(Option<ReasoningEffort>),
}

/// On or off. An enum, because a third state ("follow the global setting") is an absent value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Switch {
    /// It acts by itself.
    On,
    /// Only the user acts.
    Off,
}

/// One stretch of a session with its own messages and its own compaction points.
///
/// A thread is a tree of messages; what is seen and sent is the path from its root to `leaf`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    /// Key.
    pub id: ThreadId,
    /// The session it belongs to.
    pub session_id: SessionId,
    /// Counted from 1 within its session.
    pub number: u32,
    /// The end of the path that is seen and sent; `None` while the thread is empty.
    pub leaf: Option<MessageId>,
    /// Why it exists.
    pub beginning: ThreadStart,
    /// Milliseconds since the epoch.
    pub created_at: i64,
    /// When another thread took its place; `None` while it is the current one.
    pub ended_at: Option<i64>,
}

/// Why a thread was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ThreadStart {
    /// With its session.
    First {},
    /// The user asked for a new thread.
    Person {},
    /// P05: the thread before it was full and was archived.
    Archived {
        /// Percent of the window at which it was.
        percent: u32,
        /// Name of the file in `archive/`.
        file: String,
    },
    /// D15: the mind was cleared.
    Cleared {
        /// Who cleared it.
        by: ClearedBy,
    },
}

/// Who cleared the mind (D15).
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
