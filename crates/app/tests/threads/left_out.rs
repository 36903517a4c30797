//! Messages that the user leaves out of the context: tests of the whole program by its requests.

use std::time::Duration;

use scripted_server::until;
use serde_json::{Value, json};
use skein_app::turn::turn_start::TurnStart;
use skein_context::health::breakdown::BreakdownMode;
use skein_context::window::{EntryLabel, PreviewPart};
use skein_domain::draft::Draft;
use skein_domain::error::Error;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Inclusion, Message, ToolState};

use crate::scenario::{Say, Scenario, deaf, message, under};

/// A conversation of two rounds; the secret is in the first question and in the first answer.
async fn given() -> Scenario {
    let given = under("summarize").await;
    given.model.says([
        Say::words("So the key is hunter-2.").at(300),
        Say::words("The large one.").at(400),
        Say::words("On.").at(500),
    ]);
    given.send("The key of the loom is hunter-2.").await.unwrap();
    given.send("Which loom is broken?").await.unwrap();
    given
}

impl Scenario {
    async fn include(&self, id: MessageId, inclusion: Inclusion) {
        self.app.messages.include(id, inclusion).await.unwrap();
    }

    async fn path(&self) -> Vec<Message> {
        self.messages(self.current().await).await
    }

    /// The request if the user sends this after the first two rounds.
    async fn request(&self, words: &str) -> Value {
        let end = self.path().await[3].id;
        self.app.messages.set_leaf(end).await.unwrap();
        self.send(words).await.unwrap();
        self.model.asked().pop().unwrap()
    }

    async fn is_reported(&self) -> bool {
        let breakdown = self.app.context.breakdown(self.session, Draft::default()).await.unwrap();
        matches!(breakdown.mode, BreakdownMode::Reported { .. })
    }

    async fn tokens(&self) -> u32 {
        self.app.context.seen_by_model(self.session, message("")).await.unwrap().total.tokens
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_is_not_sent_and_taken_in_again_every_byte_of_the_request_is_as_before() {
    let given = given().await;
    let before = given.request("Go on.").await;
    assert_eq!(before.to_string().matches("hunter-2").count(), 2);
    let counted = given.tokens().await;

    let path = given.path().await;
    for message in &path[..2] {
        given.include(message.id, Inclusion::LeftOut).await;
    }
    assert!(given.tokens().await < counted);
    let seen = given.app.context.seen_by_model(given.session, message("")).await.unwrap();
    assert_eq!((seen.lines.len(), seen.left_out), (given_lines(&given).await, 2));
    let without = given.request("Go on.").await;
    assert!(!without.to_string().contains("hunter-2"), "{without}");
    let words = |body: &Value| {
        let messages = body["messages"].as_array().unwrap().iter();
        messages.filter(|it| it["role"] != "system").cloned().collect::<Vec<_>>()
    };
    assert_eq!(words(&without), words(&before)[2..], "and nothing else is gone");
    let shown = given.path().await;
    assert_eq!(shown[0].text(), "The key of the loom is hunter-2.", "it stays readable");
    assert!(
        !given.app.messages.search("hunter-2".into(), None, 0).await.unwrap().is_empty(),
        "and findable"
    );

    for message in &path[..2] {
        given.include(message.id, Inclusion::Usual).await;
    }
    assert_eq!(given.request("Go on.").await, before);
}

/// The lines of the request that are not messages, and those of the messages that are sent.
async fn given_lines(given: &Scenario) -> usize {
    let seen = given.app.context.seen_by_model(given.session, message("")).await.unwrap();
    let prefix = seen.lines.iter().filter(|line| line.role.is_none()).count();
    let sent = given.path().await.iter().filter(|message| !message.is_left_out()).count();
    prefix + sent
}

#[tokio::test(flavor = "multi_thread")]
async fn law_07_a_report_is_forgotten_once_something_is_left_out_or_taken_in() {
    let given = given().await;
    let first = given.path().await[0].id;
    for inclusion in [Inclusion::LeftOut, Inclusion::Usual] {
        assert!(given.is_reported().await);
        given.include(first, inclusion).await;
        assert!(!given.is_reported().await, "{inclusion:?}");
        given.send("Go on.").await.unwrap();
    }
    given.include(first, Inclusion::Pinned).await;
    assert!(given.is_reported().await, "what is sent is the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn law_07_so_is_the_report_of_a_reply_that_is_on_its_way_meanwhile() {
    let given = given().await;
    let first = given.path().await[0].id;
    given.model.says([Say::words("Late.").at(600)]);
    given.model.holds_answers(true);
    let turn = given.sending("And?").await;
    given.include(first, Inclusion::LeftOut).await;
    given.model.holds_answers(false);
    turn.await.unwrap().unwrap();
    assert!(!given.is_reported().await);
}

/// A conversation that was compacted: what its first message says is not in the summary, but beside it.
async fn compacted() -> Scenario {
    let given = under("summarize").await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    let noted = ["Noted."; 5].map(Say::words);
    let summary = Say::words("## State now\nThe loom is warped.");
    given.model.says(noted.into_iter().chain([summary, Say::words("On.")]));
    let facts =
        ["The key is hunter-2-wool. The deploy port is 7000.", "The deploy port is 7443 now."];
    for fact in facts.into_iter().chain(["Well?", "And?", "So?"]) {
        let filler = "The shuttle crosses the warp and the reed beats it home. ".repeat(80);
        given.send(&format!("{fact} {filler}")).await.unwrap();
    }
    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
    given
}

impl Scenario {
    /// The facts that stand beside the summary.
    async fn facts(&self) -> String {
        let seen = self.app.context.seen_by_model(self.session, message("")).await.unwrap();
        let facts = seen.lines.iter().find(|line| line.label == EntryLabel::Anchors {}).unwrap();
        let [PreviewPart::Text { text }] = facts.parts.as_slice() else { panic!("{facts:?}") };
        text.clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_covered_message_that_is_left_out_is_told_beside_its_summary() {
    let given = compacted().await;
    let carried = given.facts().await;
    assert!(carried.contains("hunter-2-wool") && carried.contains("(was 7000)"), "{carried}");
    let first = given.path().await[0].id;
    given.include(first, Inclusion::LeftOut).await;
    given.send("Which port?").await.unwrap();
    let body = given.model.asked().pop().unwrap().to_string();
    assert!(!body.contains("hunter-2-wool") && !body.contains("7000"), "{body}");
    assert!(body.contains("The deploy port is 7443 now"), "{body}");

    given.include(first, Inclusion::Usual).await;
    assert_eq!(given.facts().await, carried);
    given.include(first, Inclusion::Pinned).await;
    assert_eq!(given.facts().await, carried);
}

#[tokio::test(flavor = "multi_thread")]
async fn nor_beside_a_summary_of_another_branch() {
    let given = compacted().await;
    let path: Vec<_> = given.path().await.into_iter().filter(|it| !it.is_summary()).collect();
    given.app.messages.set_leaf(path[1].id).await.unwrap();
    given.include(path[0].id, Inclusion::LeftOut).await;
    given.app.messages.switch_branch(path[9].id).await.unwrap();
    let carried = given.facts().await;
    assert!(!carried.contains("hunter-2-wool") && carried.contains("7443"), "{carried}");
}

#[tokio::test(flavor = "multi_thread")]
async fn law_07_the_report_of_a_reply_is_forgotten_whose_summary_was_written_anew_meanwhile() {
    let given = compacted().await;
    given.send("Which port?").await.unwrap();
    for edits in [true, false] {
        given.model.says([Say::words("Late.").at(600)]);
        given.model.holds_answers(true);
        let turn = given.sending("And?").await;
        if edits {
            let points = given.app.compactions.list(given.session).await.unwrap().points;
            let summary = points[0].point.summary_message_id;
            given.app.compactions.edit_summary(summary, "My own words.".into()).await.unwrap();
        }
        given.model.holds_answers(false);
        turn.await.unwrap().unwrap();
        assert_eq!(given.is_reported().await, !edits);
    }
}

/// The results of tools, in order.
fn results(path: &[Message]) -> Vec<String> {
    let parts = path.iter().flat_map(|message| message.parts.iter());
    let results = parts.filter_map(|part| match part {
        ContentPart::Tool { call } => match &call.state {
            ToolState::Done { output } => Some(output.text.clone()),
            other => panic!("{other:?}"),
        },
        _ => None,
    });
    results.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_does_not_find_what_is_left_out_with_its_tools_either() {
    let given = given().await;
    let path = given.path().await;
    given.app.threads.begin(given.session).await.unwrap();
    let found = || async {
        given.model.says([
            Say::call("search_history", json!({ "query": "hunter-2" })),
            Say::words("I looked."),
        ]);
        given.send("What was the key?").await.unwrap();
        results(&given.path().await).pop().unwrap()
    };
    for message in &path[..2] {
        given.include(message.id, Inclusion::LeftOut).await;
    }
    let result = found().await;
    assert!(!result.contains("The key of the loom") && !result.contains("So the key"), "{result}");
    for message in &path[..2] {
        given.include(message.id, Inclusion::Usual).await;
    }
    assert!(found().await.contains("The key of the loom"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_left_out_call_returned_is_not_listed_for_the_model() {
    let given = under("summarize").await;
    let list = |args| [Say::call("read_stored_result", args), Say::words("Listed.")];
    let turns = [json!({}), json!({ "start": 0 }), json!({ "length": 9 })];
    given.model.says(turns.into_iter().flat_map(list));
    given.send("Which results are there?").await.unwrap();
    given.send("And now?").await.unwrap();
    let listed = || async { results(&given.path().await).pop().unwrap() };
    assert!(listed().await.contains("read_stored_result {} ("), "{}", listed().await);
    given.include(given.path().await[1].id, Inclusion::LeftOut).await;
    given.send("And now?").await.unwrap();
    let listed = listed().await;
    assert!(listed.contains(r#"{"start":0}"#) && !listed.contains("{} ("), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_an_answer_is_not_left_out_and_what_is_left_out_is_not_answered() {
    let given = given().await;
    let path = given.path().await;
    let (question, answer) = (path[2].id, path[3].id);
    given.include(question, Inclusion::LeftOut).await;
    let asked = given.model.asked().len();
    let again = given
        .app
        .turns
        .run(given.session, TurnStart::Regenerate { answer, with: None }, deaf())
        .await;
    assert_eq!(again, Err(Error::LeftOut {}));
    assert_eq!(given.lines().await.len(), 4, "the answer is still shown");

    given.app.messages.set_leaf(question).await.unwrap();
    let on = given.app.turns.run(given.session, TurnStart::Continue, deaf()).await;
    assert_eq!(on, Err(Error::LeftOut {}));
    assert_eq!(given.model.asked().len(), asked, "nothing was sent");

    given.include(question, Inclusion::Usual).await;
    let refused = given.app.messages.include(question, Inclusion::LeftOut).await;
    assert_eq!(refused, Err(Error::Unanswered {}));
    given.model.answers(false);
    given.send("Never answered?").await.unwrap_err();
    let unanswered = given.path().await[3].id;
    let refused = given.app.messages.include(unanswered, Inclusion::LeftOut).await;
    assert_eq!(refused, Err(Error::Unanswered {}));
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_turn_runs_what_it_answers_is_not_left_out_and_what_was_before_may_be() {
    let given = given().await;
    let first = given.path().await[0].id;
    given.model.says([Say::words("Late.").after(Duration::from_secs(30))]);
    let turn = given.sending("And?").await;
    // It is stored beside the request.
    until("the reply has begun", async || given.path().await.len() == 6).await;
    for needed in &given.path().await[4..] {
        let refused = given.app.messages.include(needed.id, Inclusion::LeftOut).await;
        assert_eq!(refused, Err(Error::Busy {}), "{needed:?}");
    }
    given.include(first, Inclusion::LeftOut).await;
    given.app.turns.stop(given.session).await.unwrap();
    turn.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_left_out_is_so_after_a_start_a_deletion_and_on_every_branch() {
    let given = given().await;
    let path = given.path().await;
    given.include(path[0].id, Inclusion::LeftOut).await;
    let deletion = given.app.messages.delete(path[0].id).await.unwrap();
    given.app.messages.restore(deletion).await.unwrap();
    given
        .app
        .turns
        .run(
            given.session,
            TurnStart::Resend { edited: path[2].id, message: message("Which one?") },
            deaf(),
        )
        .await
        .unwrap();
    let given = given.restarted().await;
    let shown = given.path().await;
    let left_out: Vec<bool> = shown.iter().map(Message::is_left_out).collect();
    assert_eq!(left_out, [true, false, false, false]);
    assert_eq!(shown[2].text(), "Which one?");
    let body = given.model.asked().pop().unwrap().to_string();
    assert!(!body.contains("The key of the loom"), "{body}");
}
