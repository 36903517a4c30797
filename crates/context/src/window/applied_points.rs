//! The compaction points that apply to a path, and the messages that each covers.
//!
//! Not here: the entries that a point puts into the prompt (`assemble`).

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use skein_domain::compaction_point::CompactionPoint;
use skein_domain::ids::MessageId;

/// A compaction point on a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointSpan<'p> {
    /// The point.
    pub point: &'p CompactionPoint,
    /// The indexes on the path of the messages it covers; never empty.
    pub covered: Range<usize>,
}

/// The points with all their messages on a path (law 12), in the order of `points`.
pub fn points_on_path<'p>(
    points: impl IntoIterator<Item = &'p CompactionPoint>,
    path: impl IntoIterator<Item = MessageId>,
) -> Vec<PointSpan<'p>> {
    let points: Vec<_> = points.into_iter().collect();
    let borders = points
        .iter()
        .flat_map(|it| [Some(it.boundary_message_id), it.after_message_id].into_iter().flatten());
    let mut places: HashMap<_, _> = borders.map(|id| (id, None)).collect();
    if places.is_empty() {
        return Vec::new();
    }
    for (at, id) in path.into_iter().enumerate() {
        if let Some(place) = places.get_mut(&id) {
            *place = Some(at);
        }
    }
    let after = |id: MessageId| Some(places.get(&id).copied()?? + 1);
    let spans = points.into_iter().filter_map(|point| {
        let from = point.after_message_id.map_or(Some(0), after)?;
        let covered = from..after(point.boundary_message_id)?;
        (!covered.is_empty()).then_some(PointSpan { point, covered })
    });
    spans.collect()
}

/// The points that apply to a path, in its order; they share no message.
///
/// Of the points that cover the path from its first message, the one that covers most applies, and of equal
/// ones the newest. A point within the path applies unless another one covers its messages: a later
/// compaction absorbs it, and it applies again when that is undone. A point that ends within another one was
/// made on another branch, which does not have the other one; it does not apply (law 12).
pub fn applied_points<'p>(
    points: impl IntoIterator<Item = &'p CompactionPoint>,
    path: impl IntoIterator<Item = MessageId>,
) -> Vec<PointSpan<'p>> {
    let on_path = points_on_path(points, path);
    let of_this_branch = |span: &&PointSpan<'_>| {
        let crosses = |other: &PointSpan<'_>| {
            (span.covered.start + 1..span.covered.end).contains(&other.covered.start)
                && span.covered.end < other.covered.end
        };
        !on_path.iter().any(crosses)
    };
    let mut spans: Vec<_> = on_path.iter().filter(of_this_branch).cloned().collect();
    spans.sort_by_key(|PointSpan { point, covered }| {
        Reverse((covered.start == 0, covered.len(), point.id))
    });
    let mut applied: Vec<PointSpan<'p>> = Vec::new();
    for span in spans {
        if applied.iter().all(|other| !overlap(&other.covered, &span.covered)) {
            applied.push(span);
        }
    }
    applied.sort_by_key(|span| span.covered.start);
    applied
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}
