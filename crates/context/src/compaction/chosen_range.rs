//! W01: the plans of a range that the user chose, and how a range keeps out of other plans.
//!
//! A range begins and ends between rounds, so that no tool call is parted from its question. A plan covers
//! all of a summarised range or none; one that covers it reads the original messages.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use skein_domain::ids::{MessageId, PointId};
use specta::Type;

use super::coverage::{CoveragePlanner, SummaryBase};
use super::plan::Plan;
use crate::window::{AppliedRange, path_index};

/// The messages that the user chose to summarise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ChosenRange {
    /// Everything up to the end of the message's round.
    UpTo {
        /// The message.
        message_id: MessageId,
    },
    /// Everything from the start of the message's round to the last complete round. The messages before stay
    /// as they are.
    From {
        /// The message.
        message_id: MessageId,
    },
}

impl<'a> CoveragePlanner<'_, 'a> {
    /// The plan that covers the range. `None`: it covers nothing.
    pub(super) fn plan_range(&self, range: ChosenRange) -> Option<Plan> {
        match range {
            ChosenRange::UpTo { message_id } => self.plan_up_to(message_id),
            ChosenRange::From { message_id } => self.plan_from(message_id),
        }
    }

    /// The plan that covers everything up to the end of a message's round. `None`: it covers nothing.
    fn plan_up_to(&self, message: MessageId) -> Option<Plan> {
        let at = self.path_index_of(message)?;
        let starts = self.window.rounds.starts();
        let after = starts.iter().find(|start| **start > at).copied();
        let end = self.window.current_round_start();
        let end = after.map_or(end, |after| after.min(end));
        let end = self.range_around(end).map_or(end, |range| range.to);
        self.coverable(self.window.tail_start, end).next()?;
        self.plan_covering(0..end, self.base(), self.rounds_from(end))
    }

    /// The plan that covers everything from the start of a message's round to the last complete round. Within
    /// a summarised range, everything after that. `None`: it covers nothing.
    fn plan_from(&self, message: MessageId) -> Option<Plan> {
        let at = self.path_index_of(message)?;
        let starts = self.window.rounds.starts();
        let start = starts.iter().rfind(|start| **start <= at).copied()?;
        let start = self.range_around(start).map_or(start, |range| range.to);
        let range = start.max(self.window.tail_start)..self.window.current_round_start();
        self.coverable(range.start, range.end).next()?;
        let base = if range.start == 0 { self.base() } else { originals(&range) };
        let kept = self.rounds_from(0) - self.rounds_from(range.start);
        self.plan_covering(range, base, kept)
    }

    /// The plan that writes the summary of a range again, from the originals.
    pub(super) fn range_renewal(&self, point: PointId) -> Option<Plan> {
        let applied = self.window.ranges.iter().find(|it| it.summary.point.id == point)?;
        let range = applied.from..applied.to;
        let kept =
            self.rounds_from(0) - self.rounds_from(range.start) + self.rounds_from(range.end);
        let plan = self.plan_covering(range.clone(), originals(&range), kept)?;
        Some(self.as_first_summary(plan, range))
    }

    /// An index within a summarised range moves to its start.
    pub(super) fn before_range(&self, at: usize) -> usize {
        self.range_around(at).map_or(at, |range| range.from)
    }

    /// The summarised range that an index would divide.
    fn range_around(&self, at: usize) -> Option<&AppliedRange<'a>> {
        self.window.ranges.iter().find(|range| range.from < at && at < range.to)
    }

    fn path_index_of(&self, message: MessageId) -> Option<usize> {
        path_index(self.window.conversation.path, message)
    }
}

/// The base of a summary that is written from the originals of a range.
fn originals<'a>(range: &Range<usize>) -> SummaryBase<'a> {
    SummaryBase { point: None, from: range.start }
}
