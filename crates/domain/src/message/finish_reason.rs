//! The finish reason of a reply.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The finish reason of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FinishReason {
    /// The model finished.
    Stop,
    /// The model wants its tools run.
    ToolCalls,
    /// The output limit was reached.
    Length,
    /// The window was full.
    WindowFull,
    /// The provider filtered it.
    Filtered,
}
