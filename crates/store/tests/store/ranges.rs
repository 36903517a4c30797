//! W01: points that cover a range of the path: undone in any order, and moved by deletions.

use skein_context::compaction::fingerprint;
use skein_domain::error::{CompactionFailure, Error};
use skein_domain::ids::{MessageId, PointId};
use skein_domain::message::{Message, Role};
use skein_store::NewCompaction;

use crate::scenario::{NOW, Scenario, a_session, new_point};

async fn eight_messages() -> (Scenario, Vec<Message>) {
    let given = a_session().await;
    for text in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        given.says(Role::User, text).await;
    }
    let path = given.store.path_after(given.thread(), None).await.unwrap();
    (given, path)
}

/// A point that covers the messages with these indexes.
async fn add(given: &Scenario, path: &[Message], from: usize, to: usize) -> PointId {
    let covered = &path[from..to];
    let point = new_point(given, covered[covered.len() - 1].id).await;
    let starts_after = from.checked_sub(1).map(|at| path[at].id);
    let fingerprint = fingerprint(covered);
    let applied = applied(given).await;
    let replaces = match applied.iter().max() {
        Some(newest) => Some(version(given, *newest).await),
        None => None,
    };
    let new = NewCompaction { starts_after, fingerprint, replaces, builds_on: None, ..point };
    given.store.add_point(new).await.unwrap().id
}

async fn version(given: &Scenario, point: PointId) -> skein_store::PointVersion {
    let points = given.store.points(given.thread()).await.unwrap();
    let summary = points.iter().find(|it| it.id == point).unwrap().summary_message_id;
    let summary = given.store.message(summary).await.unwrap();
    skein_store::PointVersion { point, summary: fingerprint([&summary]) }
}

/// The points that apply, in the path's order.
async fn applied(given: &Scenario) -> Vec<PointId> {
    let points = given.store.points(given.thread()).await.unwrap();
    let path = given.store.path_ids(given.thread()).await.unwrap();
    let applied = skein_context::window::applied_points::applied_points(&points, path);
    applied.into_iter().map(|span| span.point.id).collect()
}

async fn borders(given: &Scenario) -> Vec<(Option<MessageId>, MessageId)> {
    let points = given.store.points(given.thread()).await.unwrap();
    points.iter().map(|it| (it.after_message_id, it.boundary_message_id)).collect()
}

#[tokio::test]
async fn w01_points_are_undone_and_redone_in_any_order() {
    let (given, path) = eight_messages().await;
    let (store, thread) = (&given.store, given.thread());
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]] {
        let middle = add(&given, &path, 2, 4).await;
        let last = add(&given, &path, 6, 8).await;
        let first = add(&given, &path, 0, 2).await;
        assert_eq!(applied(&given).await, [first, middle, last]);
        let mut left = vec![first, middle, last];
        for (at, undone) in order.map(|at| [first, middle, last][at]).into_iter().enumerate() {
            let now = NOW + i64::try_from(at).unwrap();
            assert_eq!(store.undo_point(thread, Some(undone), now).await.unwrap().id, undone);
            left.retain(|point| *point != undone);
            assert_eq!(applied(&given).await, left);
        }
        assert_eq!(given.last_page(8).await.beside, [], "no summary is left");
        for _ in order {
            store.redo_point(thread).await.unwrap();
        }
        assert_eq!(applied(&given).await, [first, middle, last]);
        while store.undo_point(thread, None, NOW).await.is_ok() {}
        assert_eq!(store.path_after(thread, None).await.unwrap(), path);
    }
}

#[tokio::test]
async fn w01_a_compaction_absorbs_a_range_until_it_is_undone() {
    let (given, path) = eight_messages().await;
    let range = add(&given, &path, 2, 4).await;
    let whole = add(&given, &path, 0, 6).await;
    assert_eq!(applied(&given).await, [whole]);
    let (store, thread) = (&given.store, given.thread());
    let absorbed = store.undo_point(thread, Some(range), NOW).await;
    assert_eq!(absorbed, Err(Error::NothingToUndo {}));
    assert_eq!(store.undo_point(thread, None, NOW).await.unwrap().id, whole);
    assert_eq!(applied(&given).await, [range]);
}

#[tokio::test]
async fn w01_the_borders_of_a_range_move_when_their_messages_are_deleted_and_come_back() {
    let (given, path) = eight_messages().await;
    let range = add(&given, &path, 2, 4).await;
    let (store, ids) = (&given.store, path.iter().map(|it| it.id).collect::<Vec<_>>());
    let mut deletions = vec![store.delete_message(ids[1], NOW).await.unwrap()];
    assert_eq!(borders(&given).await, [(Some(ids[0]), ids[3])]);
    deletions.push(store.delete_message(ids[0], NOW).await.unwrap());
    assert_eq!(borders(&given).await, [(None, ids[3])], "it covers the path from its first on");
    deletions.push(store.delete_message(ids[3], NOW).await.unwrap());
    assert_eq!(borders(&given).await, [(None, ids[2])]);
    deletions.push(store.delete_message(ids[2], NOW).await.unwrap());
    assert_eq!(borders(&given).await, [], "nothing is left to cover");
    while let Some(deletion) = deletions.pop() {
        store.undo_deletion(deletion).await.unwrap();
    }
    assert_eq!(borders(&given).await, [(Some(ids[1]), ids[3])]);
    assert_eq!(applied(&given).await, [range]);

    let both = [ids[3], ids[2]];
    let mut deletions = Vec::new();
    for id in both {
        deletions.push(store.delete_message(id, NOW).await.unwrap());
    }
    assert_eq!(borders(&given).await, [], "the message before it does not become covered");
    for deletion in deletions {
        store.undo_deletion(deletion).await.unwrap();
    }
    assert_eq!(borders(&given).await, [(Some(ids[1]), ids[3])]);
}

#[tokio::test]
async fn w01_law_6_deleting_the_last_reply_of_a_range_covers_no_message_that_waits_for_a_reply() {
    let given = a_session().await;
    for (role, text) in [(Role::User, "1"), (Role::Assistant, "2")].repeat(3) {
        given.says(role, text).await;
    }
    let (store, thread) = (&given.store, given.thread());
    let path = store.path_after(thread, None).await.unwrap();
    let range = add(&given, &path, 2, 6).await;
    let deletion = store.delete_message(path[5].id, NOW).await.unwrap();
    assert_eq!(applied(&given).await, [], "the user's newest message is sent");
    store.undo_deletion(deletion).await.unwrap();
    assert_eq!(applied(&given).await, [range]);
    assert_eq!(borders(&given).await, [(Some(path[1].id), path[5].id)]);
}

#[tokio::test]
async fn w01_a_changed_range_does_not_keep_another_one_from_being_redone() {
    let (given, path) = eight_messages().await;
    let (store, thread) = (&given.store, given.thread());
    let changed = add(&given, &path, 2, 4).await;
    let other = add(&given, &path, 6, 8).await;
    store.undo_point(thread, Some(other), NOW).await.unwrap();
    store.undo_point(thread, Some(changed), NOW + 1).await.unwrap();
    store.edit_summary(path[2].id, "changed".into(), None).await.unwrap();
    assert_eq!(store.redo_point(thread).await.unwrap().id, other);
    let reason = CompactionFailure::Changed;
    assert_eq!(store.redo_point(thread).await, Err(Error::NotCompacted { reason }));
}

#[tokio::test]
async fn w01_a_range_after_a_message_of_no_path_is_empty() {
    let (given, path) = eight_messages().await;
    given.store.delete_message(path[1].id, NOW).await.unwrap();
    let between = given.store.path_between(Some(path[1].id), path[3].id).await;
    assert_eq!(between, Ok(Vec::new()));
}

#[tokio::test]
async fn w01_an_undone_range_can_be_redone_after_the_message_before_it_is_deleted() {
    let (given, path) = eight_messages().await;
    let (store, thread) = (&given.store, given.thread());
    let range = add(&given, &path, 2, 4).await;
    store.undo_point(thread, Some(range), NOW).await.unwrap();
    let deletion = store.delete_message(path[1].id, NOW).await.unwrap();
    assert_eq!(store.redo_point(thread).await.unwrap().id, range);
    assert_eq!(borders(&given).await, [(Some(path[0].id), path[3].id)]);
    store.undo_deletion(deletion).await.unwrap();
    assert_eq!(borders(&given).await, [(Some(path[1].id), path[3].id)]);
}

#[tokio::test]
async fn w01_what_was_undone_last_is_redone_first_where_the_clock_was_set_back() {
    let (given, path) = eight_messages().await;
    let (store, thread) = (&given.store, given.thread());
    let ranges = [(0, 2), (2, 4), (4, 6)];
    let mut points = Vec::new();
    for (from, to) in ranges {
        points.push(add(&given, &path, from, to).await);
    }
    let order = [points[1], points[2], points[0]];
    for (at, point) in order.into_iter().enumerate() {
        let earlier = NOW - 1_000 * i64::try_from(at).unwrap();
        store.undo_point(thread, Some(point), earlier).await.unwrap();
    }
    for point in order.into_iter().rev() {
        assert_eq!(store.redo_point(thread).await.unwrap().id, point);
    }
}

#[tokio::test]
async fn w01_points_that_were_undone_with_a_message_keep_their_place_in_the_order() {
    let (given, path) = eight_messages().await;
    let (store, thread) = (&given.store, given.thread());
    let alone = add(&given, &path, 2, 3).await;
    let other = add(&given, &path, 4, 6).await;
    let earlier = store.delete_message(path[7].id, NOW).await.unwrap();
    store.delete_message(path[2].id, NOW - 1_000).await.unwrap();
    store.undo_point(thread, Some(other), NOW - 2_000).await.unwrap();
    store.undo_deletion(earlier).await.unwrap();
    assert_eq!(applied(&given).await, []);
    assert_eq!(store.redo_point(thread).await.unwrap().id, other, "{alone:?} was undone before");
}
