//! Tool calls and their results in every wire format.

use serde_json::{Value, json};
use skein_context::window::PromptMessage;
use skein_domain::ids::BlobId;
use skein_domain::message::{ContentPart, ImageRef, Role, ToolCall, ToolOutput, ToolState};

use super::conversation::{body_bytes, call, conversation, spelled_of, text};
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};

/// A conversation with three providers: every reply of one began with `call_0`, and the ids of
/// another contain the tool name.
fn travelled() -> ModelRequest {
    let mut request = conversation();
    let done = || ToolState::Cancelled {};
    let replies = ["call_0", "call_0", "functions.look:0", "toolu_01A"];
    let messages = replies
        .into_iter()
        .flat_map(|id| [(Role::User, text("look")), (Role::Assistant, call(id, done()))]);
    let messages = messages.map(|(role, part)| PromptMessage { role, parts: [part].into() });
    request.prompt.messages = messages.collect();
    request
}

/// The ids of the calls and those of the results, in order.
fn ids(body: &Value) -> [Vec<String>; 2] {
    fn look(value: &Value, found: &mut [Vec<String>; 2]) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| look(value, found)),
            Value::Object(members) => {
                let kind = members.get("type").and_then(Value::as_str).unwrap_or_default();
                for (name, value) in members {
                    let of_call = matches!(kind, "function" | "tool_use" | "function_call");
                    match (name.as_str(), value) {
                        ("id" | "call_id", Value::String(id)) if of_call => {
                            found[0].push(id.clone())
                        }
                        ("tool_call_id" | "tool_use_id" | "call_id", Value::String(id)) => {
                            found[1].push(id.clone());
                        }
                        (_, value) => look(value, found),
                    }
                }
            }
            _ => {}
        }
    }
    let mut found = [Vec::new(), Vec::new()];
    look(body, &mut found);
    found
}

#[test]
fn ids_of_other_providers_are_made_to_fit_the_same_for_call_and_result() {
    for (kind, fits) in [
        ("anthropic", [true, false, false, true]),
        ("mistral", [false; 4]),
        ("moonshot", [true, false, true, true]),
        ("openai-responses", [true, false, true, true]),
    ] {
        let body = spelled_of(&travelled(), kind);
        let [calls, results] = ids(&body);
        assert_eq!(calls, results, "{kind}");
        let stored = ["call_0", "call_0", "functions.look:0", "toolu_01A"];
        let mut seen = std::collections::HashSet::new();
        for ((id, stored), fits) in calls.iter().zip(stored).zip(fits) {
            assert_eq!(id == stored, fits, "{kind}: {id}");
            let is_nine = id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
            assert!(fits || is_nine, "{kind}: {id}");
            assert!(seen.insert(id.clone()), "{kind}: {id} twice");
        }
        assert_eq!(spelled_of(&travelled(), kind), body, "the same again");
    }
}

#[test]
fn where_it_is_demanded_the_model_says_something_between_results_and_the_person() {
    let mut request = conversation();
    let message = |role, part| PromptMessage { role, parts: [part].into() };
    request.prompt.messages = vec![
        message(Role::User, text("look")),
        message(Role::Assistant, call("c1", ToolState::Cancelled {})),
        message(Role::User, text("and?")),
    ];
    let roles = |kind, quirks: &Quirks| -> Vec<String> {
        let body = body_bytes(&request, kind, quirks);
        let body: Value = serde_json::from_slice(&body).unwrap();
        let messages = body["messages"].as_array().unwrap().iter().skip(1);
        messages.map(|message| message["role"].as_str().unwrap().to_owned()).collect()
    };
    let plain = ["user", "assistant", "tool", "user"];
    let answered = ["user", "assistant", "tool", "assistant", "user"];
    let asked_for = Quirks::from_iter([Quirk::AssistantAfterResults]);
    assert_eq!(roles("custom", &Quirks::default()), plain);
    assert_eq!(roles("custom", &asked_for), answered);
    assert_eq!(roles("mistral", &Quirks::default()), answered);
}

/// The text in place of a picture whose bytes are missing.
const GONE: &str = "[image cat.png: not available]";

/// The messages from a call with two pictures on, the bytes of one of them missing, up to the text
/// after it.
fn shown(kind: &str) -> Value {
    let mut request = conversation();
    let ContentPart::Image(picture) = request.prompt.messages[0].parts[1].clone() else { panic!() };
    let pictures = vec![picture.clone(), ImageRef { blob: BlobId(2), ..picture }];
    let output = ToolOutput {
        text: "seen".to_owned(),
        whole: None,
        pictures,
        withheld: false,
        folder: None,
    };
    let ContentPart::Tool { call } = call("c1", ToolState::Done { output }) else { panic!() };
    let parts = [ContentPart::Tool { call: ToolCall { signature: None, ..call } }].into();
    request.prompt.messages = vec![
        PromptMessage { role: Role::User, parts: [text("look")].into() },
        PromptMessage { role: Role::Assistant, parts },
        PromptMessage { role: Role::User, parts: [text("and?")].into() },
    ];
    let spelled = spelled_of(&request, kind);
    let mut messages = ["messages", "contents", "input"].iter().filter_map(|at| spelled.get(at));
    let messages = messages.next().unwrap().as_array().unwrap();
    let is_call =
        |message: &Value| ["assistant", "model"].iter().any(|role| message["role"] == *role);
    let call = messages.iter().position(|it| is_call(it) || it["type"] == "function_call");
    json!(messages[call.unwrap() + 1..])
}

#[test]
fn what_a_tool_showed_is_in_the_result_where_the_wire_takes_it_and_else_on_the_persons_side() {
    let piece = |text: &str| json!({ "type": "text", "text": text });
    let url = json!({ "url": "data:image/png;base64,cG5n" });
    let told = json!({ "role": "user", "content": [
        piece("[What the tools showed:]"), { "type": "image_url", "image_url": url }, piece(GONE),
        piece("and?"),
    ] });
    let result = |id: &str| json!({ "role": "tool", "tool_call_id": id, "content": "seen" });
    assert_eq!(shown("custom"), json!([result("c1"), told]));
    let noted = json!({ "role": "assistant", "content": "[Noted.]" });
    let mistral = shown("mistral");
    assert_eq!((&mistral[1], &mistral[2]), (&noted, &told));
    assert_eq!(
        shown("ollama"),
        json!([
            { "role": "tool", "tool_name": "look", "content": "seen" },
            { "role": "user", "content": format!("[What the tools showed:]\n\n{GONE}\n\nand?"), "images": ["cG5n"] },
        ])
    );
    let source = json!({ "type": "base64", "media_type": "image/png", "data": "cG5n" });
    assert_eq!(
        shown("anthropic"),
        json!([{ "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "c1",
              "content": [piece("seen"), { "type": "image", "source": source }, piece(GONE)],
              "cache_control": { "type": "ephemeral" } },
            piece("and?"),
        ] }])
    );
    assert_eq!(
        shown("openai-responses"),
        json!([
            { "type": "function_call_output", "call_id": "c1", "output": [
                { "type": "input_text", "text": "seen" },
                { "type": "input_image", "image_url": url["url"] },
                { "type": "input_text", "text": GONE },
            ] },
            { "role": "user", "content": [{ "type": "input_text", "text": "and?" }] },
        ])
    );
    assert_eq!(
        shown("gemini"),
        json!([
            { "role": "user", "parts": [
                { "functionResponse": { "name": "look", "response": { "output": "seen" } } },
                { "inlineData": { "mimeType": "image/png", "data": "cG5n" } }, { "text": GONE },
            ] },
            { "role": "user", "parts": [{ "text": "and?" }] },
        ])
    );
}

#[test]
fn an_id_of_any_length_is_sent_as_it_is_until_the_server_wants_short_ones() {
    let long = format!("call_1__thought__{}", "QUJD".repeat(150));
    let mut request = conversation();
    let parts = [call(&long, ToolState::Cancelled {})].into();
    request.prompt.messages = vec![PromptMessage { role: Role::Assistant, parts }];
    let short = Quirks::from_iter([Quirk::ShortCallIds]);
    for (quirks, stays) in [(Quirks::default(), true), (short, false)] {
        for kind in ["custom", "openai", "openai-responses"] {
            let body = body_bytes(&request, kind, &quirks);
            let body: Value = serde_json::from_slice(&body).unwrap();
            let [calls, results] = ids(&body);
            assert_eq!(calls, results, "{kind}");
            assert_eq!(calls[0] == long, stays, "{kind}");
        }
    }
}
