//! The compaction points of a path, for the messages that they cover.

use std::collections::HashSet;
use std::ops::Range;

use skein_context::window::applied_points::{PointSpan, applied_points, points_on_path};
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::ids::{MessageId, PointId};

use crate::view::PointView;

/// The compaction points of one path.
pub(crate) struct PointMarkers<'a> {
    points: &'a [CompactionPoint],
    /// The points on the path with the indexes that they cover, oldest first.
    spans: Vec<PointSpan<'a>>,
    applied: Vec<PointSpan<'a>>,
    stale: &'a HashSet<PointId>,
}

impl<'a> PointMarkers<'a> {
    /// Finds the points of a path.
    pub fn of(
        path: &[MessageId],
        points: &'a [CompactionPoint],
        stale: &'a HashSet<PointId>,
    ) -> Self {
        let path = || path.iter().copied();
        let applied = applied_points(points, path());
        Self { points, spans: points_on_path(points, path()), applied, stale }
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

    /// The point of a summary.
    pub fn of_summary(&self, message: MessageId) -> Option<PointView> {
        let mut points = self.points.iter();
        points.find(|point| point.summary_message_id == message).map(|it| self.view(it))
    }

    fn view(&self, point: &CompactionPoint) -> PointView {
        PointView {
            covered_messages: point.covered,
            applied: self.applied.iter().any(|span| span.point.id == point.id),
            stale: self.stale.contains(&point.id),
            point: point.clone(),
        }
    }

    /// The points with their boundary on the path, newest first.
    pub fn on_path(&self) -> Vec<PointView> {
        self.spans.iter().rev().map(|span| self.view(span.point)).collect()
    }
}
