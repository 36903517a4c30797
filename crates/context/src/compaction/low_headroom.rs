//! Whether a compacted window has so little room below its threshold that it would soon be compacted again.

use crate::limits::Limits;
use crate::window::{EntryContent, Window};

/// A window in which what is always sent, and what stands for the past, leave so little below the threshold
/// that it would be compacted again after a few messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LowHeadroom {
    /// Tokens that are always sent, with summary, facts and pinned messages.
    pub floor: u32,
    /// Above so many tokens it is compacted.
    pub limit: u32,
}

/// The room that a compaction by the threshold leaves below it at least: a quarter.
pub(super) fn step(threshold: u32) -> u32 {
    threshold / 4
}

/// Whether a window that was compacted has too little room left below its threshold.
pub fn low_headroom(window: &Window<'_>, limits: Limits) -> Option<LowHeadroom> {
    window.applied_point?;
    let limit = limits.threshold(window.conversation.policy)?;
    let floor = window.tokens_excluding(|content| match content {
        EntryContent::Message { .. }
        | EntryContent::Passages { .. }
        | EntryContent::Draft { .. }
        | EntryContent::ContinueReply { .. } => true,
        EntryContent::Opening
        | EntryContent::Summary { .. }
        | EntryContent::Anchors { .. }
        | EntryContent::Recall { .. }
        | EntryContent::Pinned { .. }
        | EntryContent::Reminder { .. } => false,
    });
    (floor > limit.saturating_sub(step(limit))).then_some(LowHeadroom { floor, limit })
}
