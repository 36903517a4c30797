//! Reminders: notes of the model and the user that outlive a thread (D13–D15).

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::health::HealthLevel;
use crate::ids::{ReminderId, SessionId};
use crate::message::Origin;

/// The tools with which a model writes its reminders. They change nothing outside of Skein.
pub const TOOLS: [&str; 4] = ["add_reminder", "update_reminder", "delete_reminder", CLEAR_MIND];

/// The tool that begins a new thread (D15).
pub const CLEAR_MIND: &str = "clear_mind";

/// A note placed after the history and before the current message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Reminder {
    /// Key.
    pub id: ReminderId,
    /// The text, never empty.
    pub content: String,
    /// The sessions it applies to.
    pub scope: ReminderScope,
    /// The author.
    pub origin: Origin,
    /// True if the reminder is the hand-over note that a clear relies on.
    pub continuation: bool,
    /// The health level when a hand-over note was written; `None`: unknown, or no hand-over note.
    pub level: Option<HealthLevel>,
    /// The position of the reminder among the others, smallest first.
    pub position: u32,
    /// Milliseconds since the epoch.
    pub created_at: i64,
    /// Milliseconds since the epoch.
    pub updated_at: i64,
}

/// The sessions that a reminder applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ReminderScope {
    /// One session, in all of its threads.
    Session {
        /// The session.
        session_id: SessionId,
    },
    /// All sessions.
    Everywhere {},
}
