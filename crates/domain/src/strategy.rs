//! The strategies for a filling window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The strategy for a filling window.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Strategy {
    /// The conversation is compacted into a summary.
    #[default]
    Summarize,
    /// The model is reminded to keep notes and to clear its context.
    Remind,
    /// The thread is archived and a new one begins.
    Archive,
}
