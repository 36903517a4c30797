//! What a start found of an import that was cut off. The open store carries it to the UI.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What a start took out of an import that was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InterruptedImport {
    /// How many sessions had arrived.
    pub sessions: u32,
    /// How many messages were in them.
    pub messages: u32,
}
