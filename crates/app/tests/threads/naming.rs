//! The title of a new session.

use std::time::Duration;

use scripted_server::until;
use serde_json::json;
use skein_app::view::{CompactionStatus, TurnEnd};
use skein_domain::generation::CallPurpose;
use skein_store::{UsageGrouping, UsageKey};

use crate::scenario::{Say, Scenario, under, with_window};

/// The title, once everything that follows a turn has ended.
async fn title(given: Scenario) -> Option<String> {
    let given = given.restarted().await;
    given.app.sessions.get(given.session).await.unwrap().session.title
}

async fn is_asked_for_a_title(given: &Scenario) {
    until("a title is asked for", async || given.model.titles() > 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_without_a_title_is_named_after_its_first_answer() {
    let given = under("summarize").await;
    given.send("one").await.unwrap();
    assert_eq!(title(given).await.as_deref(), Some("A title"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_title_that_the_person_gives_while_one_is_asked_for_stays() {
    let given = under("summarize").await;
    given.model.holds_titles(true);
    given.send("one").await.unwrap();
    is_asked_for_a_title(&given).await;
    given.app.sessions.rename(given.session, "Mine".into()).await.unwrap();
    given.model.holds_titles(false);
    assert_eq!(title(given).await.as_deref(), Some("Mine"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_title_is_asked_for_without_thinking_where_the_person_chose_how_hard_to_think() {
    let given = under("summarize").await;
    let given = given.configured(|settings| {
        settings["providers"][0]["models"][0]["effort"] = json!("high");
    });
    let given = given.await;
    given.send("one").await.unwrap();
    is_asked_for_a_title(&given).await;
    assert_eq!(given.model.efforts(), [(json!("high"), false), (json!("none"), true)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_title_is_asked_for_where_that_is_switched_off() {
    let given = under("summarize").await;
    let given = given.configured(|settings| settings["nameSessions"] = json!(false)).await;
    given.send("one").await.unwrap();
    given.settled().await;
    assert_eq!(given.model.errands(), [""; 0]);
    assert_eq!(title(given).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_title_is_asked_for_before_the_first_answer() {
    let given = under("summarize").await;
    given.model.answers(false);
    for _ in 0..2 {
        given.send("one").await.unwrap_err();
    }
    let given = given.restarted().await;
    assert_eq!(given.model.errands(), [""; 0]);
    given.model.answers(true);
    given.send("two").await.unwrap();
    given.settled().await;
    given.model.answers(false);
    given.send("three").await.unwrap_err();
    assert_eq!(title(given).await.as_deref(), Some("A title"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_message_does_not_wait_for_a_title_which_is_asked_for_again_in_a_quiet_moment() {
    let given = under("summarize").await;
    given.model.names(Say::words("Too late").after(Duration::from_secs(3_600)));
    given.send("one").await.unwrap();
    is_asked_for_a_title(&given).await;
    given.model.names(Say::words("A title"));
    given.send("two").await.unwrap();
    given.send("three").await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(given.model.titles(), 1, "it is not asked for again at once");
    until("it is asked for again", async || given.model.titles() == 2).await;
    given.settled().await;
    assert_eq!(title(given).await.as_deref(), Some("A title"));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_server_near_by_a_title_is_asked_for_in_a_quiet_moment() {
    let given = under("summarize").await;
    let given = given.configured(|settings| settings["providers"][0]["kind"] = json!("lmstudio"));
    let given = given.await;
    given.send("one").await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(given.model.titles(), 0);
    until("it is asked for", async || given.model.titles() == 1).await;
    given.settled().await;
    assert_eq!(title(given).await.as_deref(), Some("A title"));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_title_is_asked_for_after_a_compaction_while_the_next_turn_runs() {
    // Above 18,000 of 60,000 tokens it is compacted, and the third answer takes it there.
    let given = with_window("summarize", 60_000).await;
    given.model.names(Say::words("..."));
    let words = |tokens: usize| "loom ".repeat(tokens);
    given.model.says([
        Say::words("Noted."),
        Say::words("Noted."),
        Say::words(&words(7_000)),
        Say::words("## State now\nThe loom is warped."),
        Say::words("At last."),
    ]);
    for (titles, tokens) in [(1, 6_000), (2, 6_000)] {
        given.send(&words(tokens)).await.unwrap();
        given.settled().await;
        assert_eq!(given.model.titles(), titles);
    }
    given.model.holds_summaries(true);
    given.send("And?").await.unwrap();
    until("a summary is asked for", async || given.model.errands().len() == 3).await;
    given.model.holds_answers(true);
    let turn = given.sending("So?").await;
    given.model.holds_summaries(false);
    let is_done = async || {
        let status = given.app.compactions.status(given.session).await.unwrap();
        matches!(status, CompactionStatus::Done { .. })
    };
    until("it is compacted", is_done).await;
    // A request for a title would have been made by now.
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(given.model.titles(), 2);

    given.model.names(Say::words("A title"));
    given.model.holds_answers(false);
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Answered {}));
    given.settled().await;
    assert_eq!(given.model.titles(), 3);
    assert_eq!(title(given).await.as_deref(), Some("A title"));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_title_is_asked_for_after_a_turn_that_failed() {
    let given = under("summarize").await;
    given.model.refuses(&["m"]);
    given.send("one").await.unwrap();
    let given = given.restarted().await;
    let calls = given.app.store.usage_totals(UsageGrouping::Purpose, 0).await.unwrap();
    let purposes: Vec<_> = calls.into_iter().map(|total| total.key).collect();
    assert_eq!(
        purposes,
        [UsageKey::Purpose { purpose: CallPurpose::Reply }],
        "a refusal is not billed"
    );
    given.model.answers(false);
    given.send("two").await.unwrap_err();
    let given = given.restarted().await;
    assert_eq!(given.model.errands(), ["m"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_title_that_no_model_finds_is_not_asked_for_after_every_turn() {
    let given = under("summarize").await;
    given.model.names(Say::words("..."));
    for _ in 0..5 {
        given.send("one").await.unwrap();
        given.settled().await;
    }
    assert_eq!(given.model.errands(), ["m"; 3]);
}
