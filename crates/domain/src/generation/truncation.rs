//! What is kept of an overflow that nobody mentioned. Not here: how one is noticed (`silent`).

use serde::{Deserialize, Serialize};
use specta::Type;

/// How an overflow shows that nobody mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TruncationKind {
    /// More was reported than the window holds: the window is not what was thought.
    AboveWindow,
    /// The report is just under the window, and what was sent is far above: the front was cut off.
    Truncated,
    /// The report is far below what was sent, whatever the window is thought to be.
    FarBelow,
    /// The answer stopped for length before it began: the prompt left no room.
    NoRoom,
    /// The report is far below what was sent to a server that was told to hold it: it leaves out what
    /// was read before.
    InPart,
}

impl TruncationKind {
    /// Whether the answer suffers: the window may also be larger than was thought.
    pub fn harms(self) -> bool {
        match self {
            Self::Truncated | Self::FarBelow | Self::NoRoom => true,
            Self::AboveWindow | Self::InPart => false,
        }
    }

    /// Whether less was reported than was sent, so that the report says nothing of how to count.
    pub fn is_cut(self) -> bool {
        match self {
            Self::Truncated | Self::FarBelow | Self::InPart => true,
            Self::AboveWindow | Self::NoRoom => false,
        }
    }
}

/// An overflow that nobody mentioned, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Truncation {
    /// How it showed.
    pub how: TruncationKind,
    /// What was reported of the prompt.
    pub read: u32,
    /// What was sent, by the own estimate.
    pub sent: u32,
}
