//! Messages sent while a turn runs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use skein_app::events::{EventSink, TurnEvent};
use skein_app::turn::turn_start::TurnStart;
use skein_app::view::TurnEnd;
use skein_domain::error::Result;
use skein_domain::ids::MessageId;
use tokio::task::JoinHandle;

use crate::scenario::{Say, Scenario, deaf, message, under};

async fn waiting(given: &Scenario) -> usize {
    given.app.sessions.get(given.session).await.unwrap().waiting.len()
}

/// Sends a message that is not answered yet, and lets others wait behind it. Returns how the turn will
/// end.
async fn send_and_wait_behind(given: &Scenario, texts: &[&str]) -> JoinHandle<Result<TurnEnd>> {
    given.model.holds_answers(true);
    let turn = given.sending("one").await;
    for text in texts {
        assert!(given.app.turns.queue(given.session, message(text)).await.unwrap());
    }
    assert_eq!(waiting(given).await, texts.len());
    turn
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_during_a_turn_waits_and_is_answered_after_it_in_order() {
    let given = under("summarize").await;
    given.model.says([Say::words("a"), Say::words("b"), Say::words("c")]);
    let turn = send_and_wait_behind(&given, &["two", "three"]).await;
    given.model.holds_answers(false);
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Answered {}));
    assert_eq!(given.lines().await, ["one", "a", "two", "b", "three", "c"]);
    assert_eq!(waiting(&given).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_survives_the_programs_end_and_is_sent_when_the_person_says_so() {
    let given = under("summarize").await;
    assert!(!given.app.turns.queue(given.session, message("two")).await.unwrap(), "nothing runs");
    let given = given.restarted().await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(given.lines().await, Vec::<String>::new(), "nothing is sent by itself");
    assert_eq!(waiting(&given).await, 1);
    given.model.says([Say::words("b")]);
    given.app.turns.run(given.session, TurnStart::Queued, deaf()).await.unwrap();
    assert_eq!(given.lines().await, ["two", "b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_for_the_box_is_not_sent_behind_another_message() {
    let given = under("summarize").await;
    given.model.says([Say::words("a")]);
    let linked = given.app.sessions.new_chat("silk".into(), vec![], None).await.unwrap();
    assert_eq!(linked, given.session, "nobody has used it");
    given.send("one").await.unwrap();
    assert_eq!(given.lines().await, ["one", "a"]);
    assert_eq!(waiting(&given).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_turn_that_was_stopped_what_waits_goes_on_waiting() {
    let given = under("summarize").await;
    let turn = send_and_wait_behind(&given, &["two"]).await;
    given.app.turns.stop(given.session).await.unwrap();
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Interrupted {}));
    given.model.holds_answers(false);
    assert_eq!(waiting(&given).await, 1);
}

/// Notes the words of every reply as they come, by the message.
#[derive(Default)]
struct Ear(Mutex<Vec<(MessageId, String)>>);

impl EventSink for Ear {
    fn event(&self, event: &TurnEvent) -> bool {
        if let TurnEvent::Text { message_id, delta } = event {
            self.0.lock().unwrap().push((*message_id, delta.clone()));
        }
        true
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_was_reloaded_hears_the_turns_of_what_waited_too_and_nothing_twice() {
    let given = under("summarize").await;
    given.model.says([Say::words("a"), Say::words("b"), Say::words("c")]);
    let turn = send_and_wait_behind(&given, &["two", "three"]).await;
    let ear = Arc::new(Ear::default());
    let answers = async { given.model.holds_answers(false) };
    let (watched, ()) = tokio::join!(given.app.turns.watch(given.session, ear.clone()), answers);
    assert_eq!(watched, Ok(true));
    // The event sink is released when all is answered, not sooner.
    assert_eq!(waiting(&given).await, 0);
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Answered {}));
    let messages = given.messages(given.current().await).await;
    let replies = messages.iter().filter(|it| it.model.is_some());
    let said: Vec<_> = replies.map(|it| (it.id, it.text())).collect();
    assert_eq!(*ear.0.lock().unwrap(), said);
    assert_eq!(said.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn d12_a_caution_notice_waits_while_a_message_of_the_person_does() {
    let given = under("remind").await;
    given.model.says([Say::words("cool").at(5_000)]);
    given.send("zero").await.unwrap();
    let note = || Say::call("add_reminder", json!({ "content": "n" }));
    // A round that runs a tool, so that what comes next is likely to run one too.
    given.model.says([note().at(5_000), Say::words("warm").at(85_000)]);
    given.send("half").await.unwrap();
    let note = || note().at(85_000);
    given.model.says([note(), Say::words("a").at(85_000), note(), Say::words("b")]);
    let turn = send_and_wait_behind(&given, &["two"]).await;
    given.model.holds_answers(false);
    turn.await.unwrap().unwrap();
    let said = ["one", "[add_reminder]", "a", "two", "[add_reminder]", "(caution)"];
    assert_eq!(given.lines().await[5..11], said);
}
