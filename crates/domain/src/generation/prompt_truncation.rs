//! The stored form of a silent truncation. Not here: detecting one (`app::models::silent_truncation`).

use serde::{Deserialize, Serialize};
use specta::Type;

/// The sign of a silent truncation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TruncationKind {
    /// The report is above the window: the window is not what was assumed.
    AboveWindow,
    /// The report is just below the window, and the sent prompt far above it: the beginning was cut off.
    Truncated,
    /// The report is far below the sent prompt, whatever the window is.
    FarBelow,
    /// The reply stopped for length before it began: the prompt left no room.
    NoRoom,
    /// The report is far below the sent prompt, but the server was told to hold it: the report excludes
    /// cached tokens.
    InPart,
}

impl TruncationKind {
    /// True if the reply suffers. False also if the window may be larger than assumed.
    pub fn harms(self) -> bool {
        match self {
            Self::Truncated | Self::FarBelow | Self::NoRoom => true,
            Self::AboveWindow | Self::InPart => false,
        }
    }

    /// True if less was reported than was sent, so that the report cannot calibrate the counter.
    pub fn is_cut(self) -> bool {
        match self {
            Self::Truncated | Self::FarBelow | Self::InPart => true,
            Self::AboveWindow | Self::NoRoom => false,
        }
    }
}

/// A silent truncation, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Truncation {
    /// The sign of it.
    pub how: TruncationKind,
    /// The reported tokens of the prompt.
    pub read: u32,
    /// The estimated tokens of the sent prompt.
    pub sent: u32,
}
