//! Actions between two generations of one turn.

use std::time::Duration;

use serde_json::{Value, json};
use skein_app::view::TurnEnd;
use skein_tools::ApprovalPreview;
use skein_tools::permission::ApprovalDecision;

use crate::scenario::{Say, deaf, message, under, with_window};

const SUMMARY: &str = "The loom is warped.";

#[tokio::test(flavor = "multi_thread")]
async fn law_10_a_turn_compacts_between_two_of_its_generations_where_the_second_would_not_fit() {
    // 45,000 of 60,000 leave room for an answer; it compacts by itself above 18,000.
    let given = with_window("summarize", 60_000).await;
    given.model.says([Say::words("Noted.")]);
    for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday."] {
        given.send(&format!("{fact} {}", "loom ".repeat(4_000))).await.unwrap();
    }
    let before = given.model.asked().len();
    assert_eq!(before, 3, "nothing was compacted");

    let calls = Say::words(&"loom ".repeat(33_000)).and("glob", json!({ "pattern": "*" }));
    let summary = Say::words(&format!("## State now\n{SUMMARY}"));
    given.model.says([calls, summary, Say::words("Done.")]);
    assert_eq!(given.send("Look.").await, Ok(TurnEnd::Answered {}));

    let asked = given.model.asked().split_off(before);
    let is_summary = |body: &Value| body.to_string().contains("Whoever goes on with");
    let kinds: Vec<_> = asked[..3].iter().map(is_summary).collect();
    assert_eq!(kinds, [false, true, false], "the turn's own, a summary, the turn's own");
    let [first, _, second] = [0, 1, 2].map(|at| asked[at]["messages"].to_string());
    assert!(!first.contains(SUMMARY) && second.contains(SUMMARY));
    assert!(second.contains("Look.") && second.contains("tool_call_id"), "it goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_fails_time_and_again_is_told_to_the_model_and_then_asked_about() {
    let given = under("summarize").await;
    let call = |path: &str| Say::call("nothing", json!({ "path": path }));
    given.model.says([
        call("a"),
        call("a"),
        call("b"),
        call("a"),
        call("a"),
        call("a"),
        call("a"),
        call("a"),
        Say::words("I stop."),
    ]);
    let (app, session) = (given.app.clone(), given.session);
    let turn = tokio::spawn(async move { app.turns.run(session, message("Go."), deaf()).await });
    for (answer, times) in [(ApprovalDecision::Once, 5), (ApprovalDecision::Deny, 6)] {
        let question = loop {
            if let Some(question) = given.app.sessions.get(session).await.unwrap().questions.pop() {
                break question;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        let args = r#"{"path":"a"}"#.to_owned();
        assert_eq!(question.preview, Some(ApprovalPreview::Repeated { times, args }));
        given.app.turns.answer_tool(session, question.call_id, answer).await.unwrap();
    }
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Answered {}));
    let asked = given.model.asked();
    let told: Vec<bool> = asked
        .iter()
        .map(|request| {
            let last = request["messages"].as_array().unwrap().last().unwrap();
            last["content"].to_string().contains("times in a row")
        })
        .collect();
    let expected = [false, false, false, false, true, true, true, true, false];
    assert_eq!(told, expected, "from the third failure on, and of that call alone");
}
