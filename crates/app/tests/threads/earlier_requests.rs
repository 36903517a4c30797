//! The request of an earlier reply, as it left, whatever became of the conversation since.

use serde_json::{Value, json};
use skein_app::turn::turn_start::TurnStart;
use skein_context::window::{EntryLabel, PreviewEntry, PreviewPart};
use skein_domain::ids::MessageId;
use skein_domain::message::{Message, Role};
use skein_store::PromptView;

use crate::scenario::{Say, Scenario, deaf, message, store_of, under, with_window};

impl Scenario {
    async fn seen_by(&self, reply: MessageId) -> Option<PromptView> {
        self.app.store.sent_request(reply).await.unwrap()
    }

    async fn replies(&self) -> Vec<Message> {
        let messages = self.messages(self.current().await).await;
        let is_reply = |it: &Message| it.role == Role::Assistant && !it.is_summary();
        messages.into_iter().filter(is_reply).collect()
    }

    async fn compactions(&self) -> usize {
        self.app.compactions.list(self.session).await.unwrap().points.len()
    }

    /// The bodies that were answered in the conversation: no summaries.
    fn conversation_requests(&self) -> Vec<Value> {
        let is_summary = |body: &Value| body.to_string().contains("Whoever goes on with");
        self.model.asked().into_iter().filter(|body| !is_summary(body)).collect()
    }
}

/// A message of about four thousand tokens.
fn long(fact: &str) -> String {
    format!("{fact} {}", "The shuttle crosses the warp and the reed beats it home. ".repeat(320))
}

/// The texts of a request in their order: the system prompt, the tools, the messages with their calls.
fn texts_on_the_wire(body: &Value) -> Vec<String> {
    let text = |value: &Value| match value {
        Value::Array(parts) => parts.iter().map(|part| part["text"].as_str().unwrap()).collect(),
        value => value.as_str().unwrap_or_default().to_owned(),
    };
    let messages = body["messages"].as_array().unwrap();
    let (system, rest) = messages.split_first().unwrap();
    assert_eq!(system["role"], "system");
    let mut texts = vec![text(&system["content"])];
    for tool in body["tools"].as_array().into_iter().flatten() {
        let function = &tool["function"];
        texts.push(function["description"].as_str().unwrap().to_owned());
        texts.push(function["parameters"].to_string());
    }
    for message in rest {
        texts.push(text(&message["content"]));
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            texts.push(call["function"]["arguments"].as_str().unwrap().to_owned());
        }
    }
    texts
}

/// The texts of the lines in their order.
fn texts_of(lines: &[PreviewEntry]) -> Vec<String> {
    let parts = lines.iter().flat_map(|line| &line.parts);
    let texts = parts.flat_map(|part| match part {
        PreviewPart::Text { text } => vec![text.clone()],
        PreviewPart::Picture { .. } | PreviewPart::Encrypted { .. } => vec![],
        PreviewPart::Call { args, result, .. } => vec![args.clone(), result.clone()],
    });
    texts.collect()
}

/// Text without the white space between messages, lines and parts, which each side joins otherwise.
fn joined(texts: &[String]) -> String {
    let lines = texts.iter().flat_map(|text| text.split('\n'));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn w04_the_request_of_a_reply_ten_compactions_ago_is_as_the_server_recorded_it() {
    let given = with_window("summarize", 30_000).await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    let note = json!({ "content": "The loom is oak." });
    given.model.says([Say::call("add_reminder", note), Say::words("Noted.")]);
    given.send(&long("The port is 7443.")).await.unwrap();
    let early = given.replies().await;
    let mut round = 0;
    while given.compactions().await < 10 {
        given.send(&long(&format!("Row {round} is woven."))).await.unwrap();
        given.settled().await;
        round += 1;
    }
    given.send("And then?").await.unwrap();
    let late = given.replies().await;
    let requests = given.conversation_requests();
    assert_eq!(late.len(), requests.len());
    let given = given.restarted().await;
    for (reply, body) in late.iter().zip(&requests) {
        let seen = given.seen_by(reply.id).await.unwrap();
        assert_eq!(joined(&texts_of(&seen.lines)), joined(&texts_on_the_wire(body)));
        assert_eq!(seen.removed, 0);
    }
    let first = given.seen_by(early[0].id).await.unwrap();
    assert!(first.lines.iter().any(|line| matches!(line.label, EntryLabel::Tool { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn w04_what_changes_later_changes_no_earlier_request() {
    let given = under("summarize").await;
    given.model.says([Say::words("Noted.")]);
    given.send("The loom is oak.").await.unwrap();
    given.send("And the reed?").await.unwrap();
    let replies = given.replies().await;
    let before = given.seen_by(replies[1].id).await.unwrap();
    let messages = given.messages(given.current().await).await;
    let again = message("And the shuttle?");
    given
        .app
        .turns
        .run(given.session, TurnStart::Resend { edited: messages[2].id, message: again }, deaf())
        .await
        .unwrap();
    given.app.messages.delete(messages[0].id).await.unwrap();
    assert_eq!(given.seen_by(replies[1].id).await, Some(before));
}

#[tokio::test(flavor = "multi_thread")]
async fn w04_a_message_that_is_deleted_for_good_leaves_the_requests_that_sent_it() {
    let given = under("summarize").await;
    given.model.says([Say::words("Noted.")]);
    given.send("The key is under the mat.").await.unwrap();
    given.send("And the reed?").await.unwrap();
    given.settled().await;
    let messages = given.messages(given.current().await).await;
    given.app.messages.delete(messages[0].id).await.unwrap();
    given.app.messages.delete(messages[1].id).await.unwrap();
    let Scenario { app, folder, .. } = given;
    drop(app);
    let store = store_of(folder.path());
    store.purge(i64::MAX, vec![]).await.unwrap();
    assert_eq!(store.sent_request(messages[1].id).await.unwrap(), None);
    let later = store.sent_request(messages[3].id).await.unwrap().unwrap();
    assert_eq!(later.removed, 2);
    assert!(!texts_of(&later.lines).concat().contains("under the mat"));
}

#[tokio::test(flavor = "multi_thread")]
async fn w04_a_reply_that_was_copied_from_elsewhere_has_no_request() {
    let given = under("summarize").await;
    given.model.says([Say::words("Noted.")]);
    given.send("The loom is oak.").await.unwrap();
    let reply = given.replies().await.remove(0);
    let session = given.app.sessions.fork(reply.id).await.unwrap();
    let given = Scenario { session, ..given };
    let copied = given.replies().await.remove(0);
    assert_eq!(given.seen_by(copied.id).await, None);
    assert!(given.seen_by(reply.id).await.is_some());
}
