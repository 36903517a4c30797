//! The start and the end of a compaction.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rusqlite::Connection;
use scripted_server::until;
use skein_app::events::{Topic, TurnEvent};
use skein_app::view::{CompactionStatus, TurnEnd};
use skein_domain::draft::Draft;
use skein_domain::error::{CompactionFailure, Error};
use skein_domain::generation::CallPurpose;
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;
use skein_domain::session::{SessionOverride, Switch};
use skein_domain::strategy::Strategy;
use skein_platform::paths::AppPaths;
use skein_store::{AutomaticEvent, UsageGrouping, UsageKey, UsageTotal};

use crate::scenario::{a_program, long};

fn cancelled() -> AutomaticEvent {
    let loom = ModelRef { provider: ProviderId("scripted".into()), model: "loom".into() };
    AutomaticEvent::NotCompacted { reason: CompactionFailure::Cancelled, model: Some(loom) }
}

#[tokio::test(flavor = "multi_thread")]
async fn law_04_a_compaction_that_began_by_itself_ends_when_it_is_switched_off_in_the_session() {
    let given = a_program(0).await;
    given.compacting_by_itself().await;
    let off = SessionOverride::AutoCompaction(Some(Switch::Off));
    given.app.sessions.set_override(given.session, off).await.unwrap();
    given.release();
    assert_eq!(given.log().await, [cancelled()]);
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn law_04_a_compaction_that_began_by_itself_ends_when_another_strategy_is_chosen_for_all() {
    let given = a_program(0).await;
    given.compacting_by_itself().await;
    let settings = given.app.settings.view().await.unwrap().settings;
    let mut changed = settings.clone();
    changed.context.strategy = Strategy::Remind;
    given.app.settings.save(settings, changed).await.unwrap();
    // It is not waited for: its summary is still held back.
    assert_eq!(given.log().await, [cancelled()]);
    let calls = given.app.store.usage_totals(UsageGrouping::Purpose, 0).await.unwrap();
    let is_summary = |total: &UsageTotal| {
        total.key == UsageKey::Purpose { purpose: CallPurpose::Summary } && total.calls == 1
    };
    assert!(calls.iter().any(is_summary), "its call is billed: {calls:?}");
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 0);
    given.release();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_that_cannot_be_listed_is_shown_all_the_same() {
    let given = a_program(0).await;
    given.compacting_by_itself().await;
    let database = Connection::open(AppPaths::in_folder(given.folder.path()).database()).unwrap();
    let refuse = "CREATE TRIGGER full BEFORE INSERT ON automatic
                  BEGIN SELECT raise(ABORT, 'database or disk is full'); END";
    database.execute_batch(refuse).unwrap();
    let mut changes = given.app.changes();
    given.release();
    let context = Topic::Context { session_id: given.session };
    let told = async { while !changes.recv().await.unwrap().topics.contains(&context) {} };
    tokio::time::timeout(Duration::from_secs(30), told).await.expect("the window is told");
    let status = given.app.compactions.status(given.session).await.unwrap();
    assert!(matches!(status, CompactionStatus::Done { .. }), "{status:?}");
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_by_hand_goes_on_though_nothing_happens_by_itself_any_more() {
    let given = a_program(0).await;
    given.say_all().await;
    let work = given.compacting().await;
    let off = SessionOverride::AutoCompaction(Some(Switch::Off));
    given.app.sessions.set_override(given.session, off).await.unwrap();
    given.release();
    assert_eq!(work.await.unwrap(), Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_a_compaction_is_answered_when_it_has_begun_and_its_end_is_shown() {
    let given = a_program(0).await;
    let began = async || given.app.compactions.compact(given.session, None, None).await.map(drop);
    let nothing = CompactionFailure::NothingToCover;
    assert_eq!(began().await, Err(Error::NotCompacted { reason: nothing }));
    given.say_all().await;
    given.held.store(true, Ordering::SeqCst);
    let end = given.app.compactions.compact(given.session, None, None).await.unwrap();
    assert_eq!(began().await, Err(Error::Compacting {}));
    given.app.compactions.cancel(given.session).await.unwrap();
    let error = Error::NotCompacted { reason: CompactionFailure::Cancelled };
    assert_eq!(end.await.unwrap(), Err(error.clone()));
    let status = given.app.compactions.status(given.session).await.unwrap();
    assert_eq!(status, CompactionStatus::Failed { error });
    given.release();
}

/// On one thread: what is begun does nothing before something is waited for.
#[tokio::test]
async fn whoever_asks_at_once_after_a_compaction_has_begun_is_told_that_it_runs() {
    let given = a_program(0).await;
    given.say_all().await;
    let end = given.app.compactions.compact(given.session, None, None).await.unwrap();
    let status = given.app.compactions.status(given.session).await.unwrap();
    let CompactionStatus::Running { progress } = status else { panic!("{status:?}") };
    assert_eq!((progress.thread_id, progress.text), (given.thread, String::new()));
    assert_eq!(progress.model.map(|model| model.model).as_deref(), Some("loom"));
    end.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_whose_task_dies_has_failed_and_says_so() {
    let given = a_program(0).await;
    given.say_all().await;
    let work = given.compacting().await;
    let mut changes = given.app.changes();
    work.abort();
    let compaction = Topic::Compaction { session_id: given.session };
    let told = async { while !changes.recv().await.unwrap().topics.contains(&compaction) {} };
    tokio::time::timeout(Duration::from_secs(30), told).await.expect("the window is told");
    let status = given.app.compactions.status(given.session).await.unwrap();
    let error = Error::Storage { detail: "the compaction broke off".into() };
    assert_eq!(status, CompactionStatus::Failed { error });
    given.release();
    given.compact().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_stopped_while_it_compacts_first_stops_that_too_and_begins_no_other() {
    let given = a_program(0).await;
    given.say_all().await;
    given.held.store(true, Ordering::SeqCst);
    let (app, session) = (Arc::clone(&given.app), given.session);
    let words = long("All of it.").repeat(63);
    let message = Draft { text: words, attachments: vec![] };
    let turn = tokio::spawn(async move {
        app.turns.run(session, message, Arc::new(|_: &TurnEvent| true)).await
    });
    until("a summary is asked for", async || given.summaries() > 0).await;

    given.app.turns.stop(given.session).await.unwrap();
    assert_eq!(turn.await.unwrap().unwrap(), TurnEnd::Interrupted {});
    let error = Error::NotCompacted { reason: CompactionFailure::Cancelled };
    let status = given.app.compactions.status(given.session).await.unwrap();
    assert_eq!(status, CompactionStatus::Failed { error });
    assert_eq!(given.log().await, [cancelled()]);
    given.release();
    until("nothing runs", async || given.app.tasks.tracker.is_empty()).await;
    assert_eq!(given.summaries(), 1);
}
