//! The requests of a compaction, and those before and after it, byte for byte.

use scripted_server::Asked;
use serde_json::{Value, json};

use crate::scenario::{a_program, a_program_that, answer, is_summary, said};

/// How hard and how long it may.
fn thinking(asked: &Asked) -> (Value, Value) {
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    (body["reasoning_effort"].clone(), body["max_tokens"].clone())
}

fn tools(asked: &Asked) -> Value {
    serde_json::from_str::<Value>(&asked.body).unwrap()["tools"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_1_5_what_a_compaction_covers_is_not_changed() {
    let given = a_program(0).await;
    given.say_all().await;
    let before = given.path().await;
    given.compact().await;
    assert_eq!(given.path().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn law_09_between_compactions_a_request_begins_with_every_byte_of_the_one_before() {
    let given = a_program(0).await;
    given.say_all().await;
    given.compact().await;
    for words in ["One more.", "Another.", "The last."] {
        given.say(words).await;
    }
    let asked = given.server.asked();
    let (summaries, replies): (Vec<_>, Vec<_>) = asked.into_iter().partition(is_summary);
    assert_eq!((summaries.len(), replies.len()), (1, 8));
    let (before, after) = replies.split_at(5);
    for told in [before, after] {
        for pair in told.windows(2) {
            assert!(said(&pair[1]).starts_with(&said(&pair[0])));
            assert_eq!(tools(&pair[0]), tools(&pair[1]));
        }
    }
    assert!(!said(&after[0]).starts_with(&said(&before[0])), "the compaction changed it once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_goes_on_with_the_conversation_where_the_provider_has_it_cached() {
    let given = a_program(9).await;
    given.say_all().await;
    given
        .app
        .compactions
        .compact(given.session, None, Some("the port".into()))
        .await
        .unwrap()
        .await
        .unwrap()
        .unwrap();
    let asked = given.server.asked();
    let (summary, replies) = asked.split_last().unwrap();
    assert!(summary.body.contains("in full detail: the port"));
    // Everything that was covered stood in the request for the third reply.
    assert!(said(summary).starts_with(&said(&replies[2])), "its prefix is the conversation's");
    assert_eq!(tools(summary), tools(&replies[4]));
    assert_eq!(thinking(summary), thinking(&replies[4]), "or nothing cached is read");
    assert_eq!(thinking(summary), (json!("high"), json!(9_000)));
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_is_asked_for_anew_where_nothing_is_cached() {
    let given = a_program(0).await;
    given.say_all().await;
    given.compact().await;
    let asked = given.server.asked();
    let (summary, replies) = asked.split_last().unwrap();
    assert!(!said(summary).starts_with(&said(&replies[0])));
    assert_eq!(tools(summary), Value::Null);
    assert_eq!(thinking(summary).0, json!("none"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_compaction_says_what_it_comes_to_with_the_tool_that_is_declared_from_then_on() {
    let given = a_program(0).await;
    given.say_all().await;
    let preview = given.app.compactions.preview(given.session, None).await.unwrap();
    given.compact().await;
    let point = given.app.compactions.list(given.session).await.unwrap().points.remove(0).point;
    let used: u32 = given.seen().await.iter().map(|line| line.tokens).sum();
    assert_eq!(point.after, used);
    assert!(used <= preview.after, "{used}, {}", preview.after);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_longer_summary_is_asked_for_than_its_model_gives() {
    let given = a_program_that(1_000, |asked| answer(asked, 0)).await;
    given.say_all().await;
    given.compact().await;
    assert_eq!(thinking(&given.asked_for_summaries()[0]).1, json!(1_000));
}

#[tokio::test(flavor = "multi_thread")]
async fn law_12_a_compaction_of_one_branch_declares_no_tool_to_another() {
    let given = a_program(0).await;
    given.say_all().await;
    let path = given.path().await;
    let elsewhere = async || {
        given.app.messages.set_leaf(path[1].id).await.unwrap();
        given.say("Elsewhere?").await;
        given.server.asked().pop().unwrap()
    };
    let before = elsewhere().await;
    given.app.messages.switch_branch(path[9].id).await.unwrap();
    given.compact().await;
    let after = elsewhere().await;
    assert_eq!((said(&after), tools(&after)), (said(&before), tools(&before)));
    given.app.messages.switch_branch(path[9].id).await.unwrap();
    given.say("Here?").await;
    let here = tools(&given.server.asked().pop().unwrap()).to_string();
    assert!(here.contains("search_history") && !tools(&after).to_string().contains("search_h"));
}
