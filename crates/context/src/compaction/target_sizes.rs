//! The target size of a compaction, depending on its purpose.
//!
//! Not here: the plan that reaches it (`coverage`).

use skein_domain::ids::PointId;

use super::chosen_range::ChosenRange;
use super::low_headroom::min_headroom;
use crate::limits::Limits;
use crate::window::Window;

/// The reason for planning a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanPurpose {
    /// Automatic: the estimate is above the threshold.
    Threshold,
    /// The provider refused the prompt: get below the threshold if possible, else as low as possible.
    Overflow,
    /// The user asked for a compaction.
    UserRequest,
    /// The user asked for a new version of the latest summary of the path from its first message on.
    Renewal,
    /// W01: the user chose the messages.
    Range(ChosenRange),
    /// The user asked for a new version of the summary of a range.
    RangeRenewal(PointId),
}

/// The target sizes of the window after a compaction, in tokens.
#[derive(Clone, Copy)]
pub(super) struct TargetSizes {
    /// The target.
    pub(super) limit: u32,
    /// A lower target, for which fewer rounds are kept: above it a compaction would soon be due again.
    pub(super) preferred: u32,
    /// A higher limit that is accepted if the target cannot be reached.
    pub(super) acceptable: u32,
    /// As [`super::Plan::at_most`].
    pub(super) at_most: Option<u32>,
    /// The largest window with room for a reply.
    pub(super) with_reply_room: u32,
    /// True if the request could not leave as it is. It had better leave with a short summary and little room
    /// for a reply than not at all.
    pub(super) must_fit: bool,
}

impl TargetSizes {
    pub(super) fn of(window: &Window<'_>, limits: Limits, purpose: PlanPurpose) -> Self {
        let policy = window.conversation.policy;
        let used = window.used.tokens;
        let less = used.saturating_sub(1);
        let ceiling = limits.max_prompt().unwrap_or(u32::MAX);
        let roomy = limits.prompt_limit_with_reserve(policy.output_reserve).unwrap_or(u32::MAX);
        let limit = limits.threshold(policy).unwrap_or(u32::MAX);
        let (with_reply, at_most) = (limit, Some(less));
        let wish = Self {
            limit,
            preferred: with_reply,
            acceptable: roomy,
            at_most,
            with_reply_room: roomy,
            must_fit: false,
        };
        let fits = less.min(ceiling);
        let need = Self { acceptable: fits, at_most: Some(fits), must_fit: true, ..wish };
        match purpose {
            // The refusal shows that the estimate is too low, so the threshold alone is not low enough.
            PlanPurpose::Overflow => Self { limit: limit.min(used / 2), ..need },
            PlanPurpose::Threshold | PlanPurpose::UserRequest if used > ceiling => need,
            PlanPurpose::Threshold => Self {
                preferred: limit.saturating_sub(min_headroom(limit)),
                acceptable: if used > roomy { roomy } else { limit },
                at_most: Some(after_gain_of_a_tenth(used)),
                ..wish
            },
            PlanPurpose::UserRequest | PlanPurpose::Range(_) => wish,
            PlanPurpose::Renewal | PlanPurpose::RangeRenewal(_) => Self { at_most: None, ..wish },
        }
    }
}

/// The largest window after a compaction that gains at least a tenth of `before` tokens.
fn after_gain_of_a_tenth(before: u32) -> u32 {
    before.saturating_sub(before.div_ceil(10).max(1))
}
