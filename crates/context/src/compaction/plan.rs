//! What a compaction would cover and gain, before anything is written.
//!
//! If a request could not leave otherwise, any gain that makes it fit is enough, and the latest summary may
//! be rewritten and shortened. To fit, the summary gets shorter first; then facts are dropped.

use serde::{Deserialize, Serialize};
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::ids::{MessageId, PointId};
use skein_domain::message::Inclusion;
use specta::Type;

use super::plan_targets::{PlanPurpose, Targets};
use crate::facts;
use crate::limits::{Limits, scale};
use crate::tokens::message_tokens::{CountedMessageRef, saturating_sum};
use crate::window::{EntryContent, Window, WindowInput, path_index};

/// The longest summary asked for, in tokens.
const SUMMARY_CAP: u32 = 6_000;

/// A summary may have a tenth of what it covers: the facts stand beside it.
const SUMMARY_SHARE: u32 = 10;

/// Up to this length, in tokens, it may have a quarter: a shorter one is of little use.
const SUMMARY_PLAIN: u32 = 500;

/// The shortest summary asked for, in tokens: less holds no headings.
const SUMMARY_LEAST: u32 = 64;

/// What is to be done about a window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PlanOutcome {
    /// Nothing need be done, or nothing is old enough to be covered.
    Fine {},
    /// It can be compacted.
    Compact {
        /// How.
        plan: Plan,
    },
    /// Law 1: no compaction would get below the limit, or it would gain too little.
    Stuck {
        /// What would remain at least, in tokens.
        floor: u32,
        /// What may be used, in tokens.
        limit: u32,
    },
}

/// What a compaction covers, and what it is expected to come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// The messages the summary is written from, oldest first: never one that is pinned or left out,
    /// the newest message of the user, or one of the round in progress (law 6). Empty where a summary
    /// is only to become shorter.
    pub covered: Vec<MessageId>,
    /// Messages before the boundary that neither are among these nor went into the summary being
    /// updated, because they are pinned. A summary that is written by going on with the conversation
    /// itself reads them, too.
    pub unread: Vec<MessageId>,
    /// The last message that will no longer be sent; the end of a round.
    pub boundary: MessageId,
    /// The point whose summary is updated: the latest, or the newest before it that is not stale.
    /// `None`: the summary is begun from the originals.
    pub previous: Option<PointId>,
    /// Tokens that the new summary stands for, and must be shorter than.
    pub replaced: u32,
    /// Estimated tokens of the window now.
    pub before: u32,
    /// Estimated tokens of the window afterwards, with a summary and anchors as long as allowed.
    pub expected_after: u32,
    /// Complete rounds that stay verbatim.
    pub kept_rounds: u32,
    /// Tokens the summary may have.
    pub summary_budget: u32,
    /// Tokens the anchors beside it may have ([`facts::budget`]).
    pub anchors_budget: u32,
    /// Tokens that summary and facts may take together where the summary leaves room
    /// ([`facts::budget_together`]); never more than both budgets.
    pub words_budget: u32,
    /// The most tokens the window may have afterwards for the compaction to have been worth it; where
    /// the call could not leave, that is what a prompt may take. `None`: it is worth it whatever the
    /// result.
    pub at_most: Option<u32>,
}

impl Plan {
    /// Estimated tokens of the window afterwards, with a summary and facts of so many.
    pub fn after(&self, summary: u32, facts: u32) -> u32 {
        saturating_sum([self.rest(), summary, facts])
    }

    /// Tokens that the facts may take beside a summary of this size, with what a thin one left. `None`: the
    /// summary alone is already too long for the compaction to have been worth it.
    pub fn facts_budget(&self, summary: u32) -> Option<u32> {
        let room = self.at_most.map_or(Some(u32::MAX), |most| most.checked_sub(self.rest()))?;
        let both = self.summary_budget.saturating_add(self.anchors_budget);
        let left = self.words_budget.min(both).saturating_sub(summary);
        Some(room.checked_sub(summary)?.min(self.anchors_budget.max(left)))
    }

    /// Estimated tokens of the window afterwards beside summary and facts.
    fn rest(&self) -> u32 {
        let words = self.summary_budget.saturating_add(self.anchors_budget);
        self.expected_after.saturating_sub(words)
    }

    fn is_worth_it(&self) -> bool {
        self.at_most.is_none_or(|most| self.expected_after <= most)
    }

    /// The same with a shorter summary, and then with fewer facts, until so many tokens remain; or
    /// as few as can be.
    fn tightened(self, tokens: u32) -> Self {
        let over = self.expected_after.saturating_sub(tokens);
        let words = over.min(self.summary_budget.saturating_sub(SUMMARY_LEAST));
        let facts = over.saturating_sub(words).min(self.anchors_budget);
        Self {
            expected_after: self.expected_after.saturating_sub(words).saturating_sub(facts),
            summary_budget: self.summary_budget.saturating_sub(words),
            anchors_budget: self.anchors_budget.saturating_sub(facts),
            ..self
        }
    }
}

/// FR-1.2: what a compaction of this window would come to.
///
/// The tail takes at most a quarter of the threshold, else fewer rounds are kept; fewer also where
/// the result would otherwise stay over the limit. A plan that the threshold asks for gains at least a
/// tenth; where the request could not leave as it is, any gain is worth it that makes it fit.
pub fn plan(window: &Window<'_>, limits: Limits, purpose: PlanPurpose) -> PlanOutcome {
    let over = window.exceeds(limits.threshold(window.conversation.policy));
    let survey = Planner::of(window, limits, Targets::of(window, limits, purpose));
    let outlook = |plan: Option<Plan>| {
        plan.map_or(PlanOutcome::Fine {}, |plan| PlanOutcome::Compact { plan })
    };
    match purpose {
        PlanPurpose::Threshold if !over => PlanOutcome::Fine {},
        PlanPurpose::UserRequest if !over => {
            outlook(survey.option(survey.rounds_that_fit()).filter(Plan::is_worth_it))
        }
        PlanPurpose::Renewal => outlook(survey.renewal()),
        PlanPurpose::Threshold | PlanPurpose::UserRequest | PlanPurpose::Overflow => {
            survey.shrink()
        }
    }
}

/// What a summary is written from.
#[derive(Clone, Copy, Default)]
struct SummaryBase<'a> {
    /// The point whose summary is updated; `None`: there is none, and the originals are read.
    point: Option<&'a CompactionPoint>,
    /// Index on the path of the first message that is read.
    from: usize,
}

/// A window, and what any way of covering a part of it has to keep to.
struct Planner<'w, 'a> {
    window: &'w Window<'a>,
    aim: Targets,
    /// The threshold, or that of the assumed window.
    threshold: u32,
    /// Whether the threshold is a real one.
    known: bool,
}

impl<'w, 'a> Planner<'w, 'a> {
    fn of(window: &'w Window<'a>, limits: Limits, aim: Targets) -> Self {
        let policy = window.conversation.policy;
        Self {
            window,
            aim,
            threshold: limits.assumed_threshold(policy),
            known: limits.threshold(policy).is_some(),
        }
    }

    /// The most rounds, up to the user's wish, that take at most a quarter of the threshold.
    fn rounds_that_fit(&self) -> u32 {
        let complete = u32::try_from(self.window.rounds.complete_count()).unwrap_or(u32::MAX);
        let wish = self.window.conversation.policy.keep_rounds.min(complete);
        if !self.known {
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

    /// Tokens of the messages of a part of the path as they are sent.
    fn tokens_in(&self, from: usize, to: usize) -> u32 {
        self.tokens_of(|content| match content {
            EntryContent::Message { at, .. } | EntryContent::ContinueReply { before: Some(at) } => {
                (from..to).contains(at)
            }
            EntryContent::Opening
            | EntryContent::Summary { .. }
            | EntryContent::Anchors { .. }
            | EntryContent::Recall { .. }
            | EntryContent::Pinned { .. }
            | EntryContent::Passages { .. }
            | EntryContent::Reminder { .. }
            | EntryContent::Draft { .. }
            | EntryContent::ContinueReply { before: None } => false,
        })
    }

    fn tokens_of(&self, wanted: impl Fn(&EntryContent<'a>) -> bool) -> u32 {
        let lines = self.window.entries.iter().filter(|line| wanted(&line.content));
        saturating_sum(lines.map(|line| line.tokens))
    }

    /// The plan that keeps so many rounds, and a reply that may be gone on with; `None` when it would cover
    /// nothing.
    fn option(&self, keep: u32) -> Option<Plan> {
        let from = self.window.tail_start;
        let to =
            self.window.rounds.start_of_last(keep).min(self.window.current_round_start()).max(from);
        self.coverable(from, to).next()?;
        self.covering(to, self.base(), keep)
    }

    /// The plan that writes the latest summary anew: from the originals, or where that one is stale from one
    /// before it that is not. It may be longer than that one, but not than the originals, and has the
    /// budget of a summary of those, as far as they leave it room.
    fn renewal(&self) -> Option<Plan> {
        let is_stale = self.window.applied_point?.stale;
        let plan = self.anew(if is_stale { self.base() } else { SummaryBase::default() })?;
        let covered = self.coverable(0, self.window.tail_start);
        let originals = saturating_sum(covered.map(|counted| counted.tokens.total()));
        let room = self.aim.with_reply_room.saturating_sub(plan.after(0, plan.anchors_budget));
        let summary_budget = self.summary_budget(originals, originals).min(room).max(SUMMARY_LEAST);
        Some(Plan {
            replaced: originals,
            expected_after: plan.after(summary_budget, plan.anchors_budget),
            summary_budget,
            ..plan
        })
    }

    /// The plan that covers no more than the latest summary does.
    fn anew(&self, base: SummaryBase<'_>) -> Option<Plan> {
        self.window.applied_point?;
        let from = self.window.tail_start;
        let rounds = &self.window.rounds;
        let complete = rounds.starts().iter().take(rounds.complete_count());
        let kept = complete.filter(|start| **start >= from).count();
        self.covering(from, base, u32::try_from(kept).unwrap_or(u32::MAX))
    }

    /// What a summary is written from: the newest on the path that is not stale, and what came since. One
    /// old message that was deleted does not make all of a long conversation be read again.
    fn base(&self) -> SummaryBase<'a> {
        let WindowInput { path, points, .. } = self.window.conversation;
        let latest = self.window.applied_point.filter(|covered| !covered.stale);
        if let Some(covered) = latest {
            return SummaryBase { point: Some(covered.point), from: self.window.tail_start };
        }
        let sound = points.iter().filter(|covered| !covered.stale).filter_map(|covered| {
            let from = path_index(path, covered.point.boundary_message_id)? + 1;
            Some(SummaryBase { point: Some(covered.point), from })
        });
        let newest = sound.max_by_key(|base| (base.from, base.point.map(|point| point.id)));
        newest.unwrap_or_default()
    }

    /// The messages of a part of the path that may be covered.
    fn coverable(&self, from: usize, to: usize) -> impl Iterator<Item = &CountedMessageRef<'a>> {
        let path = self.window.conversation.path.iter().take(to).skip(from);
        path.filter(|counted| counted.message.inclusion == Inclusion::Usual)
    }

    /// The plan whose boundary is the last message before an index of the path; `None` when it would
    /// cover nothing.
    fn covering(&self, to: usize, base: SummaryBase<'_>, kept_rounds: u32) -> Option<Plan> {
        let conversation = &self.window.conversation;
        let path = conversation.path;
        let boundary = path.get(to.checked_sub(1)?)?.message.id;
        let read = self.coverable(base.from, to);
        let covered: Vec<_> = read.map(|counted| counted.message.id).collect();
        if covered.is_empty() && base.point.is_none() {
            return None;
        }
        let originals = path.iter().take(to).filter(|counted| !counted.message.is_left_out());
        let originals = saturating_sum(originals.map(|counted| counted.tokens.total()));
        let goes = |content: &EntryContent<'a>| leaves(content, to);
        let (replaced, stays) = (self.tokens_of(goes), self.window.tokens_excluding(goes));
        let summary_budget = self.summary_budget(originals, replaced);
        let anchors_budget = facts::facts_budget(originals, self.threshold);
        let recall = conversation.history_access.tokens();
        let frame = conversation.prefix.fixed.summary;
        Some(Plan {
            covered,
            unread: self.unread(base, to),
            boundary,
            previous: base.point.map(|point| point.id),
            replaced,
            before: self.window.used.tokens,
            expected_after: saturating_sum([stays, summary_budget, anchors_budget, recall, frame]),
            kept_rounds,
            summary_budget,
            anchors_budget,
            words_budget: facts::summary_and_facts_budget(originals),
            at_most: self.aim.at_most,
        })
    }

    /// The pins before `to` of which a summary does not tell that is written so: those among what it is
    /// written from, and of the ones before those that the summary it updates has not read either.
    fn unread(&self, base: SummaryBase<'_>, to: usize) -> Vec<MessageId> {
        let known = base.point.map(|point| point.unread.as_slice()).unwrap_or_default();
        let before = self.window.conversation.path.iter().take(to).enumerate();
        let pins = before.filter(|(_, counted)| counted.message.is_pinned());
        let ids = pins.map(|(at, counted)| (at, counted.message.id));
        ids.filter(|(at, id)| *at >= base.from || known.contains(id)).map(|(_, id)| id).collect()
    }

    fn summary_budget(&self, originals: u32, replaced: u32) -> u32 {
        (originals / SUMMARY_SHARE)
            .max(SUMMARY_PLAIN.min(originals / 4))
            .min(scale(replaced, 3, 4))
            .min(self.threshold / 5)
            .clamp(SUMMARY_LEAST, SUMMARY_CAP)
    }

    /// Whether a compaction had better wait while there is room for an answer: what is always sent, and what
    /// would stand for the past, leave so little below the threshold that it would be due again after every
    /// few messages.
    fn is_put_off(&self, least: Option<&Plan>) -> bool {
        let path = self.window.conversation.path;
        let after = |plan: &Plan| path_index(path, plan.boundary).map_or(0, |at| at + 1);
        let tail = |plan: &Plan| self.tokens_in(after(plan), path.len());
        let fixed = least.map_or(0, |plan| plan.expected_after.saturating_sub(tail(plan)));
        fixed > self.aim.preferred.min(self.aim.limit)
            && self.window.used.tokens <= self.aim.with_reply_room
    }

    /// The plan that keeps most and gets where it is to get; where that is out of reach but the
    /// request must be made to fit, the one that leaves least.
    fn shrink(&self) -> PlanOutcome {
        let Targets {
            limit,
            preferred: apart,
            acceptable: far,
            with_reply_room: roomy,
            must_fit: refused,
            ..
        } = self.aim;
        let mut least: Option<Plan> = None;
        let mut near: Option<Plan> = None;
        for keep in (0..=self.rounds_that_fit()).rev() {
            let Some(plan) = self.option(keep) else { continue };
            if plan.expected_after <= apart.min(limit) && plan.is_worth_it() {
                return PlanOutcome::Compact { plan };
            }
            if plan.expected_after <= limit && plan.is_worth_it() && near.is_none() {
                near = Some(plan.clone());
            }
            if least.as_ref().is_none_or(|least| plan.expected_after < least.expected_after) {
                least = Some(plan);
            }
        }
        if let Some(plan) = near {
            let puts_off = self.is_put_off(least.as_ref());
            return if puts_off { PlanOutcome::Fine {} } else { PlanOutcome::Compact { plan } };
        }
        if refused {
            // Where nothing is left to cover, a shorter summary of the same makes room.
            let least_of_all = least.or_else(|| self.anew(self.base()));
            least = least_of_all.map(|plan| plan.tightened(roomy));
        }
        match least {
            Some(plan) if plan.expected_after <= far && plan.is_worth_it() => {
                PlanOutcome::Compact { plan }
            }
            least => {
                let used = self.window.used.tokens;
                let floor = least.map_or(used, |least| least.expected_after.min(used));
                PlanOutcome::Stuck { floor, limit: far.min(roomy) }
            }
        }
    }
}

/// Whether a line leaves when what stands on the path before an index is covered: messages that are not
/// pinned, and what stands for those covered already.
fn leaves(content: &EntryContent<'_>, to: usize) -> bool {
    match content {
        EntryContent::Opening
        | EntryContent::Summary { .. }
        | EntryContent::Anchors { .. }
        | EntryContent::Recall { .. } => true,
        EntryContent::Message { sent, at } => *at < to && !sent.counted.message.is_pinned(),
        EntryContent::ContinueReply { before: Some(at) } => *at < to,
        EntryContent::Pinned { .. }
        | EntryContent::Passages { .. }
        | EntryContent::Reminder { .. }
        | EntryContent::Draft { .. }
        | EntryContent::ContinueReply { before: None } => false,
    }
}
