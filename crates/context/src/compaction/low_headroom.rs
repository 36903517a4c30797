//! Detects a compacted window with so little room below its threshold that it would soon be compacted again.
//!
//! Not here: a compaction that would leave such a window (`coverage`).

use crate::limits::Limits;
use crate::window::{EntryContent, Window};

/// A window that would be compacted again after a few messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LowHeadroom {
    /// Tokens of the prefix, the reminders, the summary, the facts and the pinned messages.
    pub floor: u32,
    /// The compaction threshold, in tokens.
    pub limit: u32,
}

/// The room that an automatic compaction should leave below the threshold: a quarter of it.
pub(super) fn min_headroom(threshold: u32) -> u32 {
    threshold / 4
}

/// The numbers of a window that has too little room even though it is compacted. `None`: the window has
/// room, or is not compacted.
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
        | EntryContent::Facts { .. }
        | EntryContent::SearchHint { .. }
        | EntryContent::Pinned { .. }
        | EntryContent::Reminder { .. } => false,
    });
    (floor > limit.saturating_sub(min_headroom(limit))).then_some(LowHeadroom { floor, limit })
}
