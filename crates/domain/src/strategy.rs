//! What happens by itself as the window fills.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What happens by itself as the window fills.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Strategy {
    /// The conversation is compacted into a summary (FR).
    #[default]
    Summarize,
    /// The model is reminded to keep notes and clear its mind (D).
    Remind,
    /// The thread is archived and a new one begins (P).
    Archive,
}
