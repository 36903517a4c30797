//! The messages of a request, beside those that are stored and shown.

use std::fs;

use scripted_server::patiently;
use serde_json::{Value, json};
use skein_context::window::{EntryLabel, PreviewEntry, PreviewPart};
use skein_domain::draft::Draft;
use skein_domain::ids::ThreadId;
use skein_domain::message::{
    ContentPart, MessageKind, MessageState, Origin, Role, ToolCall, ToolOutput, ToolState,
};
use skein_domain::reminder::ReminderScope;
use skein_platform::paths::AppPaths;
use skein_store::{MessageParent, NewMessage, Store};

use crate::scenario::{Say, Scenario, deaf, open, under};

/// A tool call and what is said after it, so often.
async fn rounds_with_calls(given: &Scenario, count: usize) {
    for round in 0..count {
        let call = Say::call("read_stored_result", json!({ "id": format!("round {round}") }));
        given.model.says([call, Say::words(&format!("Answer {round}."))]);
        given.send(&format!("Question {round}?")).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fr_2_1_fr_2_5_what_is_cleaned_from_a_request_stays_stored_and_shown() {
    let given = under("summarize").await;
    rounds_with_calls(&given, 4).await;
    let thread = given.current().await;
    let before = given.messages(thread).await;
    given.model.says([Say::words("Answer 4.")]);
    given.send("Question 4?").await.unwrap();

    let sent = given.model.asked().pop().unwrap().to_string();
    assert!(!sent.contains("round 0") && !sent.contains("round 1"), "cleaned: {sent}");
    assert!(sent.contains("round 2") && sent.contains("round 3"), "kept: {sent}");
    let after = given.messages(thread).await;
    assert_eq!(after[..before.len()], before);
    let restarted = given.restarted().await;
    assert_eq!(restarted.messages(thread).await[..before.len()], before);
}

/// Roles and texts without spaces; neighbours of one role are joined.
type Said = Vec<(&'static str, String)>;

fn add(said: &mut Said, who: &'static str, words: &str) {
    let words: String = words.split_whitespace().collect();
    match said.last_mut() {
        Some((last, before)) if *last == who => before.push_str(&words),
        _ if words.is_empty() => {}
        _ => said.push((who, words)),
    }
}

fn shown(lines: &[PreviewEntry]) -> Said {
    let mut said = Said::new();
    for line in lines {
        for part in &line.parts {
            match (line.role, part) {
                (None, PreviewPart::Text { text }) => match &line.label {
                    EntryLabel::Tool { name, .. } => {
                        add(&mut said, "tool", &format!("{name}{text}"))
                    }
                    _ => add(&mut said, "system", text),
                },
                (Some(Role::User), PreviewPart::Text { text }) => add(&mut said, "user", text),
                (Some(Role::Assistant), PreviewPart::Text { text }) => {
                    add(&mut said, "assistant", text);
                }
                (Some(_), PreviewPart::Call { name, args, result, .. }) => {
                    add(&mut said, "call", &format!("{name}{args}"));
                    add(&mut said, "result", result);
                }
                other => panic!("{other:?}"),
            }
        }
    }
    said
}

fn sent(request: &Value) -> Said {
    let mut said = Said::new();
    let messages = request["messages"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    add(&mut said, "system", &text(&messages[0]["content"]));
    for tool in request["tools"].as_array().unwrap() {
        let tool = &tool["function"];
        let (name, description) = (text(&tool["name"]), text(&tool["description"]));
        add(&mut said, "tool", &format!("{name}{description}{}", tool["parameters"]));
    }
    for message in &messages[1..] {
        match message["role"].as_str().unwrap() {
            "user" => add(&mut said, "user", &text(&message["content"])),
            "tool" => add(&mut said, "result", &text(&message["content"])),
            "assistant" => {
                add(&mut said, "assistant", &text(&message["content"]));
                for call in message["tool_calls"].as_array().into_iter().flatten() {
                    let call = &call["function"];
                    let (name, args) = (text(&call["name"]), text(&call["arguments"]));
                    add(&mut said, "call", &format!("{name}{args}"));
                }
            }
            other => panic!("{other}"),
        }
    }
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_model_sees_is_what_is_sent_message_by_message() {
    let given = under("summarize").await;
    fs::write(given.folder.path().join("AGENTS.md"), "Always answer like a weaver.").unwrap();
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    let long = format!("The port is 7443. {}", "The shuttle crosses the warp. ".repeat(400));
    given.model.says([Say::words("Noted.")]);
    given.send(&long).await.unwrap();
    rounds_with_calls(&given, 3).await;
    given.model.says([Say::words("We wove, and the port is 7443.")]);
    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
    let scope = ReminderScope::Session { session_id: given.session };
    given.app.reminders.add(scope, "The oak loom is lent.".into()).await.unwrap();

    let draft = Draft { text: "And now?".into(), attachments: vec![] };
    let seen = given.app.context.seen_by_model(given.session, draft).await.unwrap();
    given.send("And now?").await.unwrap();
    let request = given.model.asked().pop().unwrap();
    assert_eq!(shown(&seen.lines), sent(&request));
    for said in ["weaver.", "We wove", "Question 2?", "oak loom is lent", "And now?"] {
        assert!(request.to_string().contains(said), "{said}");
    }
    assert!(!request.to_string().contains("Question 0?"), "it is covered");
}

/// A message that was said before the program starts anew.
fn said(role: Role, parts: Vec<ContentPart>) -> NewMessage {
    NewMessage {
        parent: MessageParent::Leaf,
        kind: MessageKind::Chat {},
        role,
        origin: if role == Role::User { Origin::Person } else { Origin::Model },
        parts,
        state: MessageState::Complete {},
        model: None,
        created_at: 0,
    }
}

async fn with_said(given: Scenario, thread: ThreadId, messages: [NewMessage; 2]) -> Scenario {
    given.settled().await;
    let Scenario { app, model, session, folder } = given;
    drop(app);
    let places = AppPaths::in_folder(folder.path());
    let store = patiently("the store is free", async || Store::open(&places, 0)).await;
    for message in messages {
        store.append_message(thread, message).await.unwrap();
    }
    drop(store);
    let app = open(folder.path()).await;
    Scenario { app, model, session, folder }
}

/// A call that ended so, and words after it.
fn call(id: usize, state: ToolState) -> [ContentPart; 2] {
    let call = ToolCall {
        call_id: format!("call_{id}"),
        name: "read_stored_result".into(),
        args: format!(r#"{{"id":"{id}"}}"#),
        signature: None,
        state,
    };
    [ContentPart::Tool { call }, ContentPart::Text { text: format!("Said after {id}.") }]
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_model_sees_of_files_and_calls_is_what_is_sent_however_a_call_ended() {
    let given = under("summarize").await;
    let thread = given.current().await;
    let file = given
        .app
        .attachments
        .attach_bytes("weft.txt".into(), b"The weft beats home.".to_vec())
        .await;
    given.model.says([Say::words("Looked.")]);
    let draft = Draft { text: "Look".into(), attachments: vec![file.unwrap()] };
    given.app.turns.run(given.session, draft, deaf()).await.unwrap();

    let output = |text: &str, withheld| ToolOutput {
        text: text.into(),
        whole: None,
        pictures: Vec::new(),
        withheld,
        folder: None,
    };
    let states = [
        ToolState::Done { output: output("Found.", false) },
        ToolState::Done { output: output("", false) },
        ToolState::Done { output: output("Too much.", true) },
        ToolState::Failed { message: "no such thing".into() },
        ToolState::Denied {},
        ToolState::Cancelled {},
    ];
    let calls = states.into_iter().enumerate().flat_map(|(id, state)| call(id, state));
    let asked = said(Role::User, vec![ContentPart::Text { text: "Which?".into() }]);
    let answered = said(Role::Assistant, calls.collect());
    let given = with_said(given, thread, [asked, answered]).await;
    let draft = Draft { text: "And now?".into(), attachments: vec![] };
    let seen = given.app.context.seen_by_model(given.session, draft).await.unwrap();
    given.model.says([Say::words("Yes.")]);
    given.send("And now?").await.unwrap();
    let request = given.model.asked().pop().unwrap();
    assert_eq!(shown(&seen.lines), sent(&request));
    let request = request.to_string();
    for said in
        ["<file name=", "[no output]", "Error: no such thing", "did not allow", "Said after 5."]
    {
        assert!(request.contains(said), "{said}: {request}");
    }
}
