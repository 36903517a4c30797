//! Notes that outlive a thread: what the model and the user keep at hand (D13–D15).

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::health::HealthLevel;
use crate::ids::{ReminderId, SessionId};
use crate::message::Origin;

/// The tools a model keeps its notes with. They change nothing outside of Skein.
pub const TOOLS: [&str; 4] = ["add_reminder", "update_reminder", "delete_reminder", CLEAR_MIND];

/// The one of them that begins a new thread (D15).
pub const CLEAR_MIND: &str = "clear_mind";

/// A note placed after the history and before the current message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Reminder {
    /// Key.
    pub id: ReminderId,
    /// Never empty.
    pub content: String,
    /// Where it holds.
    pub scope: ReminderScope,
    /// Who wrote it.
    pub origin: Origin,
    /// Whether it is the continuation package that a clear relies upon.
    pub continuation: bool,
    /// How the context stood when a continuation package was written; `None`: not known, or no
    /// package.
    pub level: Option<HealthLevel>,
    /// Its place among the others, smallest first.
    pub position: u32,
    /// Milliseconds since the epoch.
    pub created_at: i64,
    /// Milliseconds since the epoch.
    pub updated_at: i64,
}

/// Where a reminder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ReminderScope {
    /// In one session, through all of its threads.
    Session {
        /// Which.
        session_id: SessionId,
    },
    /// In every session.
    Everywhere {},
}
