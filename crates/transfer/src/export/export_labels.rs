//! The words of an export, in the user's language.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The words of an export, in the user's language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportLabels {
    /// BCP 47, for example `en`.
    pub language: String,
    /// Where a session has no name.
    pub untitled: String,
    /// Over the user's messages.
    pub you: String,
    /// Over the model's.
    pub assistant: String,
    /// Over summaries.
    pub summary: String,
    /// Over the program's.
    pub notice: String,
    /// Over reasoning.
    pub reasoning: String,
}
