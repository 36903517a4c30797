//! The compaction points of a path, for the messages that they cover.

use std::collections::{HashMap, HashSet};

use skein_domain::compaction_point::CompactionPoint;
use skein_domain::ids::{MessageId, PointId};

use crate::view::PointView;

/// The compaction points of one path.
pub(crate) struct PointMarkers<'a> {
    /// The points with the index of their boundary on the path; `None`: it is on another branch.
    points: Vec<(&'a CompactionPoint, Option<usize>)>,
    latest: Option<PointId>,
    stale: &'a HashSet<PointId>,
}

impl<'a> PointMarkers<'a> {
    /// Finds the boundaries in one pass over the path.
    pub fn of(
        path: &[MessageId],
        points: &'a [CompactionPoint],
        stale: &'a HashSet<PointId>,
    ) -> Self {
        let places: HashMap<_, _> = path.iter().zip(0..).collect();
        let place = |point: &CompactionPoint| places.get(&point.boundary_message_id).copied();
        let points: Vec<_> = points.iter().map(|point| (point, place(point))).collect();
        let on_path = points.iter().filter_map(|(point, at)| Some(((*at)?, point.id)));
        let latest = on_path.max().map(|(_, id)| id);
        Self { points, latest, stale }
    }

    /// The oldest point that covers the message at this index.
    pub fn covering(&self, at: usize) -> Option<&CompactionPoint> {
        let covers = |end: Option<usize>| end.is_some_and(|end| at <= end);
        self.points.iter().find(|(_, end)| covers(*end)).map(|(point, _)| *point)
    }

    /// The point of a summary.
    pub fn of_summary(&self, message: MessageId) -> Option<PointView> {
        let mut points = self.points.iter().map(|(point, _)| point);
        points.find(|point| point.summary_message_id == message).map(|it| self.view(it))
    }

    fn view(&self, point: &CompactionPoint) -> PointView {
        PointView {
            covered_messages: point.covered,
            latest: self.latest == Some(point.id),
            stale: self.stale.contains(&point.id),
            point: point.clone(),
        }
    }

    /// The points with their boundary on the path, newest first.
    pub fn on_path(&self) -> Vec<PointView> {
        let on_path = self.points.iter().filter(|(_, at)| at.is_some());
        on_path.rev().map(|(point, _)| self.view(point)).collect()
    }
}
