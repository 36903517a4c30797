//! The plan of a compaction: the messages it covers and the tokens it saves, before anything is written.
//!
//! If a request could not leave otherwise, any gain that makes it fit is enough, and the latest summary may
//! be rewritten and shortened. The plan first shortens the summary, then drops facts. Not here: choosing the
//! messages (`coverage`).

use serde::{Deserialize, Serialize};
use skein_domain::ids::{MessageId, PointId};
use specta::Type;

use super::coverage::CoveragePlanner;
use super::target_sizes::{PlanPurpose, TargetSizes};
use crate::cost::estimate::TokenRange;
use crate::limits::Limits;
use crate::tokens::message_tokens::saturating_sum;
use crate::window::Window;

/// The shortest summary, in tokens: a shorter one has no room for headings.
pub(super) const SUMMARY_LEAST: u32 = 64;

/// The result of planning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PlanOutcome {
    /// Nothing needs to be done, or nothing is old enough to be covered.
    Fine {},
    /// The window can be compacted.
    Compact {
        /// The plan.
        plan: Plan,
    },
    /// Law 1: no compaction would get below the limit, or it would gain too little.
    Stuck {
        /// The smallest window that a compaction could reach, in tokens.
        floor: u32,
        /// The limit that it would have to get below, in tokens.
        limit: u32,
    },
}

/// The messages that a compaction covers, and the expected sizes. All sizes are in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// The messages that the summary is written from, oldest first. Never a message that is pinned or left
    /// out, the user's newest one, or one of the current round (law 6). Empty if an existing summary is only
    /// shortened.
    pub covered: Vec<MessageId>,
    /// The pinned messages before the boundary that neither are in `covered` nor went into the summary that
    /// is updated. A summary that continues the conversation reads them too.
    pub unread: Vec<MessageId>,
    /// The last message before those the point covers, which stays as it is. `None`: the point covers the
    /// path from its first message on.
    pub starts_after: Option<MessageId>,
    /// The last message that is no longer sent afterwards; the end of a round.
    pub boundary: MessageId,
    /// The point whose summary is updated: the newest that is not stale. `None`: the summary is written from
    /// the originals.
    pub previous: Option<PointId>,
    /// Tokens that the new summary replaces; it must be shorter.
    pub replaced: u32,
    /// Estimated tokens of the window before.
    pub before: u32,
    /// Estimated tokens of the window afterwards, with a summary and facts as long as allowed.
    pub expected_after: u32,
    /// The number of complete rounds that stay verbatim.
    pub kept_rounds: u32,
    /// The longest summary, in tokens.
    pub summary_room: u32,
    /// The largest size of the facts beside the summary ([`crate::facts::facts_room`]).
    pub facts_room: u32,
    /// The largest size of summary and facts together, if the summary is short
    /// ([`crate::facts::summary_and_facts_room`]); never more than both together.
    pub summary_and_facts_room: u32,
    /// The most tokens that the window may have afterwards for the compaction to be worthwhile. If the call
    /// could not leave: the largest prompt that the model takes. `None`: any result is worthwhile.
    pub at_most: Option<u32>,
}

impl Plan {
    /// Estimated tokens of the window afterwards, with a summary and facts of these sizes.
    pub fn after(&self, summary: u32, facts: u32) -> u32 {
        saturating_sum([self.rest(), summary, facts])
    }

    /// Estimated tokens of the window afterwards, from a summary and facts of no length to ones as long as
    /// allowed.
    pub fn range_after(&self) -> TokenRange {
        TokenRange { least: self.rest(), most: self.expected_after }
    }

    /// The largest size of the facts beside a summary of this size, in tokens; a short summary leaves them
    /// more room. `None`: the summary alone is too long for the compaction to be worthwhile.
    pub fn facts_room_beside(&self, summary: u32) -> Option<u32> {
        let room = self.at_most.map_or(Some(u32::MAX), |most| most.checked_sub(self.rest()))?;
        let both = self.summary_room.saturating_add(self.facts_room);
        let left = self.summary_and_facts_room.min(both).saturating_sub(summary);
        Some(room.checked_sub(summary)?.min(self.facts_room.max(left)))
    }

    /// Estimated tokens of the window afterwards without summary and facts.
    fn rest(&self) -> u32 {
        let summary_and_facts = self.summary_room.saturating_add(self.facts_room);
        self.expected_after.saturating_sub(summary_and_facts)
    }

    pub(super) fn is_worthwhile(&self) -> bool {
        self.at_most.is_none_or(|most| self.expected_after <= most)
    }

    /// Shortens the summary, then the facts, until the window has `tokens`, or as few as possible.
    pub(super) fn shrink_to(self, tokens: u32) -> Self {
        let over = self.expected_after.saturating_sub(tokens);
        let from_summary = over.min(self.summary_room.saturating_sub(SUMMARY_LEAST));
        let facts = over.saturating_sub(from_summary).min(self.facts_room);
        Self {
            expected_after: self.expected_after.saturating_sub(from_summary).saturating_sub(facts),
            summary_room: self.summary_room.saturating_sub(from_summary),
            facts_room: self.facts_room.saturating_sub(facts),
            ..self
        }
    }
}

/// FR-1.2: plans a compaction of a window.
///
/// The rounds kept verbatim take at most a quarter of the threshold. Fewer are kept if the result would
/// otherwise exceed the limit. An automatic compaction gains at least a tenth; if the request could not leave
/// as it is, any gain that makes it fit is worthwhile.
pub fn plan(window: &Window<'_>, limits: Limits, purpose: PlanPurpose) -> PlanOutcome {
    let over = window.exceeds(limits.threshold(window.conversation.policy));
    let planner = CoveragePlanner::of(window, limits, TargetSizes::of(window, limits, purpose));
    let outcome = |plan: Option<Plan>| {
        plan.map_or(PlanOutcome::Fine {}, |plan| PlanOutcome::Compact { plan })
    };
    match purpose {
        PlanPurpose::Threshold if !over => PlanOutcome::Fine {},
        PlanPurpose::UserRequest if !over => {
            outcome(planner.plan_keeping(planner.rounds_that_fit()).filter(Plan::is_worthwhile))
        }
        PlanPurpose::Renewal => outcome(planner.renewal()),
        PlanPurpose::RangeRenewal(point) => outcome(planner.range_renewal(point)),
        PlanPurpose::Range(range) => chosen_by_user(planner.plan_range(range)),
        PlanPurpose::Threshold | PlanPurpose::UserRequest | PlanPurpose::Overflow => {
            planner.shrink()
        }
    }
}

/// The outcome for a range that the user chose.
fn chosen_by_user(plan: Option<Plan>) -> PlanOutcome {
    match plan {
        None => PlanOutcome::Fine {},
        Some(plan) if plan.is_worthwhile() => PlanOutcome::Compact { plan },
        Some(Plan { expected_after: floor, before: limit, .. }) => {
            PlanOutcome::Stuck { floor, limit }
        }
    }
}
