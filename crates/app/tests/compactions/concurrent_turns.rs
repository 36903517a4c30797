//! Messages that are sent while a compaction runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use scripted_server::{Asked, Reply, until};
use serde_json::json;
use skein_app::events::{EventSink, TurnEvent};
use skein_app::view::TurnEnd;
use skein_domain::draft::Draft;
use skein_domain::error::Error;
use skein_store::AutomaticEvent;

use crate::scenario::{a_program, a_program_that, answer, is_summary, long, size};

#[tokio::test(flavor = "multi_thread")]
async fn fr_1_1_a_message_sent_during_a_compaction_leaves_at_once_with_the_context_of_before() {
    let given = a_program(0).await;
    given.say_all().await;
    let work = given.compacting().await;
    given.say("Meanwhile?").await;
    assert!(!work.is_finished(), "its summary is held back");
    let meanwhile = given.server.asked().pop().unwrap().body;
    assert!(meanwhile.contains("Meanwhile?") && meanwhile.contains("The port is 7443."));
    assert!(!meanwhile.contains("The loom is warped."));
    given.release();
    assert_eq!(work.await.unwrap(), Ok(()));
    given.say("And now?").await;
    let after = given.server.asked().pop().unwrap().body;
    assert!(after.contains("The loom is warped.") && after.contains("Meanwhile?"), "{after}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_that_the_next_messages_overtake_is_applied_and_asked_for_once() {
    let given = a_program(0).await;
    given.compacting_by_itself().await;
    let before = given.summaries();
    for words in ["Meanwhile?", "And meanwhile?"] {
        given.say(words).await;
        assert_eq!(given.summaries(), before, "{words}: it is being written already");
    }
    given.release();
    assert!(matches!(given.log().await[..], [AutomaticEvent::Compacted { local: false, .. }]));
    given.say("And now?").await;
    let after = given.server.asked().into_iter().rfind(|asked| !is_summary(asked)).unwrap();
    assert!(after.body.contains("The loom is warped.") && after.body.contains("Meanwhile?"));
    assert_eq!(given.summaries(), before, "what was paid for is used");
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_does_not_fit_waits_for_the_summary_under_way_and_asks_for_no_other() {
    let given = a_program(0).await;
    given.compacting_by_itself().await;
    let before = given.summaries();
    let waits = Arc::new(Waits::default());
    let message = Draft { text: long("A new topic.").repeat(33), attachments: vec![] };
    let (app, session, watcher) = (given.app.clone(), given.session, Arc::clone(&waits));
    let turn = tokio::spawn(async move { app.turns.run(session, message, watcher).await });
    until("it waits", async || waits.0.load(Ordering::SeqCst)).await;
    given.release();
    turn.await.unwrap().unwrap();
    let answered = given.server.asked().into_iter().rfind(|asked| !is_summary(asked)).unwrap();
    assert!(
        answered.body.contains("A new topic.") && answered.body.contains("The loom is warped.")
    );
    assert_eq!(given.summaries(), before);
}

/// Notes that a turn waits for a compaction.
#[derive(Default)]
struct Waits(AtomicBool);

impl EventSink for Waits {
    fn event(&self, event: &TurnEvent) -> bool {
        let waits = matches!(event, TurnEvent::WaitingForCompaction {});
        self.0.fetch_or(waits, Ordering::SeqCst);
        true
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compaction_of_another_thread_is_waited_for_and_is_none_of_this_one() {
    let given = a_program(0).await;
    given.say_all().await;
    let work = given.compacting().await;
    given.app.threads.begin(given.session).await.unwrap();
    let waits = Arc::new(Waits::default());
    let (app, session, watcher) = (given.app.clone(), given.session, Arc::clone(&waits));
    let turns = tokio::spawn(async move {
        while !watcher.0.load(Ordering::SeqCst) {
            let message = Draft { text: long("A new topic.").repeat(4), attachments: vec![] };
            app.turns.run(session, message, watcher.clone()).await.unwrap();
        }
    });
    until("it waits", async || waits.0.load(Ordering::SeqCst)).await;
    given.release();
    turns.await.unwrap();
    assert_eq!(work.await.unwrap(), Ok(()));
    let answered = given.server.asked().into_iter().rfind(|asked| !is_summary(asked)).unwrap();
    assert!(answered.body.contains("The loom is warped."), "it was compacted itself");
}

#[tokio::test(flavor = "multi_thread")]
async fn p09_what_is_refused_while_another_thread_is_compacted_is_compacted_before_it_is_sent_again()
 {
    let refuses = |asked: &Asked| {
        let is_new = asked.body.contains("A new topic.") && !asked.body.contains("loom is warped");
        match !is_summary(asked) && is_new && size(asked) > 12_000 {
            true => {
                let message = "Your input exceeds the context window of this model.";
                let error = json!({ "message": message, "code": "context_length_exceeded" });
                Reply::json(400, json!({ "error": error }).to_string())
            }
            false => answer(asked, 0),
        }
    };
    let given = a_program_that(9_000, refuses).await;
    given.say_all().await;
    let work = given.compacting().await;
    given.app.threads.begin(given.session).await.unwrap();
    let waits = Arc::new(Waits::default());
    let (app, session, watcher) = (given.app.clone(), given.session, Arc::clone(&waits));
    let turns = tokio::spawn(async move {
        loop {
            let message = Draft { text: long("A new topic.").repeat(4), attachments: vec![] };
            let end = app.turns.run(session, message, watcher.clone()).await;
            if watcher.0.load(Ordering::SeqCst) {
                return end;
            }
        }
    });
    until("it waits", async || waits.0.load(Ordering::SeqCst)).await;
    given.release();
    assert_eq!(turns.await.unwrap(), Ok(TurnEnd::Answered {}));
    assert_eq!(work.await.unwrap(), Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_does_not_wait_for_a_compaction_of_another_thread() {
    let given = a_program(0).await;
    given.say_all().await;
    let work = given.compacting().await;
    given.app.threads.begin(given.session).await.unwrap();
    let waits = Arc::new(Waits::default());
    let message = Draft { text: long("A novel.").repeat(120), attachments: vec![] };
    let (app, session, watcher) = (given.app.clone(), given.session, Arc::clone(&waits));
    let turn = tokio::spawn(async move { app.turns.run(session, message, watcher).await });
    let waits_or_ends = async || turn.is_finished() || waits.0.load(Ordering::SeqCst);
    until("it waits or ends", waits_or_ends).await;
    let waited = waits.0.load(Ordering::SeqCst);
    given.release();
    let end = turn.await.unwrap();
    let too_long = |error: &Error| matches!(error, Error::MessageTooLong { .. });
    assert!(matches!(&end, Ok(TurnEnd::Failed { error }) if too_long(error)), "{end:?}");
    assert!(!waited);
    assert_eq!(work.await.unwrap(), Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_thread_is_begun_only_where_something_was_said_in_the_current_one() {
    let given = a_program(0).await;
    let count = async || given.app.sessions.get(given.session).await.unwrap().threads.len();
    let is_empty = async || given.app.sessions.get(given.session).await.unwrap().is_empty;
    assert_eq!(given.app.threads.begin(given.session).await, Ok(given.thread));
    assert!(is_empty().await);
    given.say("A topic.").await;
    assert!(!is_empty().await);
    let second = given.app.threads.begin(given.session).await.unwrap();
    assert_ne!(second, given.thread);
    assert_eq!(given.app.threads.begin(given.session).await, Ok(second));
    assert_eq!(count().await, 2);
    given.app.threads.clear_mind(given.session).await.unwrap();
    let cleared = given.app.sessions.get(given.session).await.unwrap().session.current_thread;
    assert_eq!(given.app.threads.begin(given.session).await, Ok(cleared), "a notice is no topic");
    assert!(is_empty().await);
}
