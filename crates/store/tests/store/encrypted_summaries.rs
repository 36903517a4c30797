//! W09: the items beside a summary: kept with its point, dropped with an edit and with a message that they
//! may contain.

use serde_json::json;
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::ids::{MessageId, ProviderId};
use skein_domain::message::Role;
use skein_domain::model::ModelRef;
use skein_store::NewCompaction;

use crate::scenario::{NOW, Scenario, a_session, new_point};

fn encrypted() -> EncryptedSummary {
    EncryptedSummary {
        origin: "here".into(),
        model: ModelRef { provider: ProviderId("p".into()), model: "gpt-5.4".into() },
        items: vec![json!({ "type": "compaction", "id": "c", "encrypted_content": "gAAA" })],
        tokens: 70,
    }
}

/// A session with a point that has items beside its summary, and its first message.
async fn compacted() -> (Scenario, MessageId, MessageId) {
    let given = a_session().await;
    for text in ["one", "two", "three", "four"] {
        given.says(Role::User, text).await;
    }
    let path = given.store.path_after(given.thread(), None).await.unwrap();
    let point = new_point(&given, path[1].id).await;
    let point = NewCompaction { encrypted: Some(encrypted()), ..point };
    let point = given.store.add_point(point).await.unwrap();
    (given, point.summary_message_id, path[3].id)
}

async fn kept(given: &Scenario) -> Vec<(MessageId, EncryptedSummary)> {
    given.store.encrypted_summaries(given.thread()).await.unwrap().into_iter().collect()
}

#[tokio::test]
async fn w09_the_items_go_and_come_back_with_their_point() {
    let (given, summary, _) = compacted().await;
    let (store, thread) = (&given.store, given.thread());
    assert_eq!(kept(&given).await, [(summary, encrypted())]);
    let models = store.encrypting_models(thread).await.unwrap();
    assert_eq!(models.get(&summary), Some(&encrypted().model));
    store.undo_point(thread, None, NOW).await.unwrap();
    assert_eq!(kept(&given).await, []);
    store.redo_point(thread).await.unwrap();
    assert_eq!(kept(&given).await, [(summary, encrypted())]);
}

#[tokio::test]
async fn w09_an_edit_of_the_summary_drops_the_items() {
    let (given, summary, _) = compacted().await;
    given.store.edit_summary(summary, "edited".into(), None).await.unwrap();
    assert_eq!(kept(&given).await, []);
}

#[tokio::test]
async fn w09_the_items_go_when_a_message_of_the_thread_is_deleted_for_good() {
    let (given, _, last) = compacted().await;
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    assert_eq!(kept(&given).await.len(), 1, "nothing is deleted");
    given.store.delete_message(last, NOW).await.unwrap();
    given.store.purge(NOW, vec![]).await.unwrap();
    assert_eq!(kept(&given).await.len(), 1, "the deletion can be undone");
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    assert_eq!(kept(&given).await, []);
}

#[tokio::test]
async fn w09_an_undo_of_another_point_and_a_deletion_of_a_younger_message_drop_no_items() {
    let (given, summary, last) = compacted().await;
    let later = new_point(&given, last).await;
    let later = given.store.add_point(later).await.unwrap();
    given.store.undo_point(given.thread(), Some(later.id), NOW).await.unwrap();
    given.says(Role::User, "five").await;
    let younger = given.store.path_after(given.thread(), None).await.unwrap().pop().unwrap();
    given.store.delete_message(younger.id, NOW).await.unwrap();
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    assert_eq!(kept(&given).await, [(summary, encrypted())]);
}

#[tokio::test]
async fn w09_a_deletion_long_before_the_items_drops_none() {
    let (given, summary, last) = compacted().await;
    given.store.delete_message(last, NOW - 2 * 24 * 60 * 60 * 1_000).await.unwrap();
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    assert_eq!(kept(&given).await, [(summary, encrypted())]);
}
