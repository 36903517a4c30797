//! The list of sessions shows the state of their turns.

use std::time::Duration;

use scripted_server::until;
use skein_app::events::Topic;
use skein_app::view::{Activity, SessionItem, TurnOutcome};
use skein_domain::ids::SessionId;

use crate::scenario::{Say, Scenario, deaf, message, under};

async fn item(given: &Scenario, id: SessionId) -> SessionItem {
    let sessions = given.app.sessions.list().await.unwrap();
    sessions.into_iter().find(|item| item.id == id).unwrap()
}

#[tokio::test]
async fn a_session_in_which_a_turn_has_ended_is_unread_until_it_is_opened() {
    let given = under("summarize").await;
    let other = given.app.sessions.list().await.unwrap()[0].id;
    assert_eq!(other, given.session);
    given.app.sessions.open(given.session).await.unwrap();
    given.send("hello").await.unwrap();
    let open = item(&given, given.session).await;
    assert_eq!((open.unread, open.ended), (false, Some(TurnOutcome::Answered)), "it was seen");

    let other = given.app.sessions.create().await.unwrap();
    assert_ne!(other, given.session);
    given.app.sessions.open(other).await.unwrap();
    given.model.answers(false);
    given.send("and now?").await.unwrap_err();
    let unread = item(&given, given.session).await;
    assert_eq!((unread.unread, unread.ended), (true, Some(TurnOutcome::Failed)));
    assert!(unread.opened < item(&given, other).await.opened);

    let given = given.restarted().await;
    let unread = item(&given, given.session).await;
    assert_eq!(
        (unread.unread, unread.ended),
        (true, Some(TurnOutcome::Failed)),
        "a start changes no mark"
    );
    let mut changes = given.app.changes();
    given.app.sessions.open(given.session).await.unwrap();
    assert!(changes.try_recv().is_ok());
    assert!(!item(&given, given.session).await.unread);
}

#[tokio::test]
async fn what_runs_is_told_until_it_has_ended() {
    let given = under("summarize").await;
    assert!(given.app.active_work().is_empty());
    given.model.says([Say::words("Late.").after(Duration::from_secs(60))]);
    let (app, session) = (given.app.clone(), given.session);
    let turn = tokio::spawn(async move { app.turns.run(session, message("go"), deaf()).await });
    let replies = async || given.app.active_work().sessions == [Activity::Replying];
    until("it replies", replies).await;
    given.app.turns.stop(session).await.unwrap();
    turn.await.unwrap().unwrap();
    assert!(given.app.active_work().is_empty());
    assert_eq!(item(&given, session).await.ended, Some(TurnOutcome::CutOff));
}

#[tokio::test]
async fn a_turn_ends_with_its_session_also_where_several_are_deleted_at_once() {
    let given = under("summarize").await;
    given.model.says([Say::words("Said.").after(Duration::from_secs(60))]);
    let session = given.session;
    let turn = given.sending("hello").await;
    given.app.sessions.delete(vec![session, SessionId(99)]).await.unwrap();
    let soon = tokio::time::timeout(Duration::from_secs(30), turn);
    soon.await.expect("it waits for the reply no longer").unwrap().unwrap();
    assert!(given.app.sessions.list().await.unwrap().is_empty());
    given.app.sessions.restore(vec![session, SessionId(99)]).await.unwrap();
    assert_eq!(given.lines().await[0], "hello");
    assert!(given.app.active_work().is_empty());
}

#[cfg_attr(windows, ignore = "Windows has no pipes among its files")]
#[tokio::test]
async fn an_import_is_told_until_it_has_ended() {
    let given = under("summarize").await;
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("chats.json");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let (app, path) = (given.app.clone(), pipe.display().to_string());
    // It is opened once somebody writes into it.
    let import = tokio::spawn(async move { app.imports.import(path).await });
    until("it imports", async || given.app.active_work().importing).await;
    let mut changes = given.app.changes();
    // The reader may be gone by then: a pipe is no file that can be imported.
    let _ = tokio::fs::write(&pipe, "[]").await;
    import.await.unwrap().unwrap_err();
    assert!(given.app.active_work().is_empty());
    let mut told = Vec::new();
    while let Ok(changed) = changes.try_recv() {
        told.extend(changed.topics);
    }
    assert!(told.contains(&Topic::Closing {}), "{told:?}");
}
