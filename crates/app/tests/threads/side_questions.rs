//! Questions beside the conversation: what they send, what they leave as it was, and what keeping them does.

use std::sync::Mutex;
use std::time::Duration;

use scripted_server::until;
use serde_json::{Value, json};
use skein_app::view::{SideAnswer, SideRound};
use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::message::{MessageState, StopReason};

use crate::scenario::{Say, Scenario, under, with_window};

impl Scenario {
    async fn asks_aside(&self, earlier: Vec<SideRound>, question: &str) -> Result<SideAnswer> {
        self.app.side_questions.ask(self.session, earlier, question.into(), |_| {}).await
    }
}

fn round(question: &str, answer: SideAnswer) -> SideRound {
    let SideAnswer { text, model, ending, .. } = answer;
    SideRound { question: question.into(), answer: text, model: Some(model), ending }
}

fn messages(body: &Value) -> &[Value] {
    body["messages"].as_array().unwrap()
}

/// A conversation in which two side questions were asked, or none; and its next request.
async fn next_request(asks: bool) -> (Scenario, String) {
    let given = under("summarize").await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    given.model.says([Say::words("Noted.").at(900)]);
    given.send("The loom is oak.").await.unwrap();
    given.settled().await;
    if asks {
        let answer = given.asks_aside(vec![], "What is a reed?").await.unwrap();
        let earlier = vec![round("What is a reed?", answer)];
        given.asks_aside(earlier, "And a heddle?").await.unwrap();
    }
    given.send("And then?").await.unwrap();
    let body = given.model.asked().pop().unwrap().to_string();
    (given, body)
}

#[tokio::test(flavor = "multi_thread")]
async fn w02_side_questions_leave_the_next_request_byte_for_byte_as_it_was() {
    let (_, without) = next_request(false).await;
    let (given, with) = next_request(true).await;
    assert_eq!(with, without);
    let asked = given.model.asked();
    assert_eq!(asked.len(), 4);
    let last = &asked[3];
    for side in &asked[1..3] {
        assert_eq!(side["tools"], last["tools"], "the declarations stay, for the cache");
        let shared = messages(last).len() - 1;
        assert_eq!(messages(side)[..shared], messages(last)[..shared]);
    }
    assert_eq!(messages(&asked[2]).len(), messages(&asked[1]).len() + 2, "the follow-up goes on");
    assert_eq!(given.lines().await.len(), 4, "nothing of them is in the thread");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_side_question_runs_no_tool_and_says_that_one_was_called() {
    let given = under("summarize").await;
    given.model.says([Say::words("Noted.")]);
    given.send("The loom is oak.").await.unwrap();
    given.settled().await;
    given.model.says([Say::call("add_reminder", json!({ "content": "x" })).at(700)]);
    let answer = given.asks_aside(vec![], "Remember x?").await.unwrap();
    assert!(answer.has_calls);
    assert_eq!(answer.usage.prompt, Some(700));
    assert!(given.app.store.reminders(given.session).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_side_question_without_room_does_not_leave() {
    let given = with_window("summarize", 20_000).await;
    let asked = given.model.asked().len();
    let question = "The shuttle crosses the warp and the reed beats it home. ".repeat(2_000);
    let error = given.asks_aside(vec![], &question).await.unwrap_err();
    assert!(matches!(error, Error::TooLong { limit: Some(_), actual: Some(_), .. }), "{error:?}");
    assert_eq!(given.model.asked().len(), asked);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_side_question_streams_and_can_be_stopped() {
    let given = under("summarize").await;
    given
        .model
        .says([Say::slowly(&["One", " two"], Duration::ZERO).after(Duration::from_secs(60))]);
    let (arrived, session) = (Mutex::new(String::new()), given.session);
    let heard = |delta: &str| arrived.lock().unwrap().push_str(delta);
    let ask = given.app.side_questions.ask(session, vec![], "Count.".into(), heard);
    let stop = async {
        until("words arrive", async || *arrived.lock().unwrap() == "One two").await;
        let second = given.asks_aside(vec![], "And?").await;
        assert_eq!(second.unwrap_err(), Error::Busy {}, "one at a time");
        given.app.side_questions.stop(session);
    };
    let (answer, ()) = futures::join!(ask, stop);
    assert!(answer.is_err());
    given.model.says([Say::words("Yes.")]);
    assert_eq!(given.asks_aside(vec![], "Again?").await.unwrap().text, "Yes.");
}

/// A model that answers side questions for a minute.
async fn given_slow() -> Scenario {
    let given = under("summarize").await;
    let slow = Say::slowly(&["One", " two"], Duration::ZERO).after(Duration::from_secs(60));
    given.model.says([slow]);
    given
}

async fn answering(given: &Scenario) {
    until("it is answered", async || given.app.active_work().answering_aside).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_the_program_stops_a_side_question() {
    let given = given_slow().await;
    let close = async {
        answering(&given).await;
        given.app.close().await;
        assert!(given.app.active_work().is_empty());
    };
    let (answer, ()) = futures::join!(given.asks_aside(vec![], "Count."), close);
    assert!(answer.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_a_session_stops_its_side_question() {
    let given = given_slow().await;
    let delete = async {
        answering(&given).await;
        given.app.sessions.delete(vec![given.session]).await.unwrap();
    };
    let (answer, ()) = futures::join!(given.asks_aside(vec![], "Count."), delete);
    assert!(answer.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_of_side_questions_is_a_round_like_any_other() {
    let given = under("summarize").await;
    given.model.says([Say::words("Noted."), Say::words("A comb.")]);
    given.send("The loom is oak.").await.unwrap();
    given.settled().await;
    let answer = given.asks_aside(vec![], "What is a reed?").await.unwrap();
    let rounds = vec![round("What is a reed?", answer)];
    given.app.side_questions.keep_rounds(given.session, rounds).await.unwrap();
    let lines = ["The loom is oak.", "Noted.", "What is a reed?", "A comb."];
    assert_eq!(given.lines().await, lines);
    let next = given.app.context.seen_by_model(given.session, Draft::default()).await.unwrap();
    assert!(format!("{:?}", next.lines).contains("A comb."));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_answer_to_a_side_question_says_so_and_is_kept_as_cut() {
    let given = under("summarize").await;
    given.model.says([Say::words("Noted."), Say::words("A comb of").ending("length")]);
    given.send("The loom is oak.").await.unwrap();
    given.settled().await;
    let answer = given.asks_aside(vec![], "What is a reed?").await.unwrap();
    let is_cut = |state: &MessageState| {
        matches!(state, MessageState::Ended { at: StopReason::Output { .. } })
    };
    assert!(is_cut(&answer.ending), "{:?}", answer.ending);
    let rounds = vec![round("What is a reed?", answer)];
    given.app.side_questions.keep_rounds(given.session, rounds).await.unwrap();
    assert!(is_cut(&given.messages(given.current().await).await.last().unwrap().state));
}
