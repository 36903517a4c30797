//! The compaction points of a path, for the messages that they cover.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use skein_context::window::applied_points::{PointSpan, applied_points, points_on_path};
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger, SummaryWriter};
use skein_domain::ids::{MessageId, PointId};
use skein_domain::message::Message;
use skein_domain::model::ModelRef;

use crate::view::PointView;

/// For each summary of a chosen range: the message that it follows in the transcript. A summary stands at the
/// border that the user chose: before the first message of a range within the path, or after the last message
/// of a range from the path's start.
pub(crate) fn range_neighbours(
    path: &[MessageId],
    points: &[CompactionPoint],
) -> HashMap<MessageId, MessageId> {
    // A renewed summary of a range within the path has another trigger, and the same border.
    let chosen = points.iter().filter(|point| {
        point.after_message_id.is_some() || point.trigger == CompactionTrigger::Range
    });
    let on_path = points_on_path(chosen, path.iter().copied()).into_iter().map(|span| span.point);
    on_path
        .map(|point| {
            let neighbour = point.after_message_id.unwrap_or(point.boundary_message_id);
            (point.summary_message_id, neighbour)
        })
        .collect()
}

/// The compaction points of one path.
pub(crate) struct PointMarkers<'a> {
    points: &'a [CompactionPoint],
    /// The points on the path with the indexes that they cover, oldest first.
    spans: Vec<PointSpan<'a>>,
    applied: Vec<PointSpan<'a>>,
    stale: &'a HashSet<PointId>,
    /// The models with an encrypted summary, by the readable summary beside it.
    encrypted: &'a HashMap<MessageId, ModelRef>,
}

impl<'a> PointMarkers<'a> {
    /// Finds the points of a path.
    pub fn of(
        path: &[MessageId],
        points: &'a [CompactionPoint],
        stale: &'a HashSet<PointId>,
        encrypted: &'a HashMap<MessageId, ModelRef>,
    ) -> Self {
        let path = || path.iter().copied();
        let applied = applied_points(points, path());
        Self { points, spans: points_on_path(points, path()), applied, stale, encrypted }
    }

    /// The oldest point that covers the message at this index: one that applies, or that such a one absorbs.
    pub fn covering(&self, at: usize) -> Option<&CompactionPoint> {
        let applied = &self.applied.iter().find(|span| span.covered.contains(&at))?.covered;
        let is_absorbed =
            |covered: &Range<usize>| applied.start <= covered.start && covered.end <= applied.end;
        let mut spans = self.spans.iter().map(|span| (span.point, &span.covered));
        let oldest = spans.find(|(_, covered)| covered.contains(&at) && is_absorbed(covered));
        oldest.map(|(point, _)| point)
    }

    /// `None`: the message is the summary of no point.
    pub fn of_summary(&self, message: &Message) -> Option<PointView> {
        let point = self.points.iter().find(|point| point.summary_message_id == message.id)?;
        Some(self.view(point, message.writer()))
    }

    fn view(&self, point: &CompactionPoint, writer: SummaryWriter) -> PointView {
        PointView {
            writer,
            encrypted_by: self.encrypted.get(&point.summary_message_id).cloned(),
            covered_messages: point.covered,
            applied: self.applied.iter().any(|span| span.point.id == point.id),
            stale: self.stale.contains(&point.id),
            point: point.clone(),
        }
    }

    /// The points with their boundary on the path, newest first, and the writers of their summaries.
    pub fn on_path(&self, writer: impl Fn(&CompactionPoint) -> SummaryWriter) -> Vec<PointView> {
        let points = self.spans.iter().rev().map(|span| span.point);
        points.map(|point| self.view(point, writer(point))).collect()
    }
}
