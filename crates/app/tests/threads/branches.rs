//! Alternatives of what was said, and what is shown of them.

use std::time::Duration;

use scripted_server::until;
use skein_app::turn::turn_start::TurnStart;
use skein_app::view::{TranscriptPosition, TurnEnd};
use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, ProviderId};
use skein_domain::message::Inclusion;
use skein_domain::model::ModelRef;
use tokio::task::JoinHandle;

use crate::scenario::{Say, Scenario, deaf, message, under, with_window};

/// The message that says so, on the path that is shown.
async fn that_says(given: &Scenario, words: &str) -> MessageId {
    let current = given.current().await;
    let messages = given.messages(current).await;
    messages.iter().find(|message| message.text() == words).unwrap().id
}

async fn edited(given: &Scenario, id: MessageId, to: Draft) {
    given
        .app
        .turns
        .run(given.session, TurnStart::Resend { edited: id, message: to }, deaf())
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_shown_again_where_none_is_begun_in_its_place() {
    let given = under("summarize").await;
    given.model.says([Say::words("wool")]);
    given.send("what?").await.unwrap();
    let answer = that_says(&given, "wool").await;
    let nobody = ModelRef { provider: ProviderId("gone".into()), model: "m".into() };
    given.app.sessions.set_model(given.session, nobody).await.unwrap();
    let again = given
        .app
        .turns
        .run(given.session, TurnStart::Regenerate { answer, with: None }, deaf())
        .await;
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
    given.app.messages.set_leaf(answer).await.unwrap();
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
    let turn = given.sending("else?").await;
    assert_eq!(given.app.messages.set_leaf(first).await, Err(Error::Busy {}));
    assert_eq!(given.app.messages.switch_branch(first).await, Err(Error::Busy {}));
    given.app.turns.stop(given.session).await.unwrap();
    turn.await.unwrap().unwrap();

    let end = given.app.messages.set_leaf(first).await.unwrap();
    assert_eq!(given.lines().await, ["what?"]);
    given.app.messages.set_leaf(end.unwrap()).await.unwrap();
    assert_eq!(given.lines().await, ["what?", "wool", "else?", ""]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_that_somebody_went_back_to_knows_where_it_went_on() {
    let given = under("summarize").await;
    given.model.says([Say::words("wool"), Say::words("linen")]);
    given.send("what?").await.unwrap();
    given.send("else?").await.unwrap();
    let later = async || {
        let current = given.current().await;
        let page =
            given.app.messages.transcript(current, TranscriptPosition::End {}, 50).await.unwrap();
        page.items.into_iter().map(|item| item.later).collect::<Vec<_>>()
    };
    assert_eq!(later().await, [None; 4]);
    let answer = that_says(&given, "wool").await;
    let next = that_says(&given, "else?").await;
    given.app.messages.set_leaf(answer).await.unwrap();
    assert_eq!(later().await, [None, Some(next)]);
    given.app.messages.switch_branch(next).await.unwrap();
    assert_eq!(given.lines().await, ["what?", "wool", "else?", "linen"]);
    assert_eq!(later().await, [None; 4]);
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
    let around = TranscriptPosition::Around { message_id: hidden };
    let page = given.app.messages.transcript(current, around, 500).await.unwrap();
    assert_eq!(page.items.len(), 4, "the path, and no error");
    given.app.messages.reveal(hidden).await.unwrap();
    assert_eq!(given.lines().await, ["what?", "wool", "and?", "yarn"]);
    given.app.messages.reveal(hidden).await.unwrap();
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
    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
    let current = given.current().await;
    let summary = given.messages(current).await.into_iter().find(|it| it.is_summary()).unwrap();
    let around = TranscriptPosition::Around { message_id: summary.id };
    let page = given.app.messages.transcript(current, around, 2).await.unwrap();
    assert!(page.items.iter().any(|item| item.message.id == summary.id));
    given.app.messages.reveal(summary.id).await.unwrap();
    assert_eq!(given.lines().await.len(), 7);
}

/// The words of a page, with how many messages of the path are before and after it.
async fn page(given: &Scenario, place: TranscriptPosition, limit: u32) -> (Vec<String>, u32, u32) {
    let page = given.app.messages.transcript(given.current().await, place, limit).await.unwrap();
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
        let before = page(&given, TranscriptPosition::Before { message_id }, 1).await;
        assert_eq!(before, (words(&["wool"]), 1, 2), "it ends with the ancestor");
        let after = page(&given, TranscriptPosition::After { message_id }, 9).await;
        assert_eq!(after, (words(&["or?", "linen"]), 2, 0));
        let around = page(&given, TranscriptPosition::Around { message_id }, 2).await;
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
    given.app.messages.delete(message_id).await.unwrap();
    assert_eq!(given.lines().await, ["what?", "and?", "yarn"]);

    let before = page(&given, TranscriptPosition::Before { message_id }, 9).await;
    assert_eq!(before, (words(&["what?"]), 0, 2));
    let after = page(&given, TranscriptPosition::After { message_id }, 9).await;
    assert_eq!(after, (words(&["and?", "yarn"]), 1, 0));
    let around = page(&given, TranscriptPosition::Around { message_id }, 9).await;
    assert_eq!(around, (words(&["what?", "and?", "yarn"]), 0, 0));

    // Of one without an ancestor on the path, the beginning is shown.
    given.app.messages.delete(first).await.unwrap();
    let before = page(&given, TranscriptPosition::Before { message_id: first }, 9).await;
    assert_eq!(before, (words(&["and?"]), 0, 1));
}

/// Long rounds, which do not fit the window of model `other`; a summary of them and its answer are next.
async fn cramped(answers: &[&str]) -> Scenario {
    let given = under("summarize").await.configured(|settings| {
        settings["providers"][0]["models"][0]["window"] = 100_000.into();
        settings["providers"][0]["models"][1]["window"] = 6_000.into();
    });
    let given = given.await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    given.model.says(answers.iter().map(|answer| Say::words(answer)));
    let words = "The weft beats home, row after row. ".repeat(120);
    for fact in 1..=answers.len() {
        given.send(&format!("Fact {fact}. {words}")).await.unwrap();
        given.settled().await;
    }
    given.model.says(another());
    given
}

/// A summary, and what is answered then.
fn another() -> [Say; 2] {
    [Say::words("## State now\n\nFacts."), Say::words("another")]
}

fn other() -> ModelRef {
    ModelRef { provider: ProviderId("p".into()), model: "other".into() }
}

impl Scenario {
    /// The first words of each message of the current thread.
    async fn beginnings(&self) -> Vec<String> {
        let begin = |line: String| line.split(". ").next().unwrap_or_default().to_owned();
        self.lines().await.into_iter().map(begin).collect()
    }

    /// Asks model `other` for another answer, for which room is being made until the model gives its
    /// summaries.
    async fn asks_again(&self, answer: MessageId) -> JoinHandle<Result<TurnEnd>> {
        self.model.holds_summaries(true);
        let (app, session) = (self.app.clone(), self.session);
        let again = async move {
            app.turns
                .run(session, TurnStart::Regenerate { answer, with: Some(other()) }, deaf())
                .await
        };
        let turn = tokio::spawn(again);
        self.makes_room().await;
        turn
    }

    async fn makes_room(&self) {
        until("a summary is asked for", async || !self.model.errands().is_empty()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_former_answer_and_all_after_it_are_shown_until_another_is_begun() {
    let given = cramped(&["one", "two", "three", "four", "five", "six"]).await;
    let answer = that_says(&given, "five").await;
    let all = given.beginnings().await;
    assert_eq!(all[8..], ["Fact 5", "five", "Fact 6", "six"]);
    let turn = given.asks_again(answer).await;
    assert_eq!(given.beginnings().await, all);
    let asked = given.messages(given.current().await).await[8].id;
    let refused = given.app.messages.include(asked, Inclusion::LeftOut).await;
    assert_eq!(refused, Err(Error::Busy {}), "it is being answered");
    given.model.holds_summaries(false);
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Answered {}));
    let shown = given.beginnings().await;
    assert_eq!(shown[..9], all[..9]);
    assert_eq!(shown.last().map(String::as_str), Some("another"));
    let body = given.model.asked().pop().unwrap().to_string();
    assert!(body.contains("Fact 5") && !body.contains("five"), "{body}");
    assert!(!body.contains("Fact 6") && !body.contains("Fact 1."), "{body}");
    let points = given.app.compactions.list(given.session).await.unwrap().points;
    assert_eq!(points.len(), 1, "it is of the path of the other answer");

    given.app.messages.switch_branch(answer).await.unwrap();
    assert_eq!(given.beginnings().await.last().map(String::as_str), Some("six"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_whose_deletion_is_undone_stands_beside_the_one_that_was_asked_for_meanwhile() {
    let given = cramped(&["one", "two", "three", "four"]).await;
    let answer = that_says(&given, "four").await;
    let deletion = given.app.messages.delete(answer).await.unwrap();
    given.app.sessions.set_model(given.session, other()).await.unwrap();
    given.model.holds_summaries(true);
    let (app, session) = (given.app.clone(), given.session);
    let turn =
        tokio::spawn(async move { app.turns.run(session, TurnStart::Continue, deaf()).await });
    given.makes_room().await;
    given.app.messages.restore(deletion).await.unwrap();
    given.model.holds_summaries(false);
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Answered {}));
    let shown = given.messages(given.current().await).await;
    let path: Vec<_> = shown.iter().filter(|message| !message.is_summary()).collect();
    let [.., question, last] = path.as_slice() else { panic!("{path:?}") };
    assert_eq!((last.text().as_str(), last.parent_id), ("another", Some(question.id)));
    assert!(question.text().starts_with("Fact 4"), "{question:?}");
    let body = given.model.asked().pop().unwrap();
    let said = body["messages"].as_array().unwrap().last().unwrap();
    assert_eq!(said["role"], "user", "{body}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_waits_for_room_is_begun_though_its_branch_is_not_the_one_that_is_shown() {
    let given = cramped(&["one", "two", "three", "four"]).await;
    let (third, fourth) = (that_says(&given, "three").await, that_says(&given, "four").await);
    given.model.says([Say::words("again")]);
    given
        .app
        .turns
        .run(given.session, TurnStart::Regenerate { answer: third, with: None }, deaf())
        .await
        .unwrap();
    let again = that_says(&given, "again").await;
    let deletion = given.app.messages.delete(again).await.unwrap();
    assert_eq!(given.beginnings().await.last().map(String::as_str), Some("four"));
    given.model.says(another());
    let turn = given.asks_again(fourth).await;
    given.app.messages.restore(deletion).await.unwrap();
    assert_eq!(given.beginnings().await.last().map(String::as_str), Some("again"));
    given.model.holds_summaries(false);
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Answered {}));
    let shown = given.beginnings().await;
    assert_eq!(shown[5..7], ["three", "Fact 4"]);
    assert_eq!(shown.last().map(String::as_str), Some("another"));
}

#[tokio::test(flavor = "multi_thread")]
async fn law_12_room_is_made_for_another_answer_though_more_is_covered_on_the_path_that_is_shown() {
    let given = cramped(&["one", "two", "three", "four", "five", "six", "seven"]).await;
    given.model.says([Say::words("## State now\n\nAll facts.")]);
    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
    given.model.says([Say::words("## State now\n\nFew facts.")]);
    let answer = that_says(&given, "four").await;
    let again = given
        .app
        .turns
        .run(given.session, TurnStart::Regenerate { answer, with: Some(other()) }, deaf())
        .await;
    assert_eq!(again, Ok(TurnEnd::Answered {}));
    let body = given.model.asked().pop().unwrap().to_string();
    assert!(body.contains("Few facts") && !body.contains("All facts"), "{body}");
    assert!(!body.contains("Fact 1.") && body.contains("Fact 4."), "{body}");

    given.app.messages.switch_branch(answer).await.unwrap();
    let seen = given.app.context.seen_by_model(given.session, message("")).await.unwrap();
    let lines = format!("{:?}", seen.lines);
    assert!(lines.contains("All facts") && !lines.contains("Few facts"), "{lines}");
}
