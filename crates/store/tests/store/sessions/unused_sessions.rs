//! The session that a link, an import or the first start takes or creates.

use rusqlite::Connection;
use skein_domain::draft::Draft;
use skein_domain::ids::ProviderId;
use skein_domain::message::Role;
use skein_domain::model::ModelRef;
use skein_domain::session::SessionOverride;
use skein_domain::strategy::Strategy;
use skein_store::NewSession;

use super::fixtures::texts;
use crate::scenario::{NOW, Scenario, a_session, open, text_part};

#[tokio::test(flavor = "multi_thread")]
async fn however_many_ask_for_the_first_session_at_once_one_is_made() {
    let given = a_session().await;
    given.store.delete_sessions(vec![given.session.id], NOW).await.unwrap();
    let asked = (0..8).map(|_| given.store.first_session(NewSession::default()));
    let made: Vec<_> = futures::future::join_all(asked).await;
    let listed = given.store.sessions().await.unwrap();
    assert_eq!(listed.len(), 1);
    assert!(made.iter().all(|session| session.as_ref() == Ok(&listed[0])));
}

#[tokio::test]
async fn what_a_link_brings_goes_into_a_session_that_nobody_has_used_and_else_into_a_new_one() {
    let given = a_session().await;
    let model = ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() };
    let with = |text: &str| {
        given.store.session_for_draft(vec![text_part(text)], Some(model.clone()), NOW + 1)
    };
    let (first, second) = tokio::join!(with("one"), with("two"));
    let mut taken = [first.unwrap(), second.unwrap()];
    taken.sort();
    assert_eq!(taken[0], given.session.id);
    let mut written = Vec::new();
    for session in taken {
        assert_eq!(given.store.session(session).await.unwrap().model, Some(model.clone()));
        let waiting = given.store.queued_messages(session).await.unwrap();
        assert!(waiting.iter().all(|it| it.for_box));
        written.extend(texts(&waiting));
    }
    written.sort();
    assert_eq!(written, ["one", "two"]);
}

#[tokio::test]
async fn a_question_from_an_unused_session_leaves_its_model_and_never_takes_a_used_one() {
    let given = a_session().await;
    let Scenario { store, session, .. } = &given;
    let model = ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() };
    store.set_session_model(session.id, Some(model.clone())).await.unwrap();
    assert_eq!(store.unused_session(NOW).await.unwrap(), session.id);
    assert_eq!(store.session(session.id).await.unwrap().model, Some(model));
    given.says(Role::User, "hello").await;
    let other = store.unused_session(NOW).await.unwrap();
    assert_ne!(other, session.id);
    assert_eq!(store.unused_session(NOW).await.unwrap(), other);
}

#[tokio::test]
async fn a_session_that_was_used_in_any_way_is_not_taken_for_a_link() {
    let given = a_session().await;
    let Scenario { store, session, .. } = &given;
    let new = || store.create_session(NewSession::default());
    given.says(Role::User, "hello").await;
    store.delete_message(store.path_ids(given.thread()).await.unwrap()[0], NOW).await.unwrap();
    let mut used = vec![session.id];
    for use_it in 0..5 {
        let id = new().await.unwrap().id;
        match use_it {
            0 => store.rename_session(id, Some("Kite".into())).await.unwrap(),
            1 => store.set_session_pinned(id, true).await.unwrap(),
            2 => {
                let decided = SessionOverride::Strategy(Some(Strategy::Remind));
                store.set_override(id, decided).await.unwrap();
            }
            3 => {
                let draft = Draft { text: "not sent".into(), attachments: vec![] };
                store.set_draft(id, draft, None, NOW).await.unwrap();
            }
            _ => store.delete_sessions(vec![id], NOW).await.unwrap(),
        }
        used.push(id);
    }
    let taken = store.session_for_draft(Vec::new(), None, NOW).await.unwrap();
    assert!(!used.contains(&taken));
    let again = store.session_for_draft(Vec::new(), None, NOW).await.unwrap();
    assert_eq!(again, taken, "an empty link leaves it unused");
}

#[tokio::test]
async fn a_session_that_an_import_left_without_a_thread_gets_an_empty_one_at_the_next_start() {
    let Scenario { store, session, places, folder } = a_session().await;
    let other = store.create_session(NewSession::default()).await.unwrap();
    let kept = store.session(session.id).await.unwrap();
    drop(store);
    let database = Connection::open(places.database()).unwrap();
    database.execute("DELETE FROM threads WHERE session_id = ?1", [other.id.0]).unwrap();
    drop(database);

    let store = open(folder.path());
    let healed = store.session(other.id).await.unwrap();
    assert_ne!(healed.current_thread, other.current_thread);
    assert!(store.thread_is_empty(healed.current_thread).await.unwrap());
    assert_eq!(store.thread(healed.current_thread).await.unwrap().number, 1);
    assert_eq!(store.session(session.id).await.unwrap(), kept, "nothing else changes");
    assert_eq!(store.sessions().await.unwrap().len(), 2);
}
