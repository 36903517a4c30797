//! Compaction points: whole or absent, undone and redone, re-anchored.

use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger, SummaryWriter};
use skein_domain::error::{CompactionFailure, Error};
use skein_domain::message::{Inclusion, Message, MessageKind, Origin, Role};
use skein_store::{MessageParent, NewCompaction, NewMessage};

use crate::scenario::{NOW, Scenario, a_session, new_point, said, said_under};

async fn four_messages() -> (Scenario, Vec<Message>) {
    let given = a_session().await;
    for text in ["one", "two", "three", "four"] {
        given.says(Role::User, text).await;
    }
    let path = given.store.path_after(given.thread(), None).await.unwrap();
    (given, path)
}

#[tokio::test]
async fn fr_1_6_a_point_is_recorded_with_its_summary_beside_the_path() {
    let (given, path) = four_messages().await;
    let new = new_point(&given, path[1].id).await;
    let point = given.store.add_point(new.clone()).await.unwrap();
    assert_eq!(
        point,
        CompactionPoint {
            id: point.id,
            thread_id: given.thread(),
            summary_message_id: point.summary_message_id,
            after_message_id: None,
            boundary_message_id: path[1].id,
            before: 1_000,
            after: 100,
            covered: 2,
            fingerprint: new.fingerprint,
            unread: new.unread,
            anchors: new.facts,
            trigger: CompactionTrigger::Threshold,
            model: None,
            created_at: NOW,
        }
    );
    assert_eq!(given.store.points(given.thread()).await.unwrap(), vec![point.clone()]);
    let summary = given.store.message(point.summary_message_id).await.unwrap();
    assert_eq!(
        (&summary.kind, summary.origin),
        (&MessageKind::Summary { writer: SummaryWriter::Skein }, Origin::Runtime)
    );
    assert_eq!(summary.parent_id, Some(path[3].id));
    assert_eq!(given.store.path_after(given.thread(), None).await.unwrap(), path);
    let tail = given.store.path_after(given.thread(), Some(path[1].id)).await.unwrap();
    assert_eq!(tail, path[2..]);
}

#[tokio::test]
async fn a_compaction_is_dropped_whole_when_what_it_covers_has_changed() {
    let (given, path) = four_messages().await;
    let new = new_point(&given, path[1].id).await;
    given.store.edit_summary(path[0].id, "changed".into(), None).await.unwrap();
    let refused = given.store.add_point(new).await;
    assert_eq!(refused, Err(Error::NotCompacted { reason: CompactionFailure::Changed }));
    assert_eq!(given.store.points(given.thread()).await.unwrap(), []);
    let page = given.last_page(10).await;
    assert_eq!(page.beside, []);
}

#[tokio::test]
async fn a_compaction_is_dropped_whole_and_not_put_back_when_what_it_did_not_read_is_left_to_it() {
    let (given, path) = four_messages().await;
    let (store, thread) = (&given.store, given.thread());
    let changed = CompactionFailure::Changed;
    let refused = Err(Error::NotCompacted { reason: changed });
    let pinned = path[0].id;
    let new = NewCompaction { unread: vec![pinned], ..new_point(&given, path[1].id).await };
    assert_eq!(store.add_point(new.clone()).await, refused);
    store.set_inclusion(pinned, Inclusion::Pinned, Vec::new()).await.unwrap();
    let point = store.add_point(new).await.unwrap();
    assert_eq!(point.unread, [pinned]);
    store.undo_point(thread, None, NOW).await.unwrap();
    store.set_inclusion(pinned, Inclusion::Usual, Vec::new()).await.unwrap();
    assert_eq!(store.redo_point(thread).await, refused);
    store.set_inclusion(pinned, Inclusion::Pinned, Vec::new()).await.unwrap();
    assert_eq!(store.redo_point(thread).await, Ok(point));
}

#[tokio::test]
async fn a_compaction_is_dropped_whole_when_what_it_replaces_was_edited_undone_or_redone() {
    let (given, path) = four_messages().await;
    let (store, thread) = (&given.store, given.thread());
    let refused = Err(Error::NotCompacted { reason: CompactionFailure::Changed });
    let first = store.add_point(new_point(&given, path[1].id).await).await.unwrap();
    let new = new_point(&given, path[2].id).await;

    store.edit_summary(first.summary_message_id, "my words".into(), None).await.unwrap();
    assert_eq!(store.add_point(new.clone()).await, refused, "edited");
    store.edit_summary(first.summary_message_id, "in short".into(), None).await.unwrap();

    store.undo_point(thread, None, NOW).await.unwrap();
    assert_eq!(store.add_point(new.clone()).await, refused, "undone");
    let upon_nothing = NewCompaction { replaces: None, ..new.clone() };
    store.redo_point(thread).await.unwrap();
    assert_eq!(store.add_point(upon_nothing).await, refused, "redone");

    let older = NewCompaction { builds_on: new.replaces.clone(), ..new.clone() };
    let second = store.add_point(older.clone()).await.unwrap();
    store.edit_summary(first.summary_message_id, "my words".into(), None).await.unwrap();
    let replaces = given.replaces().await;
    let upon_both = NewCompaction { replaces, boundary: path[2].id, ..older };
    assert_eq!(store.add_point(upon_both.clone()).await, refused, "what it was made of is edited");
    store.edit_summary(first.summary_message_id, "in short".into(), None).await.unwrap();
    store.undo_point(thread, None, NOW).await.unwrap();
    assert_eq!(second.boundary_message_id, upon_both.boundary);

    assert_eq!(store.points(thread).await.unwrap(), std::slice::from_ref(&first));
    assert_eq!(given.last_page(10).await.beside.len(), 1, "no summary but the first");
    let second = store.add_point(new).await.unwrap();
    assert_eq!(store.points(thread).await.unwrap(), [first, second]);
}

#[tokio::test]
async fn undo_takes_back_the_point_that_covers_most_of_the_path_whichever_was_made_last() {
    let (given, path) = four_messages().await;
    let (store, thread) = (&given.store, given.thread());
    let far = store.add_point(new_point(&given, path[2].id).await).await.unwrap();
    store.set_leaf(thread, Some(path[1].id)).await.unwrap();
    let new = NewCompaction { replaces: None, ..new_point(&given, path[0].id).await };
    let near = store.add_point(new).await.unwrap();
    store.switch_to_branch(path[3].id).await.unwrap();
    assert_eq!(store.undo_point(thread, None, NOW).await.unwrap(), far);
    assert_eq!(store.undo_point(thread, None, NOW).await.unwrap(), near);
}

#[tokio::test]
async fn law_11_undo_takes_point_and_summary_away_and_redo_brings_the_same_back() {
    let (given, path) = four_messages().await;
    let new = new_point(&given, path[1].id).await;
    let first = given.store.add_point(new).await.unwrap();
    let new = new_point(&given, path[2].id).await;
    let second = given.store.add_point(new).await.unwrap();
    let summary = given.store.message(second.summary_message_id).await.unwrap();
    let thread = given.thread();

    assert_eq!(given.store.undo_point(thread, None, NOW).await.unwrap(), second);
    assert_eq!(given.store.points(thread).await.unwrap(), vec![first.clone()]);
    assert_eq!(
        given.store.message(summary.id).await,
        Err(Error::NotFound { what: "message".into() })
    );
    assert_eq!(given.store.undo_point(thread, None, NOW).await.unwrap(), first);
    assert_eq!(given.store.undo_point(thread, None, NOW).await, Err(Error::NothingToUndo {}));

    assert_eq!(given.store.undone_point(thread).await.unwrap(), Some(first.clone()));
    assert_eq!(given.store.redo_point(thread).await.unwrap(), first);
    assert_eq!(given.store.redo_point(thread).await.unwrap(), second);
    assert_eq!(given.store.redo_point(thread).await, Err(Error::NothingToRedo {}));
    assert_eq!(given.store.points(thread).await.unwrap(), [first, second]);
    assert_eq!(given.store.message(summary.id).await.unwrap(), summary);
}

#[tokio::test]
async fn a_new_point_ends_the_redoing_of_older_ones() {
    let (given, path) = four_messages().await;
    let new = new_point(&given, path[1].id).await;
    given.store.add_point(new.clone()).await.unwrap();
    given.store.undo_point(given.thread(), None, NOW).await.unwrap();
    given.store.add_point(new).await.unwrap();
    assert_eq!(given.store.undone_point(given.thread()).await.unwrap(), None);
}

#[tokio::test]
async fn law_12_a_point_whose_branch_ends_with_a_deleted_message_covers_no_other_branch() {
    let (given, path) = four_messages().await;
    let (store, thread) = (&given.store, given.thread());
    let other = said_under(Some(path[2].id), Role::Assistant, "another");
    let other = store.append_message(thread, other).await.unwrap();
    let point = store.add_point(new_point(&given, other.id).await).await.unwrap();
    let deletion = store.delete_message(other.id, NOW).await.unwrap();
    assert_eq!(store.thread(thread).await.unwrap().leaf, Some(path[3].id));
    assert_eq!(store.points(thread).await.unwrap(), []);
    store.undo_deletion(deletion).await.unwrap();
    assert_eq!(store.points(thread).await.unwrap(), [point]);
    assert_eq!(store.thread(thread).await.unwrap().leaf, Some(other.id));
}

#[tokio::test]
async fn law_12_a_point_whose_boundary_is_deleted_covers_no_other_branch_though_its_own_goes_on() {
    let (given, path) = four_messages().await;
    let (store, thread) = (&given.store, given.thread());
    let other = said_under(Some(path[0].id), Role::Assistant, "another");
    let other = store.append_message(thread, other).await.unwrap();
    given.says(Role::User, "and then?").await;
    let point = store.add_point(new_point(&given, other.id).await).await.unwrap();
    let deletion = store.delete_message(other.id, NOW).await.unwrap();
    assert_eq!(store.points(thread).await.unwrap(), [], "before it is before path[1], too");
    store.undo_deletion(deletion).await.unwrap();
    assert_eq!(store.points(thread).await.unwrap(), [point]);
}

#[tokio::test]
async fn a_point_on_another_branch_is_not_the_latest_of_this_one() {
    let (given, path) = four_messages().await;
    let new = new_point(&given, path[3].id).await;
    given.store.add_point(new).await.unwrap();
    given.store.set_leaf(given.thread(), Some(path[2].id)).await.unwrap();
    let undone = given.store.undo_point(given.thread(), None, NOW).await;
    assert_eq!(undone, Err(Error::NothingToUndo {}));
    given.store.switch_to_branch(path[0].id).await.unwrap();
    assert!(given.store.undo_point(given.thread(), None, NOW).await.is_ok());
}

#[tokio::test]
async fn a_summary_hangs_beside_the_branch_it_is_of_though_the_path_leads_elsewhere_by_now() {
    let (given, path) = four_messages().await;
    let new = new_point(&given, path[1].id).await;
    let edited =
        NewMessage { parent: MessageParent::Under(None), ..said(Role::User, "another beginning") };
    given.store.append_message(given.thread(), edited).await.unwrap();
    let point = given.store.add_point(new).await.unwrap();
    let summary = given.store.message(point.summary_message_id).await.unwrap();
    assert_eq!(summary.parent_id, Some(path[3].id));
}

#[tokio::test]
async fn a_summary_that_takes_the_place_of_another_is_kept_though_the_path_leads_elsewhere_by_now()
{
    let (given, path) = four_messages().await;
    let first = new_point(&given, path[1].id).await;
    given.store.add_point(first).await.unwrap();
    let second = new_point(&given, path[2].id).await;
    let edited =
        NewMessage { parent: MessageParent::Under(None), ..said(Role::User, "another beginning") };
    given.store.append_message(given.thread(), edited).await.unwrap();
    let point = given.store.add_point(second).await.unwrap();
    assert_eq!(point.boundary_message_id, path[2].id);
}

#[tokio::test]
async fn deleting_the_boundary_re_anchors_the_point_and_undoing_that_puts_it_back() {
    let (given, path) = four_messages().await;
    let new = new_point(&given, path[1].id).await;
    let point = given.store.add_point(new).await.unwrap();
    let boundary = || async {
        let points = given.store.points(given.thread()).await.unwrap();
        points.iter().map(|point| point.boundary_message_id).collect::<Vec<_>>()
    };
    let second = given.store.delete_message(path[1].id, NOW).await.unwrap();
    assert_eq!(boundary().await, [path[0].id]);
    let first = given.store.delete_message(path[0].id, NOW).await.unwrap();
    assert_eq!(boundary().await, []);
    given.store.undo_deletion(first).await.unwrap();
    assert_eq!(boundary().await, [path[0].id]);
    given.store.undo_deletion(second).await.unwrap();
    assert_eq!(given.store.points(given.thread()).await.unwrap(), [point]);
}

#[tokio::test]
async fn the_summary_of_a_point_is_undone_and_not_deleted() {
    let (given, path) = four_messages().await;
    let new = new_point(&given, path[1].id).await;
    let point = given.store.add_point(new).await.unwrap();
    let refused = given.store.delete_message(point.summary_message_id, NOW).await;
    assert!(matches!(refused, Err(Error::Invalid { .. })));
}
