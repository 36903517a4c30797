//! Several points of one thread: which of them applies, and which no longer tell of what they cover.

use proptest::prelude::*;
use proptest::sample::Index;
use skein_context::compaction::{is_up_to_date, stale_points};
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::message::Message;

use crate::fixture::Thread;
use crate::laws::threads;

/// More points, in any order and with boundaries as they come: some nested, some equal.
fn compacted_at(thread: Thread, boundaries: &[Index]) -> Thread {
    let length = thread.messages.len();
    boundaries
        .iter()
        .filter(|_| length > 0)
        .fold(thread, |thread, boundary| thread.covered_to(boundary.index(length), 50))
}

fn up_to<'a>(thread: &'a Thread, point: &CompactionPoint) -> Option<Vec<&'a Message>> {
    let path = thread.messages.iter().map(|(message, _)| message);
    let end = path.clone().position(|message| message.id == point.boundary_message_id)?;
    Some(path.take(end + 1).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn in_one_pass_the_same_points_are_stale_as_are_looked_at_one_by_one(
        thread in threads(),
        boundaries in proptest::collection::vec(any::<Index>(), 0..5),
        pins in proptest::collection::vec(any::<bool>(), 1..12),
        changed in proptest::option::of((any::<Index>(), any::<bool>())),
    ) {
        let mut thread = compacted_at(thread.repinned(&pins), &boundaries);
        if let Some((at, away)) = changed.filter(|_| !thread.messages.is_empty()) {
            let at = at.index(thread.messages.len());
            match away {
                true => drop(thread.messages.remove(at)),
                false => thread = thread.leaving_out(&[at]),
            }
        }
        let thread = if boundaries.len() % 2 == 0 { thread } else { thread.repinned(&pins) };
        let points: Vec<_> = thread.points.iter().map(|it| it.point.clone()).collect();
        let found = stale_points(thread.messages.iter().map(|(message, _)| message), &points);
        for point in &points {
            let is_stale = up_to(&thread, point)
                .is_some_and(|covered| !is_up_to_date(&point.fingerprint, &point.unread, covered));
            prop_assert_eq!(found.contains(&point.id), is_stale, "{:?}", point);
        }
    }

    #[test]
    fn law_12_the_point_applies_that_covers_most_of_the_path_and_of_equals_the_newest(
        thread in threads(),
        boundaries in proptest::collection::vec(any::<Index>(), 0..5),
        cut in any::<Index>(),
    ) {
        let mut thread = compacted_at(thread, &boundaries);
        thread.messages.truncate(cut.index(thread.messages.len() + 1));
        let covered = |point: &CompactionPoint| up_to(&thread, point).map(|covered| covered.len());
        let on_path = thread.points.iter().map(|it| &it.point).filter(|it| covered(it).is_some());
        let expected = on_path.max_by_key(|point| (covered(point), point.id)).map(|it| it.id);
        let applying = thread.see(|window| window.applied_point.map(|covered| covered.point.id));
        prop_assert_eq!(applying, expected);
    }
}
