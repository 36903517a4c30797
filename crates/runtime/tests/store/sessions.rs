//! Sessions, threads, and what belongs to them.

use skein_context::message::{MessageKind, Notice, Origin, Role};
use skein_context::model::{ModelRef, ProviderId};
use skein_context::policy::Strategy;
use skein_context::session::{Beginning, ClearedBy, Overrides, Session, Thread};
use skein_runtime::error::Error;
use skein_runtime::store::{Draft, NewMessage, NewSession, NewThread};

use crate::given::{NOW, a_session, said, text_part};

#[tokio::test]
async fn a_session_is_read_back_as_it_was_made_and_changed() {
    let given = a_session().await;
    let model = ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() };
    let overrides = Overrides { strategy: Some(Strategy::Remind), ..Overrides::default() };
    let made = given
        .store
        .create_session(NewSession {
            title: Some("Kite".into()),
            model: Some(model.clone()),
            overrides: overrides.clone(),
            created_at: NOW,
        })
        .await
        .unwrap();
    assert_eq!(
        made,
        Session {
            id: made.id,
            title: Some("Kite".into()),
            pinned: false,
            current_thread: made.current_thread,
            model: Some(model),
            overrides,
            created_at: NOW,
            updated_at: NOW,
        }
    );
    given.store.set_session_pinned(given.session.id, true).await.unwrap();
    given.store.rename_session(made.id, None).await.unwrap();
    given.store.set_session_model(made.id, None).await.unwrap();
    let listed = given.store.sessions().await.unwrap();
    assert_eq!(
        listed,
        [
            Session { pinned: true, ..given.session.clone() },
            Session { title: None, model: None, ..made }
        ]
    );
}

#[tokio::test]
async fn a_deleted_session_comes_back_with_everything_until_it_is_purged() {
    let given = a_session().await;
    given.says(Role::User, "keep me").await;
    let session = given.store.session(given.session.id).await.unwrap();
    given.store.delete_session(session.id, NOW).await.unwrap();
    assert_eq!(given.store.sessions().await.unwrap(), []);
    given.store.purge(NOW).await.unwrap();
    assert_eq!(given.store.restore_session(session.id).await.unwrap(), session);
    assert_eq!(given.path().await, ["keep me"]);

    given.store.delete_session(session.id, NOW).await.unwrap();
    given.store.purge(NOW + 1).await.unwrap();
    let gone = given.store.restore_session(session.id).await;
    assert_eq!(gone, Err(Error::NotFound { what: "session".into() }));
}

#[tokio::test]
async fn a_draft_stays_until_it_is_emptied() {
    let given = a_session().await;
    let draft = Draft { text: "half a thou".into(), attachments: vec![text_part("note")] };
    given.store.set_draft(given.session.id, draft.clone(), NOW).await.unwrap();
    assert_eq!(given.store.draft(given.session.id).await.unwrap(), draft);
    given.store.set_draft(given.session.id, Draft::default(), NOW).await.unwrap();
    assert_eq!(given.store.draft(given.session.id).await.unwrap(), Draft::default());
}

fn cleared(given: &crate::given::Given) -> NewThread {
    NewThread {
        session: given.session.id,
        beginning: Beginning::Cleared { by: ClearedBy::Countdown },
        notice: Some(NewMessage {
            kind: MessageKind::Notice {
                notice: Notice::Cleared { by: ClearedBy::Countdown, local_package: true },
            },
            origin: Origin::Runtime,
            ..said(Role::User, "cleared")
        }),
        carried: vec![],
        at: NOW + 5,
    }
}

#[tokio::test]
async fn d15_a_clear_carries_the_persons_message_over_and_its_undo_carries_it_back() {
    let given = a_session().await;
    given.says(Role::User, "one").await;
    given.says(Role::Assistant, "two").await;
    let asked = given.says(Role::User, "three").await;
    let before = given.store.thread(given.thread()).await.unwrap();

    let begun =
        given.store.begin_thread(NewThread { carried: vec![asked.id], ..cleared(&given) }).await;
    let begun = begun.unwrap();
    assert_eq!(
        begun,
        Thread {
            id: begun.id,
            session_id: given.session.id,
            number: 2,
            leaf: Some(asked.id),
            beginning: Beginning::Cleared { by: ClearedBy::Countdown },
            created_at: NOW + 5,
            ended_at: None,
        }
    );
    assert_eq!(given.path_of(begun.id).await, ["cleared", "three"]);
    assert_eq!(given.path_of(before.id).await, ["one", "two"]);
    let session = given.store.session(given.session.id).await.unwrap();
    assert_eq!(session.current_thread, begun.id);

    assert_eq!(given.store.undo_thread(begun.id, NOW + 6).await.unwrap(), before);
    assert_eq!(given.path_of(before.id).await, ["one", "two", "three"]);
    assert_eq!(given.store.threads(given.session.id).await.unwrap(), [before]);
}

#[tokio::test]
async fn d15_a_cleared_thread_in_which_more_was_said_stays_readable_after_the_undo() {
    let given = a_session().await;
    given.says(Role::User, "one").await;
    let before = given.store.thread(given.thread()).await.unwrap();
    let begun = given.store.begin_thread(cleared(&given)).await.unwrap();
    given.store.append_message(begun.id, said(Role::User, "anew")).await.unwrap();
    given.store.undo_thread(begun.id, NOW + 6).await.unwrap();
    let threads = given.store.threads(given.session.id).await.unwrap();
    let numbers: Vec<_> = threads.iter().map(|thread| (thread.number, thread.ended_at)).collect();
    assert_eq!(numbers, [(1, None), (2, Some(NOW + 6))]);
    assert_eq!(threads[0], before);
}

#[tokio::test]
async fn only_a_leaf_is_carried_over_and_a_refusal_changes_nothing() {
    let given = a_session().await;
    let first = given.says(Role::User, "one").await;
    given.says(Role::Assistant, "two").await;
    let new = NewThread { carried: vec![first.id], ..cleared(&given) };
    assert!(matches!(given.store.begin_thread(new).await, Err(Error::Invalid { .. })));
    let threads = given.store.threads(given.session.id).await.unwrap();
    assert_eq!(threads.iter().map(|thread| thread.ended_at).collect::<Vec<_>>(), [None]);
    assert_eq!(given.path().await, ["one", "two"]);
}
