//! `clear_mind` called by a model: carried out, refused in words, and bounded.

use serde_json::json;
use skein_app::view::TurnEnd;
use skein_context::compaction::remediation::{NotClearedReason, clear_mind_error_text};

use crate::scenario::{Say, Scenario, deaf, message, under};

#[tokio::test(flavor = "multi_thread")]
async fn d15_a_model_clears_its_mind_with_a_package_and_goes_on_from_it() {
    let given = under("remind").await;
    given.model.says([
        Say::words("Working on it.").and("glob", json!({ "pattern": "*" })),
        Say::call("clear_mind", json!({ "reminder_content": "next: mend the gate" })),
        Say::words("mended"),
    ]);
    given.send("Mend the gate").await.unwrap();
    let threads = given.threads().await;
    assert_eq!(given.lines().await, ["(cleared, local false)", "mended"]);
    assert_eq!(given.lines_of(threads[1].id).await.last().unwrap(), "[clear_mind]");
    let reminders = given.app.store.reminders(given.session).await.unwrap();
    assert_eq!(reminders[0].content, "next: mend the gate");
}

#[tokio::test(flavor = "multi_thread")]
async fn d15_a_model_that_clears_at_once_still_answers_the_person_in_the_new_thread() {
    let given = under("remind").await;
    given.model.says([
        Say::call("add_reminder", json!({ "content": "nothing yet" })),
        Say::call("clear_mind", json!({})),
        Say::words("four"),
    ]);
    given.send("What is two and two?").await.unwrap();
    let threads = given.threads().await;
    assert_eq!(given.lines().await, ["(cleared, local true)", "What is two and two?", "four"]);
    assert_eq!(given.lines_of(threads[1].id).await, ["[add_reminder]", "[clear_mind]"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn d15_beside_a_failed_call_nothing_is_cleared_and_the_result_says_so() {
    let given = under("remind").await;
    given.model.says([
        Say::call("clear_mind", json!({})).and("no_such_tool", json!({})),
        Say::words("I see."),
    ]);
    given.send("Clear").await.unwrap();
    let refusal = clear_mind_error_text(NotClearedReason::OtherCallFailed);
    let failed = "There is no tool named no_such_tool.";
    let calls = format!("[clear_mind: {refusal}] [no_such_tool: {failed}]");
    assert_eq!(given.lines().await, ["Clear", &calls, "I see."]);
    assert_eq!(given.threads().await.len(), 1);
    let asked = given.model.asked();
    assert!(
        asked.last().unwrap().to_string().contains("Nothing was cleared"),
        "the model hears it"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn d15_a_model_that_loops_on_clear_mind_comes_to_an_end_and_loses_nothing() {
    let given = under("remind").await;
    given.model.says([Say::call("clear_mind", json!({ "reminder_content": "again" }))]);
    assert_eq!(given.send("Begin").await.unwrap(), TurnEnd::GenerationLimit {});
    let threads = given.threads().await;
    assert_eq!(threads.len(), 2, "cleared once");
    let lines = given.lines().await;
    assert_eq!(lines[..2], ["(cleared, local false)", "Begin"]);
    let refused =
        format!("[clear_mind: {}]", clear_mind_error_text(NotClearedReason::AlreadyCleared));
    assert!(lines.len() > 2 && lines[2..].iter().all(|line| *line == refused), "{lines:?}");
    assert_eq!(given.app.store.reminders(given.session).await.unwrap().len(), 1);
}

/// Ends the current thread once it has a message.
async fn begins_anew(given: &Scenario, clears: bool) {
    // Busy, where the turn has begun first.
    let _ = match clears {
        true => given.app.threads.clear_mind(given.session).await,
        false => given.app.threads.begin(given.session).await,
    };
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_just_as_a_thread_begins_is_answered_in_the_thread_it_stands_in() {
    let given = under("summarize").await;
    given.model.says([Say::words("said")]);
    for round in 0..12 {
        given.send("before").await.unwrap();
        let sent = given.app.turns.run(given.session, message("and?"), deaf());
        let (_, sent) = tokio::join!(begins_anew(&given, round % 2 == 0), sent);
        assert_eq!(sent, Ok(TurnEnd::Answered {}));
        let lines = given.lines().await;
        assert_eq!(lines[lines.len() - 2..], ["and?", "said"], "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_wishes_for_a_new_thread_at_once_one_comes_of_it() {
    let given = under("summarize").await;
    for round in 1..8 {
        given.send("before").await.unwrap();
        let begin = || given.app.threads.begin(given.session);
        let (one, other) = tokio::join!(begin(), begin());
        assert_eq!(one, other);
        assert_eq!(given.threads().await.len(), round + 1);
    }
}
