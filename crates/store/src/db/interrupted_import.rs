//! The report on an import that the program's end interrupted. The open store keeps it for the UI.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Sessions and messages of an interrupted import, which the start removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InterruptedImport {
    /// Sessions that had been imported.
    pub sessions: u32,
    /// Messages in these sessions.
    pub messages: u32,
}
