//! Deleted sessions: their undo, their end, and what goes with them.

use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::Error;
use skein_domain::ids::SessionId;
use skein_domain::message::{ImageRef, Role, ToolOutput};
use skein_store::{DELETION_LIFETIME, DeletedSession, NewMessage, NewSession};

use super::fixtures::{calls, note};
use crate::scenario::{NOW, Scenario, a_session, said};

#[tokio::test]
async fn a_deleted_session_comes_back_with_everything_until_it_is_purged() {
    let given = a_session().await;
    given.says(Role::User, "keep me").await;
    let session = given.store.session(given.session.id).await.unwrap();
    given.store.delete_sessions(vec![session.id], NOW).await.unwrap();
    assert_eq!(given.store.sessions().await.unwrap(), []);
    given.store.purge(NOW, vec![]).await.unwrap();
    given.store.restore_sessions(vec![session.id]).await.unwrap();
    assert_eq!(given.store.session(session.id).await.unwrap(), session);
    assert_eq!(given.path().await, ["keep me"]);

    given.store.delete_sessions(vec![session.id], NOW).await.unwrap();
    given.store.purge(NOW + 1, vec![session.id]).await.unwrap();
    assert_eq!(given.store.deleted_sessions().await.unwrap().len(), 1, "it was to be kept");
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    let gone = given.store.restore_sessions(vec![session.id]).await;
    assert_eq!(gone, Err(Error::NotFound { what: "session".into() }));
}

#[tokio::test]
async fn deleted_sessions_are_told_and_go_for_good_when_the_person_says_so_and_no_others_do() {
    let given = a_session().await;
    given.says(Role::User, "keep me").await;
    let (store, first) = (&given.store, given.session.id);
    let named = NewSession { title: Some("Wool".into()), ..NewSession::default() };
    let second = store.create_session(named).await.unwrap().id;
    let kept = store.purge_session(first).await;
    assert_eq!(kept, Err(Error::NotFound { what: "deleted session".into() }));
    assert_eq!(given.path().await, ["keep me"]);

    store.delete_sessions(vec![first], NOW + 1).await.unwrap();
    store.delete_sessions(vec![second], NOW + 2).await.unwrap();
    let deleted = |id, title: &str, messages, deleted_at| DeletedSession {
        id,
        title: Some(title.into()),
        messages,
        deleted_at,
        kept_until: deleted_at + DELETION_LIFETIME,
    };
    let wool = deleted(second, "Wool", 0, NOW + 2);
    let unnamed = deleted(first, "keep me", 1, NOW + 1);
    assert_eq!(store.deleted_sessions().await.unwrap(), [wool.clone(), unnamed]);

    store.purge_session(first).await.unwrap();
    assert_eq!(store.deleted_sessions().await.unwrap(), [wool]);
    let gone = store.restore_sessions(vec![first]).await;
    assert_eq!(gone, Err(Error::NotFound { what: "session".into() }));
}

#[tokio::test]
async fn several_sessions_go_and_come_back_at_once_and_no_other_with_them() {
    let given = a_session().await;
    let store = &given.store;
    let mut ids = vec![given.session.id];
    for _ in 0..3 {
        ids.push(store.create_session(NewSession::default()).await.unwrap().id);
    }
    let listed = || async {
        let mut listed: Vec<_> = store.sessions().await.unwrap().iter().map(|it| it.id).collect();
        listed.sort();
        listed
    };
    store.delete_sessions(vec![ids[0]], NOW).await.unwrap();
    store.delete_sessions(vec![ids[0], ids[1], ids[2], SessionId(99)], NOW + 1).await.unwrap();
    assert_eq!(listed().await, [ids[3]]);
    let deleted = store.deleted_sessions().await.unwrap();
    let when: Vec<_> = deleted.iter().map(|it| (it.id, it.deleted_at)).collect();
    assert_eq!(when, [(ids[2], NOW + 1), (ids[1], NOW + 1), (ids[0], NOW)]);
    store.restore_sessions(vec![ids[1], ids[2]]).await.unwrap();
    assert_eq!(listed().await, ids[1..]);
}

/// A file with these bytes, stored at this time.
async fn file(given: &Scenario, bytes: &str, at: i64) -> Attachment {
    let blob = given.store.put_blob(bytes.into(), at).await.unwrap();
    note().at(blob)
}

#[tokio::test]
async fn with_a_session_goes_what_it_named_and_nothing_that_it_did_not() {
    let given = a_session().await;
    let (store, session) = (&given.store, given.session.id);
    let other = store.create_session(NewSession::default()).await.unwrap();
    let mut own = Vec::new();
    for bytes in ["said", "shown", "waiting", "drafted", "again"] {
        own.push(file(&given, bytes, NOW).await);
    }
    let [said_there, shown, waiting, drafted, again] = &own[..] else { panic!("five") };
    let shared = file(&given, "shared", NOW).await;
    // Referred to only by an edit, or by a queued message that is restored.
    let edited = file(&given, "edited", NOW).await;

    for (thread, files) in
        [(given.thread(), [said_there, &shared, again]), (other.current_thread, [&shared; 3])]
    {
        let parts = files.map(|file| file.clone().part("wool".into())).into();
        store.append_message(thread, NewMessage { parts, ..said(Role::User, "") }).await.unwrap();
    }
    let picture = ImageRef {
        blob: shown.blob(),
        name: "snapshot".into(),
        media_type: "image/png".into(),
        width: None,
        height: None,
        bytes: 5,
    };
    let text = String::new();
    calls(
        &given,
        ToolOutput { text, whole: None, pictures: vec![picture], withheld: false, folder: None },
    )
    .await;
    store.queue_message(session, vec![waiting.clone().part("wool".into())], NOW).await.unwrap();
    let draft = Draft { text: String::new(), attachments: vec![drafted.clone()] };
    store.set_draft(session, draft, None, NOW).await.unwrap();
    store.delete_sessions(vec![session], NOW + 1).await.unwrap();
    file(&given, "again", NOW + 2).await;
    store.purge_session(session).await.unwrap();

    for gone in [said_there, shown, waiting, drafted] {
        let read = store.blob(gone.blob()).await;
        assert_eq!(read, Err(Error::NotFound { what: "attachment".into() }));
    }
    for (kept, bytes) in [(&shared, "shared"), (&edited, "edited"), (again, "again")] {
        assert_eq!(store.blob(kept.blob()).await.as_deref(), Ok(bytes.as_bytes()));
    }
}
