//! How far a compaction must bring a window down, by why it is considered.

use super::low_headroom::step;
use crate::limits::Limits;
use crate::window::Window;

/// Why a compaction is considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanPurpose {
    /// By itself, when the estimate is above the threshold.
    Threshold,
    /// The provider refused: below the threshold if possible, else as far as possible.
    Overflow,
    /// The user asked.
    UserRequest,
    /// The user asked for the latest summary to be written anew.
    Renewal,
}

/// What a plan is to come to, in tokens of the window afterwards.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    /// Where it is to get, if that is in reach.
    pub(super) limit: u32,
    /// Where it had better get, with fewer rounds kept: above that it would soon be due again.
    pub(super) preferred: u32,
    /// Where it may stay if not.
    pub(super) acceptable: u32,
    /// As [`super::Plan::at_most`].
    pub(super) at_most: Option<u32>,
    /// What leaves room for an answer.
    pub(super) with_reply_room: u32,
    /// Whether the request could not leave as it is: what is refused had better leave with a short summary,
    /// and room for a short answer, than not at all.
    pub(super) must_fit: bool,
}

impl Targets {
    pub(super) fn of(window: &Window<'_>, limits: Limits, purpose: PlanPurpose) -> Self {
        let policy = window.conversation.policy;
        let used = window.used.tokens;
        let less = used.saturating_sub(1);
        let ceiling = limits.max_prompt().unwrap_or(u32::MAX);
        let roomy = limits.prompt_limit_with_reserve(policy.output_reserve).unwrap_or(u32::MAX);
        let limit = limits.threshold(policy).unwrap_or(u32::MAX);
        let (apart, at_most) = (limit, Some(less));
        let wish = Self {
            limit,
            preferred: apart,
            acceptable: roomy,
            at_most,
            with_reply_room: roomy,
            must_fit: false,
        };
        let fits = less.min(ceiling);
        let need = Self { acceptable: fits, at_most: Some(fits), must_fit: true, ..wish };
        match purpose {
            // The estimate has just been proved too low: the threshold alone would not do.
            PlanPurpose::Overflow => Self { limit: limit.min(used / 2), ..need },
            PlanPurpose::Threshold | PlanPurpose::UserRequest if used > ceiling => need,
            PlanPurpose::Threshold => Self {
                preferred: limit.saturating_sub(step(limit)),
                acceptable: if used > roomy { roomy } else { limit },
                at_most: Some(a_tenth_less(used)),
                ..wish
            },
            PlanPurpose::UserRequest => wish,
            PlanPurpose::Renewal => Self { at_most: None, ..wish },
        }
    }
}

/// The largest window that a compaction from `before` tokens may leave to have gained a tenth.
fn a_tenth_less(before: u32) -> u32 {
    before.saturating_sub(before.div_ceil(10).max(1))
}
