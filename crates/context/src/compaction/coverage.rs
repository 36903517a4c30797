//! Chooses the messages that a compaction covers, and computes the sizes of its plan.
//!
//! Not here: which plan is asked for (`plan`), and its target size (`target_sizes`).

use std::ops::Range;

use skein_domain::compaction_point::CompactionPoint;
use skein_domain::ids::MessageId;
use skein_domain::message::Inclusion;

use super::plan::{Plan, PlanOutcome, SUMMARY_LEAST};
use super::target_sizes::TargetSizes;
use crate::facts;
use crate::limits::{Limits, scale};
use crate::tokens::message_tokens::{CountedMessageRef, saturating_sum};
use crate::window::{EntryContent, Window, WindowInput, path_index};

/// The longest summary, in tokens.
const SUMMARY_CAP: u32 = 6_000;

/// The divisor of a summary's share: a tenth of the messages it covers, because the facts stand beside it.
const SUMMARY_SHARE: u32 = 10;

/// The length in tokens up to which a summary may have a quarter of the messages instead: a shorter one is of
/// little use.
const SUMMARY_PLAIN: u32 = 500;

/// The sources of a summary: an earlier summary, and the messages after it.
#[derive(Clone, Copy, Default)]
pub(super) struct SummaryBase<'a> {
    /// The point whose summary is updated; `None`: the summary is written from the originals only.
    pub(super) point: Option<&'a CompactionPoint>,
    /// Index on the path of the first message to read.
    pub(super) from: usize,
}

/// Plans compactions of one window.
pub(super) struct CoveragePlanner<'w, 'a> {
    pub(super) window: &'w Window<'a>,
    aim: TargetSizes,
    /// The compaction threshold in tokens; that of an assumed window if the window is unknown.
    threshold: u32,
    /// True if the window is known.
    is_threshold_known: bool,
}

impl<'w, 'a> CoveragePlanner<'w, 'a> {
    pub(super) fn of(window: &'w Window<'a>, limits: Limits, aim: TargetSizes) -> Self {
        let policy = window.conversation.policy;
        Self {
            window,
            aim,
            threshold: limits.assumed_threshold(policy),
            is_threshold_known: limits.threshold(policy).is_some(),
        }
    }

    /// The number of rounds to keep: the user's setting, but no more than a quarter of the threshold has room
    /// for.
    pub(super) fn rounds_that_fit(&self) -> u32 {
        let complete = u32::try_from(self.window.rounds.complete_count()).unwrap_or(u32::MAX);
        let wish = self.window.conversation.policy.keep_rounds.min(complete);
        if !self.is_threshold_known {
            return wish;
        }
        let end = self.window.rounds.open_start();
        (1..=wish)
            .rev()
            .find(|keep| {
                self.tokens_in(self.window.rounds.start_of_last(*keep), end) <= self.threshold / 4
            })
            .unwrap_or(0)
    }

    /// Tokens of the messages with an index from `from` to `to`, as they are sent.
    fn tokens_in(&self, from: usize, to: usize) -> u32 {
        self.tokens_of(|content| match content {
            EntryContent::Message { at, .. } | EntryContent::ContinueReply { before: Some(at) } => {
                (from..to).contains(at)
            }
            EntryContent::Summary { at, .. }
            | EntryContent::Facts { at, .. }
            | EntryContent::Pinned { at, .. } => {
                *at >= self.window.tail_start && (from..to).contains(at)
            }
            EntryContent::Opening
            | EntryContent::SearchHint { .. }
            | EntryContent::Passages { .. }
            | EntryContent::Reminder { .. }
            | EntryContent::Draft { .. }
            | EntryContent::ContinueReply { before: None } => false,
        })
    }

    fn tokens_of(&self, wanted: impl Fn(&EntryContent<'a>) -> bool) -> u32 {
        let entries = self.window.entries.iter().filter(|entry| wanted(&entry.content));
        saturating_sum(entries.map(|entry| entry.tokens))
    }

    /// The plan that keeps the last `keep` rounds, and a reply that may be continued. `None`: it covers
    /// nothing.
    pub(super) fn plan_keeping(&self, keep: u32) -> Option<Plan> {
        let from = self.window.tail_start;
        let to = self.window.rounds.start_of_last(keep).min(self.window.current_round_start());
        let to = self.before_range(to).max(from);
        self.coverable(from, to).next()?;
        self.plan_covering(0..to, self.base(), keep)
    }

    /// The plan that writes the latest summary again: from the originals, or, if that summary is stale, from
    /// an earlier one that is not.
    pub(super) fn renewal(&self) -> Option<Plan> {
        let is_stale = self.window.applied_point?.stale;
        let plan =
            self.rewrite_latest(if is_stale { self.base() } else { SummaryBase::default() })?;
        Some(self.as_first_summary(plan, 0..self.window.tail_start))
    }

    /// A plan to write the summary of `range` again. The new summary may be longer than the old one, but not
    /// than the originals. Its room is that of a first summary of them, as far as there is room.
    pub(super) fn as_first_summary(&self, plan: Plan, range: Range<usize>) -> Plan {
        let covered = self.coverable(range.start, range.end);
        let originals = saturating_sum(covered.map(|counted| counted.tokens.total()));
        let room = self.aim.with_reply_room.saturating_sub(plan.after(0, plan.facts_room));
        let summary_room = self.summary_room(originals, originals).min(room).max(SUMMARY_LEAST);
        Plan {
            replaced: originals,
            expected_after: plan.after(summary_room, plan.facts_room),
            summary_room,
            ..plan
        }
    }

    /// The plan that covers the same messages as the latest summary.
    fn rewrite_latest(&self, base: SummaryBase<'_>) -> Option<Plan> {
        self.window.applied_point?;
        let from = self.window.tail_start;
        self.plan_covering(0..from, base, self.rounds_from(from))
    }

    /// The number of complete rounds that begin at an index or after it.
    pub(super) fn rounds_from(&self, at: usize) -> u32 {
        let rounds = &self.window.rounds;
        let complete = rounds.starts().iter().take(rounds.complete_count());
        u32::try_from(complete.filter(|start| **start >= at).count()).unwrap_or(u32::MAX)
    }

    /// The newest summary on the path that is not stale. An earlier summary is reused so that the deletion of
    /// one old message does not cause a whole conversation to be read again.
    pub(super) fn base(&self) -> SummaryBase<'a> {
        let WindowInput { path, points, .. } = self.window.conversation;
        let latest = self.window.applied_point.filter(|covered| !covered.stale);
        if let Some(covered) = latest {
            return SummaryBase { point: Some(covered.point), from: self.window.tail_start };
        }
        let whole = points.iter().filter(|covered| covered.point.after_message_id.is_none());
        let sound = whole.filter(|covered| !covered.stale).filter_map(|covered| {
            let from = path_index(path, covered.point.boundary_message_id)? + 1;
            Some(SummaryBase { point: Some(covered.point), from })
        });
        let newest = sound.max_by_key(|base| (base.from, base.point.map(|point| point.id)));
        newest.unwrap_or_default()
    }

    /// The messages with an index from `from` to `to` that may be covered.
    pub(super) fn coverable(
        &self,
        from: usize,
        to: usize,
    ) -> impl Iterator<Item = &CountedMessageRef<'a>> {
        let path = self.window.conversation.path.iter().take(to).skip(from);
        path.filter(|counted| counted.message.inclusion == Inclusion::Usual)
    }

    /// The plan that covers the messages of a range. `None`: it covers nothing.
    pub(super) fn plan_covering(
        &self,
        range: Range<usize>,
        base: SummaryBase<'_>,
        kept_rounds: u32,
    ) -> Option<Plan> {
        let (start, to) = (range.start, range.end);
        let conversation = &self.window.conversation;
        let path = conversation.path;
        let boundary = path.get(to.checked_sub(1)?)?.message.id;
        let starts_after = start.checked_sub(1).and_then(|at| Some(path.get(at)?.message.id));
        let read = self.coverable(base.from, to);
        let covered: Vec<_> = read.map(|counted| counted.message.id).collect();
        if covered.is_empty() && base.point.is_none() {
            return None;
        }
        let originals = path.iter().take(to).skip(start);
        let originals = originals.filter(|counted| !counted.message.is_left_out());
        let originals = saturating_sum(originals.map(|counted| counted.tokens.total()));
        let replaced_by = |content: &EntryContent<'a>| is_replaced(content, &range);
        let (replaced, stays) =
            (self.tokens_of(replaced_by), self.window.tokens_excluding(replaced_by));
        let returning = self.window.returning_read_tokens(&range);
        let summary_room = self.summary_room(originals, replaced);
        let facts_room = facts::facts_room(originals, self.threshold);
        let history_access = conversation.history_access.tokens();
        let frame = conversation.prefix.fixed.summary;
        Some(Plan {
            covered,
            unread: self.unread_pins(base, to),
            starts_after,
            boundary,
            previous: base.point.map(|point| point.id),
            replaced,
            before: self.window.used.tokens,
            expected_after: saturating_sum([
                stays,
                returning,
                summary_room,
                facts_room,
                history_access,
                frame,
            ]),
            kept_rounds,
            summary_room,
            facts_room,
            summary_and_facts_room: facts::summary_and_facts_room(originals),
            at_most: self.aim.at_most,
        })
    }

    /// The pinned messages before index `to` that the new summary does not cover. Those before the base count
    /// only if its summary does not cover them either.
    fn unread_pins(&self, base: SummaryBase<'_>, to: usize) -> Vec<MessageId> {
        let known = base.point.map(|point| point.unread.as_slice()).unwrap_or_default();
        let before = self.window.conversation.path.iter().take(to).enumerate();
        let pins = before.filter(|(_, counted)| counted.message.is_pinned());
        let ids = pins.map(|(at, counted)| (at, counted.message.id));
        ids.filter(|(at, id)| *at >= base.from || known.contains(id)).map(|(_, id)| id).collect()
    }

    /// A tenth of the originals, or a quarter of short ones; at most three quarters of the replaced text and
    /// a fifth of the threshold.
    fn summary_room(&self, originals: u32, replaced: u32) -> u32 {
        (originals / SUMMARY_SHARE)
            .max(SUMMARY_PLAIN.min(originals / 4))
            .min(scale(replaced, 3, 4))
            .min(self.threshold / 5)
            .clamp(SUMMARY_LEAST, SUMMARY_CAP)
    }

    /// True if a compaction should wait while there is room for a reply. The tokens that remain in any case
    /// leave so little room below the threshold that it would be due again after a few messages.
    fn should_wait(&self, least: Option<&Plan>) -> bool {
        let path = self.window.conversation.path;
        let after = |plan: &Plan| path_index(path, plan.boundary).map_or(0, |at| at + 1);
        let tail = |plan: &Plan| self.tokens_in(after(plan), path.len());
        let fixed = least.map_or(0, |plan| plan.expected_after.saturating_sub(tail(plan)));
        fixed > self.aim.preferred.min(self.aim.limit)
            && self.window.used.tokens <= self.aim.with_reply_room
    }

    /// The plan that keeps the most rounds and reaches its target. If no plan does and the request must be
    /// made to fit, the plan that leaves the fewest tokens.
    pub(super) fn shrink(&self) -> PlanOutcome {
        let TargetSizes { limit, preferred, acceptable, with_reply_room, must_fit, .. } = self.aim;
        let mut least: Option<Plan> = None;
        let mut near: Option<Plan> = None;
        for keep in (0..=self.rounds_that_fit()).rev() {
            let Some(plan) = self.plan_keeping(keep) else { continue };
            if plan.expected_after <= preferred.min(limit) && plan.is_worthwhile() {
                return PlanOutcome::Compact { plan };
            }
            if plan.expected_after <= limit && plan.is_worthwhile() && near.is_none() {
                near = Some(plan.clone());
            }
            if least.as_ref().is_none_or(|least| plan.expected_after < least.expected_after) {
                least = Some(plan);
            }
        }
        if let Some(plan) = near {
            let waits = self.should_wait(least.as_ref());
            return if waits { PlanOutcome::Fine {} } else { PlanOutcome::Compact { plan } };
        }
        if must_fit {
            // If nothing is left to cover, a shorter version of the latest summary makes room.
            let smallest = least.or_else(|| self.rewrite_latest(self.base()));
            least = smallest.map(|plan| plan.shrink_to(with_reply_room));
        }
        match least {
            Some(plan) if plan.expected_after <= acceptable && plan.is_worthwhile() => {
                PlanOutcome::Compact { plan }
            }
            least => {
                let used = self.window.used.tokens;
                let floor = least.map_or(used, |least| least.expected_after.min(used));
                PlanOutcome::Stuck { floor, limit: acceptable.min(with_reply_room) }
            }
        }
    }
}

/// True if an entry leaves the prompt when the messages of a range are covered: messages that are not pinned,
/// and the entries for messages covered before. The search hint moves to the first summary.
fn is_replaced(content: &EntryContent<'_>, range: &Range<usize>) -> bool {
    match content {
        EntryContent::Opening => range.start == 0,
        EntryContent::SearchHint { .. } => true,
        EntryContent::Summary { at, .. }
        | EntryContent::Facts { at, .. }
        | EntryContent::ContinueReply { before: Some(at) } => range.contains(at),
        EntryContent::Message { sent, at } => {
            range.contains(at) && !sent.counted.message.is_pinned()
        }
        EntryContent::Pinned { .. }
        | EntryContent::Passages { .. }
        | EntryContent::Reminder { .. }
        | EntryContent::Draft { .. }
        | EntryContent::ContinueReply { before: None } => false,
    }
}
