//! The labels of an export, in the user's language.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The labels of an export, in the user's language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportLabels {
    /// BCP 47, for example `en`.
    pub language: String,
    /// The name of a session without one.
    pub untitled: String,
    /// The heading of the user's messages.
    pub you: String,
    /// The heading of the model's messages.
    pub assistant: String,
    /// The heading of summaries.
    pub summary: String,
    /// The heading of the program's notices.
    pub notice: String,
    /// The heading of reasoning.
    pub reasoning: String,
}
