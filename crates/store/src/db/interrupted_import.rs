//! What a start found of an import that was cut off. The open store carries it to the UI.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The sessions and messages that the start removed because their import had been cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InterruptedImport {
    /// Sessions that had arrived.
    pub sessions: u32,
    /// Messages in these sessions.
    pub messages: u32,
}
