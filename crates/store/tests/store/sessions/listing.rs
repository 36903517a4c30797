//! The list of sessions, and the values of each.

use skein_domain::error::Error;
use skein_domain::ids::{ProviderId, SessionId};
use skein_domain::message::Role;
use skein_domain::model::{ModelRef, ReasoningEffort};
use skein_domain::session::{Session, SessionOverride, SessionOverrides, Switch};
use skein_domain::strategy::Strategy;
use skein_store::{NewMessage, NewSession};

use crate::scenario::{NOW, Scenario, a_session, said};

#[tokio::test]
async fn a_session_is_read_back_as_it_was_made_and_changed() {
    let given = a_session().await;
    let model = ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() };
    let overrides =
        SessionOverrides::default().with(SessionOverride::Strategy(Some(Strategy::Remind)));
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
async fn a_session_said_to_be_of_the_end_of_time_stands_in_no_others_way() {
    let given = a_session().await;
    let absurd = NewMessage { created_at: i64::MAX, ..said(Role::User, "then") };
    given.store.append_message(given.thread(), absurd).await.unwrap();
    let new = NewSession { created_at: NOW, ..NewSession::default() };
    let made = given.store.create_session(new).await.unwrap();
    given.store.append_message(made.current_thread, said(Role::User, "now")).await.unwrap();
    assert_eq!(given.store.sessions().await.unwrap().len(), 2);
}

#[tokio::test]
async fn the_session_that_was_used_last_is_first_though_the_clock_was_set_back() {
    let given = a_session().await;
    let of_the_future = NewMessage { created_at: NOW + 1_000_000, ..said(Role::User, "later") };
    given.store.append_message(given.thread(), of_the_future).await.unwrap();
    let new = NewSession { created_at: NOW, ..NewSession::default() };
    let made = given.store.create_session(new).await.unwrap();
    let listed = async || -> Vec<_> {
        given.store.sessions().await.unwrap().into_iter().map(|it| it.id).collect()
    };
    assert_eq!(listed().await, [made.id, given.session.id]);
    let again = given.says(Role::User, "now").await;
    assert_eq!(listed().await, [given.session.id, made.id]);
    let session = given.store.session(given.session.id).await.unwrap();
    assert_eq!(session.updated_at, again.created_at, "as the clock says, all the same");
    let of_today = NewMessage { created_at: NOW + 1, ..said(Role::User, "and now") };
    given.store.append_message(made.current_thread, of_today).await.unwrap();
    assert_eq!(listed().await, [made.id, given.session.id]);
}

#[tokio::test]
async fn the_session_that_was_opened_last_is_known_and_what_ended_elsewhere_is_unread_until_it_is_opened()
 {
    let given = a_session().await;
    let (store, first) = (&given.store, given.session.id);
    let second = store.create_session(NewSession::default()).await.unwrap().id;
    let opened = async |id| store.session_read_states().await.unwrap()[&id].clone();
    assert_eq!((opened(first).await, opened(second).await), Default::default());

    assert!(!store.mark_opened(second).await.unwrap());
    assert!(!store.mark_opened(first).await.unwrap());
    let last = opened(first).await;
    assert!(last.order > opened(second).await.order && opened(second).await.order.is_some());
    store.mark_opened(first).await.unwrap();
    assert_eq!(opened(first).await, last, "it was the last one already");

    store.mark_unread(second).await.unwrap();
    assert!(opened(second).await.unread && !opened(first).await.unread);
    assert!(store.mark_opened(second).await.unwrap());
    assert!(!opened(second).await.unread && opened(second).await.order > last.order);
}

#[tokio::test]
async fn what_a_session_decides_is_changed_one_by_one_and_leaves_the_others() {
    let Scenario { store, session, folder: _folder, .. } = a_session().await;
    let decided = [
        SessionOverride::Instructions(Some("Answer in rhymes.".into())),
        SessionOverride::Folder(Some("/loom".into())),
        SessionOverride::Strategy(Some(Strategy::Remind)),
        SessionOverride::AutoCompaction(Some(Switch::Off)),
        SessionOverride::Effort(Some(ReasoningEffort::High)),
    ];
    // Concurrently, in any order: none overwrites another.
    futures::future::join_all(decided.map(|one| store.set_override(session.id, one))).await;
    store.set_override(session.id, SessionOverride::Strategy(None)).await.unwrap();
    let expected = SessionOverrides {
        auto_compaction: Some(Switch::Off),
        strategy: None,
        instructions: Some("Answer in rhymes.".into()),
        folder: Some("/loom".into()),
        effort: Some(ReasoningEffort::High),
    };
    assert_eq!(store.session(session.id).await.unwrap().overrides, expected);
    let nobody = store.set_override(SessionId(404), SessionOverride::Folder(None)).await;
    assert!(matches!(nobody, Err(Error::NotFound { .. })), "{nobody:?}");
}
