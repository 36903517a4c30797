//! Why a model stopped.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FinishReason {
    /// The model was done.
    Stop,
    /// It wants its tools run.
    ToolCalls,
    /// The output limit was reached.
    Length,
    /// The window was full.
    WindowFull,
    /// The provider filtered it.
    Filtered,
}
