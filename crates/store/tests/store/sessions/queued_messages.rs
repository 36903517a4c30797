//! Messages that wait for their turn.

use skein_domain::draft::Draft;
use skein_domain::error::Error;
use skein_domain::message::Role;
use skein_store::TurnMessage;

use super::fixtures::{model, texts};
use crate::scenario::{NOW, Scenario, a_session, text_part};

#[tokio::test]
async fn a_message_that_waits_survives_and_is_sent_in_its_turn() {
    let given = a_session().await;
    let session = given.session.id;
    for text in ["first", "second", "third"] {
        given.store.queue_message(session, vec![text_part(text)], NOW).await.unwrap();
    }
    let ids: Vec<_> =
        given.store.queued_messages(session).await.unwrap().iter().map(|it| it.id).collect();
    given.store.remove_queued(ids[2]).await.unwrap();
    let Scenario { store, folder, .. } = given;
    drop(store);

    let store = crate::scenario::open(folder.path());
    let queued = || TurnMessage::Queued { now: NOW };
    let begun = store.begin_turn(session, queued(), model("m")).await.unwrap();
    let sent = begun.message.unwrap();
    assert_eq!(sent.text(), "first");
    assert_eq!(texts(&store.queued_messages(session).await.unwrap()), ["second"]);

    store.return_message_to_draft(session, sent.id, NOW).await.unwrap();
    assert_eq!(texts(&store.queued_messages(session).await.unwrap()), ["first", "second"]);
    assert!(store.has_queued_message(session).await.unwrap());
    assert_eq!(store.path_ids(sent.thread_id).await.unwrap(), []);

    // A message for the composer is sent only if no other waits, and never automatically.
    for expected in [Some("second"), Some("first"), None] {
        let begun = store.begin_turn(session, queued(), model("m")).await.unwrap();
        assert_eq!(begun.message.map(|message| message.text()).as_deref(), expected);
    }
    let gone = store.remove_queued(ids[2]).await;
    assert_eq!(gone, Err(Error::NotFound { what: "waiting message".into() }));
}

#[tokio::test]
async fn a_waiting_message_that_was_taken_back_waits_again_in_its_place_as_it_was() {
    let given = a_session().await;
    let (store, session) = (&given.store, given.session.id);
    for text in ["first", "second", "third"] {
        store.queue_message(session, vec![text_part(text)], NOW).await.unwrap();
    }
    let before = store.queued_messages(session).await.unwrap();
    store.remove_queued(before[1].id).await.unwrap();
    let draft = Draft { text: "half a thou".into(), attachments: vec![] };
    store.set_draft(session, draft.clone(), None, NOW).await.unwrap();
    store.restore_queued(session, before[1].clone()).await.unwrap();
    assert_eq!(store.queued_messages(session).await.unwrap(), before);
    assert_eq!(store.draft(session).await.unwrap(), draft);

    // A returned message has its place, but it is not lost.
    store.remove_queued(before[0].id).await.unwrap();
    let sent = given.says(Role::User, "zero").await;
    store.return_message_to_draft(session, sent.id, NOW).await.unwrap();
    assert_eq!(store.queued_messages(session).await.unwrap()[0].id, before[0].id);
    store.restore_queued(session, before[0].clone()).await.unwrap();
    let now = store.queued_messages(session).await.unwrap();
    assert_eq!(texts(&now), ["zero", "second", "third", "first"]);
}
