//! The strategies for a filling window.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The strategy for a filling window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Strategy {
    /// The conversation is compacted into a summary (FR).
    #[default]
    Summarize,
    /// The model is reminded to keep notes and to clear its context (requirements D11 to D16).
    Remind,
    /// The thread is archived and a new one begins (P).
    Archive,
}
