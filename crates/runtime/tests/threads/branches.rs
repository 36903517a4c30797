//! Alternatives of what was said, and what is shown of them.

use std::time::Duration;

use skein_context::message::MessageId;
use skein_context::model::{ModelRef, ProviderId};
use skein_runtime::error::Error;
use skein_runtime::store::Draft;
use skein_runtime::view::{PageAt, TurnEnd};

use crate::given::{Given, Say, deaf, message, under, with_window};

/// The message that says so, on the path that is shown.
async fn that_says(given: &Given, words: &str) -> MessageId {
    let current = given.current().await;
    let messages = given.messages(current).await;
    messages.iter().find(|message| message.text() == words).unwrap().id
}

async fn edited(given: &Given, id: MessageId, to: Draft) {
    given.app.resend(given.session, id, to, deaf()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_shown_again_where_none_is_begun_in_its_place() {
    let given = under("summarize").await;
    given.model.says([Say::words("wool")]);
    given.send("what?").await.unwrap();
    let answer = that_says(&given, "wool").await;
    let nobody = ModelRef { provider: ProviderId("gone".into()), model: "m".into() };
    given.app.set_model(given.session, nobody).await.unwrap();
    let again = given.app.regenerate(given.session, answer, None, deaf()).await;
    assert!(matches!(again, Ok(TurnEnd::Failed { .. })), "{again:?}");
    assert_eq!(given.lines().await, ["what?", "wool"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_given_back_leaves_the_path_where_it_ended_before() {
    let given = with_window("summarize", 4_000).await;
    given.model.says([Say::words("wool"), Say::words("linen")]);
    given.send("what?").await.unwrap();
    given.send("else?").await.unwrap();
    let answer = that_says(&given, "wool").await;
    given.app.continue_from(answer).await.unwrap();
    let refused = given.send(&"long and longer ".repeat(4_000)).await;
    assert!(matches!(refused, Err(Error::MessageTooLong { .. })), "{refused:?}");
    assert_eq!(given.lines().await, ["what?", "wool"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_path_stays_where_it_is_while_a_turn_runs() {
    let given = under("summarize").await;
    given.model.says([Say::words("wool")]);
    given.send("what?").await.unwrap();
    let first = that_says(&given, "what?").await;
    given.model.says([Say::words("linen").after(Duration::from_secs(30))]);
    let (app, session) = (given.app.clone(), given.session);
    let turn = tokio::spawn(async move { app.send(session, message("else?"), deaf()).await });
    while given.model.asked().len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(given.app.continue_from(first).await, Err(Error::Busy {}));
    assert_eq!(given.app.switch_branch(first).await, Err(Error::Busy {}));
    given.app.stop(session).await.unwrap();
    turn.await.unwrap().unwrap();

    let end = given.app.continue_from(first).await.unwrap();
    assert_eq!(given.lines().await, ["what?"]);
    given.app.continue_from(end.unwrap()).await.unwrap();
    assert_eq!(given.lines().await, ["what?", "wool", "else?", ""]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_on_another_branch_is_found_where_it_leaves_the_path_and_shown_when_asked_for()
{
    let given = under("summarize").await;
    given.model.says([Say::words("wool"), Say::words("yarn"), Say::words("linen")]);
    given.send("what?").await.unwrap();
    given.send("and?").await.unwrap();
    let hidden = that_says(&given, "yarn").await;
    let asked = that_says(&given, "and?").await;
    edited(&given, asked, message("or?")).await;
    assert_eq!(given.lines().await, ["what?", "wool", "or?", "linen"]);

    let current = given.current().await;
    let around = PageAt::Around { message_id: hidden };
    let page = given.app.transcript(current, around, 500).await.unwrap();
    assert_eq!(page.items.len(), 4, "the path, and no error");
    given.app.reveal_message(hidden).await.unwrap();
    assert_eq!(given.lines().await, ["what?", "wool", "and?", "yarn"]);
    given.app.reveal_message(hidden).await.unwrap();
    assert_eq!(given.lines().await, ["what?", "wool", "and?", "yarn"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_that_was_looked_for_is_found_beside_its_message() {
    let given = under("summarize").await;
    let wool = "The weaver crosses the warp with the weft and beats it home. ".repeat(40);
    given.model.says([
        Say::words(&wool),
        Say::words(&wool),
        Say::words(&wool),
        Say::words("Woven."),
    ]);
    for question in ["one?", "two?", "three?"] {
        given.send(question).await.unwrap();
    }
    given.app.compact(given.session, None).await.unwrap().await.unwrap().unwrap();
    let current = given.current().await;
    let summary = given.messages(current).await.into_iter().find(|it| it.is_summary()).unwrap();
    let around = PageAt::Around { message_id: summary.id };
    let page = given.app.transcript(current, around, 2).await.unwrap();
    assert!(page.items.iter().any(|item| item.message.id == summary.id));
    given.app.reveal_message(summary.id).await.unwrap();
    assert_eq!(given.lines().await.len(), 7);
}

/// The words of a page, with how many messages of the path are before and after it.
async fn page(given: &Given, place: PageAt, limit: u32) -> (Vec<String>, u32, u32) {
    let page = given.app.transcript(given.current().await, place, limit).await.unwrap();
    let words = page.items.iter().map(|item| item.message.text()).collect();
    (words, page.before, page.after)
}

fn words(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn for_what_is_on_the_path_no_longer_its_nearest_ancestor_there_stands() {
    let given = under("summarize").await;
    given.model.says([Say::words("wool"), Say::words("yarn"), Say::words("linen")]);
    given.send("what?").await.unwrap();
    given.send("and?").await.unwrap();
    let asked = that_says(&given, "and?").await;
    let hidden = that_says(&given, "yarn").await;
    edited(&given, asked, message("or?")).await;
    assert_eq!(given.lines().await, ["what?", "wool", "or?", "linen"]);

    for message_id in [asked, hidden] {
        let before = page(&given, PageAt::Before { message_id }, 1).await;
        assert_eq!(before, (words(&["wool"]), 1, 2), "it ends with the ancestor");
        let after = page(&given, PageAt::After { message_id }, 9).await;
        assert_eq!(after, (words(&["or?", "linen"]), 2, 0));
        let around = page(&given, PageAt::Around { message_id }, 2).await;
        assert_eq!(around, (words(&["what?", "wool"]), 0, 2));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_message_is_looked_for_where_it_stood() {
    let given = under("summarize").await;
    given.model.says([Say::words("wool"), Say::words("yarn")]);
    given.send("what?").await.unwrap();
    given.send("and?").await.unwrap();
    let message_id = that_says(&given, "wool").await;
    let first = that_says(&given, "what?").await;
    given.app.delete_message(message_id).await.unwrap();
    assert_eq!(given.lines().await, ["what?", "and?", "yarn"]);

    let before = page(&given, PageAt::Before { message_id }, 9).await;
    assert_eq!(before, (words(&["what?"]), 0, 2));
    let after = page(&given, PageAt::After { message_id }, 9).await;
    assert_eq!(after, (words(&["and?", "yarn"]), 1, 0));
    let around = page(&given, PageAt::Around { message_id }, 9).await;
    assert_eq!(around, (words(&["what?", "and?", "yarn"]), 0, 0));

    // Of one without an ancestor on the path, the beginning is shown.
    given.app.delete_message(first).await.unwrap();
    let before = page(&given, PageAt::Before { message_id: first }, 9).await;
    assert_eq!(before, (words(&["and?"]), 0, 1));
}
