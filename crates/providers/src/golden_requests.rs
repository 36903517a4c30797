//! One conversation in the spelling of every format.

use std::collections::HashMap;

use bytes::Bytes;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use skein_context::window::{Prompt, PromptMessage};
use skein_domain::ids::BlobId;
use skein_domain::message::{ContentPart, ImageRef, Role, ToolCall, ToolOutput, ToolState};
use skein_domain::provider_config::ReasoningEffort;
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};

use super::http_call::RequestBody;
use super::quirks::{Quirk, Quirks};
use super::registry::find_provider;
use super::{EncodedImage, ModelRequest};

fn text(text: &str) -> ContentPart {
    ContentPart::Text { text: text.to_owned() }
}

fn call(id: &str, state: ToolState) -> ContentPart {
    let call = ToolCall {
        call_id: id.to_owned(),
        name: "look".to_owned(),
        args: r#"{"at":1}"#.to_owned(),
        signature: Some("gemini:sig".to_owned()),
        state,
    };
    ContentPart::Tool { call }
}

fn conversation() -> ModelRequest {
    let picture = |blob| {
        ContentPart::Image(ImageRef {
            blob: BlobId(blob),
            name: "cat.png".to_owned(),
            media_type: "image/png".to_owned(),
            width: None,
            height: None,
            bytes: 3,
        })
    };
    let output =
        ToolOutput { text: "seen".to_owned(), whole: None, pictures: Vec::new(), withheld: false };
    let messages = vec![
        (Role::User, vec![text("first"), picture(1), picture(2)]),
        (
            Role::Assistant,
            vec![
                ContentPart::Reasoning {
                    text: "hm".to_owned(),
                    signature: Some("anthropic:proof".to_owned()),
                },
                text("I look."),
                call("c1", ToolState::Done { output }),
                call("c2", ToolState::Denied {}),
                text("Done."),
            ],
        ),
        (Role::User, vec![text("next")]),
    ];
    let messages = messages
        .into_iter()
        .map(|(role, parts)| PromptMessage { role, parts: parts.into() })
        .collect();
    let tool = ToolDeclaration {
        name: "look".to_owned(),
        description: "Looks.".to_owned(),
        parameters: json!({ "type": "object" }),
        family: ToolFamily::BuiltIn,
    };
    let sent = EncodedImage { media_type: "image/png", bytes: Bytes::from_static(b"png") };
    ModelRequest {
        model: "m".to_owned(),
        prompt: Prompt {
            system: "Be brief.".to_owned(),
            tools: vec![tool],
            messages,
            stable_messages: 2,
            notices: Vec::new(),
        },
        blobs: HashMap::from([(BlobId(1), sent)]),
        max_output: Some(50),
        window: Some(9_000),
        prompt_tokens: None,
        effort: ReasoningEffort::Default,
        is_user_facing: true,
        extra_body: Map::new(),
    }
}

fn spelled_of(request: &ModelRequest, kind: &str) -> Value {
    let body = RequestBody::new(request, find_provider(kind).unwrap(), &Quirks::default(), "here");
    serde_json::from_slice(&body.to_json().unwrap()).unwrap()
}

fn spelled(kind: &str) -> Value {
    spelled_of(&conversation(), kind)
}

const DENIED: &str =
    "[The person did not allow this call. Do not repeat it; ask, or go on without it.]";

#[test]
fn chat_completions() {
    let used = |id: &str| json!({ "id": id, "type": "function", "function": { "name": "look", "arguments": "{\"at\":1}" } });
    assert_eq!(
        spelled("custom"),
        json!({
            "model": "m",
            "messages": [
                { "role": "system", "content": "Be brief." },
                { "role": "user", "content": [
                    { "type": "text", "text": "first" },
                    { "type": "image_url", "image_url": { "url": "data:image/png;base64,cG5n" } },
                    { "type": "text", "text": "[image cat.png: not available]" },
                ] },
                { "role": "assistant", "content": "I look.", "tool_calls": [used("c1"), used("c2")] },
                { "role": "tool", "tool_call_id": "c1", "content": "seen" },
                { "role": "tool", "tool_call_id": "c2", "content": DENIED },
                { "role": "assistant", "content": "Done." },
                { "role": "user", "content": "next" },
            ],
            "tools": [{ "type": "function", "function": {
                "name": "look", "description": "Looks.", "parameters": { "type": "object" },
            } }],
            "max_tokens": 50,
            "stream": true,
            "stream_options": { "include_usage": true },
        })
    );
}

#[test]
fn anthropic_with_breakpoints_where_the_prefix_is_stable() {
    let cached = json!({ "type": "ephemeral" });
    assert_eq!(
        spelled("anthropic"),
        json!({
            "model": "m",
            "max_tokens": 50,
            "tools": [{ "name": "look", "description": "Looks.", "input_schema": { "type": "object" } }],
            "system": [{ "type": "text", "text": "Be brief.", "cache_control": cached }],
            "messages": [
                { "role": "user", "content": [
                    { "type": "text", "text": "first" },
                    { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "cG5n" } },
                    { "type": "text", "text": "[image cat.png: not available]" },
                ] },
                { "role": "assistant", "content": [
                    { "type": "thinking", "thinking": "hm", "signature": "proof" },
                    { "type": "text", "text": "I look." },
                    { "type": "tool_use", "id": "c1", "name": "look", "input": { "at": 1 } },
                    { "type": "tool_use", "id": "c2", "name": "look", "input": { "at": 1 } },
                ] },
                { "role": "user", "content": [
                    { "type": "tool_result", "tool_use_id": "c1", "content": "seen" },
                    { "type": "tool_result", "tool_use_id": "c2", "content": DENIED, "is_error": true },
                ] },
                { "role": "assistant", "content": [
                    { "type": "text", "text": "Done.", "cache_control": cached },
                ] },
                { "role": "user", "content": [{ "type": "text", "text": "next" }] },
            ],
            "stream": true,
        })
    );
}

#[test]
fn gemini() {
    let used = json!({ "functionCall": { "name": "look", "args": { "at": 1 } }, "thoughtSignature": "sig" });
    assert_eq!(
        spelled("gemini"),
        json!({
            "systemInstruction": { "parts": [{ "text": "Be brief." }] },
            "contents": [
                { "role": "user", "parts": [
                    { "text": "first" },
                    { "inlineData": { "mimeType": "image/png", "data": "cG5n" } },
                    { "text": "[image cat.png: not available]" },
                ] },
                { "role": "model", "parts": [{ "text": "I look." }, used, used] },
                { "role": "user", "parts": [
                    { "functionResponse": { "name": "look", "response": { "output": "seen" } } },
                    { "functionResponse": { "name": "look", "response": { "error": DENIED } } },
                ] },
                { "role": "model", "parts": [{ "text": "Done." }] },
                { "role": "user", "parts": [{ "text": "next" }] },
            ],
            "tools": [{ "functionDeclarations": [{
                "name": "look", "description": "Looks.", "parametersJsonSchema": { "type": "object" },
            }] }],
            "generationConfig": {
                "maxOutputTokens": 50, "thinkingConfig": { "includeThoughts": true },
            },
        })
    );
}

#[test]
fn ollama_is_told_the_window() {
    let used = json!({ "function": { "name": "look", "arguments": { "at": 1 } } });
    assert_eq!(
        spelled("ollama"),
        json!({
            "model": "m",
            "messages": [
                { "role": "system", "content": "Be brief." },
                { "role": "user", "content": "first\n\n[image cat.png: not available]", "images": ["cG5n"] },
                { "role": "assistant", "content": "I look.", "tool_calls": [used, used] },
                { "role": "tool", "tool_name": "look", "content": "seen" },
                { "role": "tool", "tool_name": "look", "content": DENIED },
                { "role": "assistant", "content": "Done." },
                { "role": "user", "content": "next" },
            ],
            "tools": [{ "type": "function", "function": {
                "name": "look", "description": "Looks.", "parameters": { "type": "object" },
            } }],
            "stream": true,
            "truncate": false,
            "shift": false,
            "options": { "num_ctx": 9_000, "num_predict": 50 },
        })
    );
}

#[test]
fn responses_leave_nothing_with_the_provider() {
    let used = |id: &str| json!({ "type": "function_call", "call_id": id, "name": "look", "arguments": "{\"at\":1}" });
    let said = |words: &str| json!({ "role": "assistant", "content": [{ "type": "output_text", "text": words }] });
    assert_eq!(
        spelled("openai-responses"),
        json!({
            "model": "m",
            "instructions": "Be brief.",
            "input": [
                { "role": "user", "content": [
                    { "type": "input_text", "text": "first" },
                    { "type": "input_image", "image_url": "data:image/png;base64,cG5n" },
                    { "type": "input_text", "text": "[image cat.png: not available]" },
                ] },
                said("I look."),
                used("c1"),
                used("c2"),
                { "type": "function_call_output", "call_id": "c1", "output": "seen" },
                { "type": "function_call_output", "call_id": "c2", "output": DENIED },
                said("Done."),
                { "role": "user", "content": [{ "type": "input_text", "text": "next" }] },
            ],
            "tools": [{
                "type": "function", "name": "look", "description": "Looks.",
                "parameters": { "type": "object" }, "strict": false,
            }],
            "max_output_tokens": 50,
            "stream": true,
            "store": false,
            "include": ["reasoning.encrypted_content"],
        })
    );
}

#[test]
fn the_newest_models_are_told_which_of_their_words_were_the_answer() {
    let phases = |model: &str, dodges: &[Quirk]| {
        let request = ModelRequest { model: model.to_owned(), ..conversation() };
        let dodges = Quirks::from_iter(dodges.iter().copied());
        let body =
            RequestBody::new(&request, find_provider("openai-responses").unwrap(), &dodges, "here");
        let body: Value = serde_json::from_slice(&body.to_json().unwrap()).unwrap();
        let items = body["input"].as_array().unwrap().iter();
        let phases = items.filter_map(|item| item["phase"].as_str().map(str::to_owned));
        phases.collect::<Vec<_>>()
    };
    assert_eq!(phases("gpt-5.4", &[]), ["commentary", "final_answer"]);
    for (model, dodges) in
        [("gpt-5.4", &[Quirk::NoPhase] as &[_]), ("gpt-4o", &[]), ("gpt-oss", &[])]
    {
        assert!(phases(model, dodges).is_empty(), "{model}");
    }
}

/// Reasoning as a wire of chat completions sends it, message by message.
fn thoughts(kind: &str, dodges: &Quirks) -> Vec<Value> {
    let request = conversation();
    let body = RequestBody::new(&request, find_provider(kind).unwrap(), dodges, "here");
    let body: Value = serde_json::from_slice(&body.to_json().unwrap()).unwrap();
    let messages = body["messages"].as_array().unwrap().iter();
    let assistant = messages.filter(|message| message["role"] == "assistant");
    assistant.map(|message| message["reasoning_content"].clone()).collect()
}

#[test]
fn reasoning_goes_back_with_every_message_of_the_model_where_it_is_demanded() {
    for kind in ["deepseek", "moonshot", "zhipu"] {
        assert_eq!(thoughts(kind, &Quirks::default()), [json!("hm"), json!(" ")], "{kind}");
    }
    assert_eq!(thoughts("custom", &Quirks::default()), [Value::Null, Value::Null]);
}

#[test]
fn an_address_of_no_known_kind_that_demands_reasoning_gets_it() {
    let dodges = Quirks::from_iter([Quirk::RequiresReasoning]);
    assert_eq!(thoughts("custom", &dodges), [json!("hm"), json!(" ")]);
}

#[test]
fn an_address_of_anthropics_format_that_demands_reasoning_gets_it() {
    let request = conversation();
    let dodges = Quirks::from_iter([Quirk::RequiresReasoning]);
    let body = RequestBody::new(&request, find_provider("anthropic").unwrap(), &dodges, "here");
    let body: Value = serde_json::from_slice(&body.to_json().unwrap()).unwrap();
    let messages = body["messages"].as_array().unwrap().iter();
    let assistant = messages.filter(|message| message["role"] == "assistant");
    let first: Vec<_> = assistant.map(|message| message["content"][0].clone()).collect();
    let thought = |thinking: &str, signature: &str| json!({ "type": "thinking", "thinking": thinking, "signature": signature });
    assert_eq!(first, [thought("hm", "proof"), thought(" ", "")]);
}

/// What a request says of thinking, and the thoughts that go back with it.
fn thinking(effort: ReasoningEffort, dodges: &[Quirk]) -> (Value, Vec<Value>) {
    let request = ModelRequest { effort, ..conversation() };
    let dodges = Quirks::from_iter(dodges.iter().copied());
    let body = RequestBody::new(&request, find_provider("anthropic").unwrap(), &dodges, "here");
    let body: Value = serde_json::from_slice(&body.to_json().unwrap()).unwrap();
    let messages = body["messages"].as_array().unwrap().iter();
    let blocks = messages.flat_map(|message| message["content"].as_array().unwrap());
    let thoughts = blocks.filter(|block| block["type"] == "thinking");
    (body["thinking"].clone(), thoughts.map(|it| it["signature"].clone()).collect())
}

#[test]
fn thoughts_that_are_bound_to_what_stood_before_them_are_dropped_there_or_do_not_go_back() {
    let binds = json!({
        "type": "adaptive",
        "display": "summarized",
        "block_binding": { "prefix_mismatch_behavior": "drop_block" },
    });
    let proof = vec![json!("proof")];
    for effort in [ReasoningEffort::Default, ReasoningEffort::High] {
        let drops = thinking(effort, &[Quirk::DropMismatchedThinking]);
        assert_eq!(drops, (binds.clone(), proof.clone()), "{effort:?}");
    }
    assert_eq!(thinking(ReasoningEffort::Default, &[]), (Value::Null, proof));
    // Where it does not think, it cannot be told what to drop.
    let off = thinking(ReasoningEffort::Off, &[]).0;
    assert_eq!(thinking(ReasoningEffort::Off, &[Quirk::DropMismatchedThinking]), (off, vec![]));
    let both = [Quirk::DropMismatchedThinking, Quirk::NoThinkingReplay];
    assert_eq!(thinking(ReasoningEffort::Default, &both), (Value::Null, vec![]));
}

#[test]
fn while_tools_run_all_of_a_request_is_kept_for_the_next() {
    let mut request = conversation();
    request.prompt.messages.truncate(1);
    request.prompt.stable_messages = 1;
    let parts = [call("c1", ToolState::Cancelled {})].into();
    request.prompt.messages.push(PromptMessage { role: Role::Assistant, parts });
    let body = spelled_of(&request, "anthropic");
    let messages = body["messages"].as_array().unwrap().iter();
    let blocks = messages.flat_map(|message| message["content"].as_array().unwrap());
    let kept = blocks.filter(|block| !block["cache_control"].is_null());
    let kept: Vec<_> = kept.map(|block| block["type"].clone()).collect();
    assert_eq!(kept, ["text", "tool_result"]);
}

#[test]
fn a_model_that_does_not_reason_is_neither_asked_for_reasoning_nor_given_any() {
    let mut request = conversation();
    let thought = ContentPart::Reasoning {
        text: "hm".to_owned(),
        signature: Some("responses:rs_1:sealed".to_owned()),
    };
    let parts = [thought, text("And done.")].into();
    request.prompt.messages.push(PromptMessage { role: Role::Assistant, parts });
    let of = |dodges: &Quirks| {
        let body =
            RequestBody::new(&request, find_provider("openai-responses").unwrap(), dodges, "here");
        let body: Value = serde_json::from_slice(&body.to_json().unwrap()).unwrap();
        let items = body["input"].as_array().unwrap().iter();
        let thoughts = items.filter(|item| item["type"] == "reasoning").count();
        (thoughts, body["include"].clone(), body["store"].clone())
    };
    let asked = (1, json!(["reasoning.encrypted_content"]), json!(false));
    assert_eq!(of(&Quirks::default()), asked);
    let dodges = Quirks::from_iter([Quirk::NoEncryptedReasoning]);
    assert_eq!(of(&dodges), (0, Value::Null, json!(false)));
}

/// Who speaks, in the words of a wire, and what holds together.
fn outline(spelled: &Value) -> Vec<String> {
    let messages = ["messages", "contents", "input"].iter().find_map(|at| spelled[at].as_array());
    let name = |message: &Value| {
        let role = message["role"].as_str().or_else(|| message["type"].as_str());
        role.unwrap().to_owned()
    };
    messages.unwrap().iter().map(name).filter(|name| name != "system").collect()
}

#[test]
fn a_conversation_of_which_messages_are_left_out_is_still_one_that_every_wire_takes() {
    let message = |role, parts: Vec<ContentPart>| PromptMessage { role, parts: parts.into() };
    let mut request = conversation();
    // Left out: what the first reply answered, the words after its call, and a reply in the midst.
    request.prompt.messages = vec![
        message(Role::User, vec![text("…")]),
        message(Role::Assistant, vec![text("I look."), call("c1", ToolState::Denied {})]),
        message(Role::User, vec![text("and?")]),
        message(Role::User, vec![text("or?")]),
        message(Role::Assistant, vec![text("So.")]),
        message(Role::Assistant, vec![text("And so.")]),
        message(Role::User, vec![text("go on")]),
    ];
    request.prompt.stable_messages = 0;
    let plain = ["user", "assistant", "tool", "user", "assistant", "user"];
    for kind in ["custom", "openai", "deepseek", "ollama"] {
        assert_eq!(outline(&spelled_of(&request, kind)), plain, "{kind}");
    }
    let noted = ["user", "assistant", "tool", "assistant", "user", "assistant", "user"];
    assert_eq!(outline(&spelled_of(&request, "mistral")), noted);
    let alternating = ["user", "assistant", "user", "assistant", "user"];
    assert_eq!(outline(&spelled_of(&request, "anthropic")), alternating);
    let gemini = ["user", "model", "user", "user", "model", "user"];
    assert_eq!(outline(&spelled_of(&request, "gemini")), gemini);
    let items = ["user", "assistant", "function_call", "function_call_output", "user"];
    let responses = [items.as_slice(), &["assistant", "assistant", "user"]].concat();
    assert_eq!(outline(&spelled_of(&request, "openai-responses")), responses);
    let opening = &spelled_of(&request, "custom")["messages"][1];
    assert_eq!(*opening, json!({ "role": "user", "content": "…" }));
    let heard = &spelled_of(&request, "custom")["messages"][4];
    assert_eq!(*heard, json!({ "role": "user", "content": "and?\n\nor?" }));
}

/// A conversation of three providers: every reply of one began with `call_0`, another's ids name the
/// tool.
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
    let roles = |kind, dodges: &Quirks| -> Vec<String> {
        let body = RequestBody::new(&request, find_provider(kind).unwrap(), dodges, "here");
        let body: Value = serde_json::from_slice(&body.to_json().unwrap()).unwrap();
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

/// What stands for a picture whose bytes are gone.
const GONE: &str = "[image cat.png: not available]";

/// What is sent of a call that showed two pictures, the bytes of one of them gone, and of the words
/// after it, from the call on.
fn shown(kind: &str) -> Value {
    let mut request = conversation();
    let ContentPart::Image(picture) = request.prompt.messages[0].parts[1].clone() else { panic!() };
    let pictures = vec![picture.clone(), ImageRef { blob: BlobId(2), ..picture }];
    let output = ToolOutput { text: "seen".to_owned(), whole: None, pictures, withheld: false };
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
    for (dodges, stays) in [(Quirks::default(), true), (short, false)] {
        for kind in ["custom", "openai", "openai-responses"] {
            let body = RequestBody::new(&request, find_provider(kind).unwrap(), &dodges, "here");
            let body: Value = serde_json::from_slice(&body.to_json().unwrap()).unwrap();
            let [calls, results] = ids(&body);
            assert_eq!(calls, results, "{kind}");
            assert_eq!(calls[0] == long, stays, "{kind}");
        }
    }
}

#[test]
fn how_hard_a_model_is_to_think_is_said_in_the_words_of_each_wire_and_left_out_where_refused() {
    use ReasoningEffort::{Default, High, Low, Medium, Off};
    let adaptive = json!({ "type": "adaptive", "display": "summarized" });
    let shown = |more: Value| {
        let mut shown = json!({ "includeThoughts": true });
        shown.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "maxOutputTokens": 50, "thinkingConfig": shown })
    };
    let nothing = || json!({});
    for (kind, model, effort, said) in [
        ("anthropic", "m", Default, nothing()),
        ("anthropic", "m", Off, json!({ "thinking": { "type": "disabled" } })),
        (
            "anthropic",
            "m",
            Low,
            json!({ "thinking": adaptive, "output_config": { "effort": "low" } }),
        ),
        ("gemini", "gemini-flash-latest", Default, json!({ "generationConfig": shown(nothing()) })),
        (
            "gemini",
            "gemini-2.5-flash",
            Off,
            json!({ "generationConfig": shown(json!({ "thinkingBudget": 0 })) }),
        ),
        (
            "gemini",
            "gemini-3-pro",
            High,
            json!({ "generationConfig": shown(json!({ "thinkingLevel": "high" })) }),
        ),
        ("openai-responses", "m", Default, nothing()),
        ("openai-responses", "m", Off, json!({ "reasoning": { "effort": "none" } })),
        (
            "openai-responses",
            "m",
            High,
            json!({ "reasoning": { "effort": "high", "summary": "auto" } }),
        ),
        ("custom", "m", Default, nothing()),
        ("custom", "m", Off, json!({ "reasoning_effort": "none" })),
        ("openrouter", "m", Low, json!({ "reasoning_effort": "low" })),
        ("deepseek", "deepseek-v4-flash", Default, nothing()),
        ("deepseek", "deepseek-v4-flash", Off, json!({ "thinking": { "type": "disabled" } })),
        ("deepseek", "deepseek-v4-flash", High, json!({ "reasoning_effort": "high" })),
        ("moonshot-cn", "kimi-k2.6", Off, json!({ "thinking": { "type": "disabled" } })),
        ("zhipu", "glm-5.2", Off, json!({ "thinking": { "type": "disabled" } })),
        ("dashscope", "qwen-plus-latest", Off, json!({ "enable_thinking": false })),
        (
            "siliconflow",
            "Qwen/Qwen3-32B",
            Low,
            json!({ "enable_thinking": true, "thinking_budget": 2_048 }),
        ),
        // They think whatever they are told, and some take what they do not know for the most.
        ("moonshot", "kimi-k3", Off, json!({ "reasoning_effort": "low" })),
        ("moonshot", "kimi-k3", Medium, json!({ "reasoning_effort": "high" })),
        ("siliconflow", "zai-org/GLM-5.3", Off, json!({ "reasoning_effort": "low" })),
        ("groq", "openai/gpt-oss-120b", Off, json!({ "reasoning_effort": "low" })),
        ("groq", "openai/gpt-oss-120b", Medium, json!({ "reasoning_effort": "medium" })),
        ("anthropic", "claude-sonnet-5-5", Default, json!({ "thinking": adaptive })),
        ("anthropic", "claude-opus-5", Default, json!({ "thinking": adaptive })),
        ("anthropic", "claude-opus-4-8", Default, nothing()),
        ("anthropic", "claude-sonnet-4-20250514", Default, nothing()),
        ("anthropic", "claude-3-7-sonnet-20250219", Default, nothing()),
        ("minimax", "MiniMax-M3", Default, nothing()),
        ("minimax", "MiniMax-M3", Off, json!({ "thinking": { "type": "disabled" } })),
        (
            "minimax",
            "MiniMax-M2.7",
            Off,
            json!({ "thinking": adaptive, "output_config": { "effort": "low" } }),
        ),
        ("ollama", "qwen3", Default, nothing()),
        ("ollama", "qwen3", Off, json!({ "think": false })),
        ("ollama", "qwen3", High, json!({ "think": true })),
        ("ollama", "gpt-oss:20b", Low, json!({ "think": "low" })),
    ] {
        let request = ModelRequest { model: model.to_owned(), effort, ..conversation() };
        let of = |dodges: &Quirks| -> Value {
            let body = RequestBody::new(&request, find_provider(kind).unwrap(), dodges, "here");
            let body: Value = serde_json::from_slice(&body.to_json().unwrap()).unwrap();
            let told = [
                "thinking",
                "output_config",
                "generationConfig",
                "reasoning",
                "reasoning_effort",
                "enable_thinking",
                "thinking_budget",
                "think",
            ];
            let told = told.into_iter().filter(|name| !body[*name].is_null());
            told.map(|name| (name.to_owned(), body[name].clone())).collect()
        };
        assert_eq!(of(&Quirks::default()), said, "{kind} {model} {effort:?}");
        let refused = of(&Quirks::from_iter([Quirk::EffortLevelsSkipped(effort, 9)]));
        let silent = match kind {
            "gemini" => json!({ "generationConfig": { "maxOutputTokens": 50 } }),
            _ => nothing(),
        };
        assert_eq!(refused, silent, "{kind} {effort:?}");
    }
}

#[test]
fn a_level_that_is_refused_is_followed_by_what_comes_close_to_it() {
    use ReasoningEffort::{High, Medium, Off};
    let thinks = |budget: u32| json!({ "type": "enabled", "budget_tokens": budget });
    let shows = |name: &str, value: Value| json!({ "includeThoughts": true, name: value });
    let silent = json!({ "includeThoughts": true });
    let none = Value::Null;
    for (kind, model, effort, at, said) in [
        (
            "custom",
            "gpt-5",
            Off,
            "/reasoning_effort",
            vec![json!("none"), json!("minimal"), json!("low"), none.clone()],
        ),
        (
            "openai-responses",
            "gpt-5",
            High,
            "/reasoning",
            vec![
                json!({ "effort": "high", "summary": "auto" }),
                json!({ "effort": "high" }),
                none.clone(),
            ],
        ),
        (
            "gemini",
            "gemini-2.5-pro",
            Off,
            "/generationConfig/thinkingConfig",
            vec![
                shows("thinkingBudget", json!(0)),
                shows("thinkingBudget", json!(128)),
                silent.clone(),
                none.clone(),
            ],
        ),
        (
            "gemini",
            "gemini-3-pro-preview",
            Off,
            "/generationConfig/thinkingConfig",
            vec![
                shows("thinkingLevel", json!("minimal")),
                shows("thinkingLevel", json!("low")),
                silent,
                none.clone(),
            ],
        ),
        (
            "anthropic",
            "claude-sonnet-4-5",
            Medium,
            "/thinking",
            vec![
                json!({ "type": "adaptive", "display": "summarized" }),
                thinks(8_192),
                none.clone(),
            ],
        ),
        (
            "anthropic",
            "claude-sonnet-5-5",
            Off,
            "/thinking",
            vec![
                json!({ "type": "disabled" }),
                json!({ "type": "between_tools" }),
                json!({ "type": "adaptive", "display": "summarized" }),
                none.clone(),
            ],
        ),
        (
            "moonshot",
            "kimi-k2.7-code",
            Off,
            "/reasoning_effort",
            vec![none.clone(), json!("low"), none.clone()],
        ),
        (
            "dashscope",
            "qwen3-next-80b-a3b-thinking",
            High,
            "/reasoning_effort",
            vec![none.clone(), json!("high"), none.clone()],
        ),
        ("ollama", "gpt-oss:20b", Off, "/think", vec![json!("low"), none]),
    ] {
        for (rung, said) in said.into_iter().enumerate() {
            let max_output = Some(32_000);
            let request =
                ModelRequest { model: model.into(), effort, max_output, ..conversation() };
            let dodges = Quirks::from_iter([Quirk::EffortLevelsSkipped(effort, rung)]);
            let body = RequestBody::new(&request, find_provider(kind).unwrap(), &dodges, "here");
            let body: Value = serde_json::from_slice(&body.to_json().unwrap()).unwrap();
            let told = body.pointer(at).cloned().unwrap_or_default();
            assert_eq!(told, said, "{model} {effort:?} {rung}");
        }
    }
}

#[test]
fn a_model_that_takes_no_tools_while_it_thinks_is_told_not_to_where_there_are_tools() {
    let dodges = Quirks::from_iter([Quirk::NoReasoningWithTools]);
    let level = |effort, tools: bool, dodges: &Quirks| {
        let mut request = ModelRequest { effort, ..conversation() };
        request.prompt.tools.retain(|_| tools);
        let body = RequestBody::new(&request, find_provider("openai").unwrap(), dodges, "here");
        let body: Value = serde_json::from_slice(&body.to_json().unwrap()).unwrap();
        body["reasoning_effort"].clone()
    };
    for effort in [ReasoningEffort::Default, ReasoningEffort::High, ReasoningEffort::Off] {
        assert_eq!(level(effort, true, &dodges), "none", "{effort:?}");
    }
    assert_eq!(level(ReasoningEffort::High, false, &dodges), "high");
    assert_eq!(level(ReasoningEffort::Default, false, &dodges), Value::Null);
    let refused = Quirks::from_iter([
        Quirk::NoReasoningWithTools,
        Quirk::EffortLevelsSkipped(ReasoningEffort::Off, 3),
    ]);
    assert_eq!(level(ReasoningEffort::High, true, &refused), Value::Null, "it ends");
}

#[test]
fn a_reply_that_ended_in_its_thoughts_is_no_empty_message() {
    let thought = ContentPart::Reasoning { text: "hm".to_owned(), signature: None };
    let mut request = conversation();
    request.prompt.messages = vec![
        PromptMessage { role: Role::User, parts: [text("first")].into() },
        PromptMessage { role: Role::Assistant, parts: [thought].into() },
        PromptMessage { role: Role::User, parts: [text("go on")].into() },
    ];
    let said = &spelled_of(&request, "moonshot")["messages"][2];
    assert_eq!(*said, json!({ "role": "assistant", "content": "…", "reasoning_content": "hm" }));
}

#[test]
fn a_server_that_keeps_a_prompt_only_up_to_a_mark_is_given_marks() {
    let spelled = |model: &str, stable: u32| {
        let mut request = ModelRequest { model: model.to_owned(), ..conversation() };
        request.prompt.stable_messages = stable;
        spelled_of(&request, "openrouter")["messages"].clone()
    };
    let marked = |text: &str| json!([{ "type": "text", "text": text, "cache_control": { "type": "ephemeral" } }]);
    let messages = spelled("anthropic/claude-sonnet-5.5", 2);
    assert_eq!(messages[0]["content"], marked("Be brief."));
    assert_eq!(messages[5]["content"], marked("Done."));
    let messages = spelled("anthropic/claude-sonnet-5.5", 1);
    assert_eq!(messages[1]["content"][2]["cache_control"], json!({ "type": "ephemeral" }));
    assert_eq!(messages[5]["content"], "Done.");
    let plain = spelled("google/gemini-2.5-flash", 2);
    assert_eq!(
        (&plain[0]["content"], &plain[5]["content"]),
        (&json!("Be brief."), &json!("Done."))
    );
}

/// Text as people and models write it, with everything that JSON escapes or other writers trip over.
fn written() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        (0..0x20_u8).prop_map(|control| char::from(control).to_string()),
        Just("\u{7f}\u{2028}\u{2029}\u{feff}".to_owned()),
        prop::sample::select(vec!["\"", "\\", "/", "</script>", "👩‍👩‍👧", "你好", "\u{0}"])
            .prop_map(str::to_owned),
        "[a-z ]{0,70}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        written().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((written(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_format_is_written_as_serde_json_writes_it(
        said in written(), heard in written(), parameters in schema(), args in schema(),
    ) {
        let mut request = conversation();
        request.prompt.system.clone_from(&heard);
        request.prompt.tools[0].parameters = parameters;
        let ContentPart::Image(picture) = request.prompt.messages[0].parts[1].clone() else { panic!() };
        let pictures = vec![picture];
        let output = ToolOutput { text: heard.clone(), whole: None, pictures, withheld: false };
        let ContentPart::Tool { call } = call("c3", ToolState::Done { output }) else { panic!() };
        let call = ToolCall { args: args.to_string(), ..call };
        let parts = [text(&said), ContentPart::Tool { call }].into();
        request.prompt.messages.push(PromptMessage { role: Role::Assistant, parts });
        request.effort = ReasoningEffort::Low;
        for kind in ["custom", "dashscope", "anthropic", "gemini", "ollama", "openai-responses"] {
            let body = RequestBody::new(&request, find_provider(kind).unwrap(), &Quirks::default(), "here");
            let spelled = String::from_utf8(body.to_json().unwrap()).unwrap();
            prop_assert_eq!(spelled, serde_json::to_string(&body).unwrap());
        }
    }
}

/// A notice of the program, and the user's words behind it in two messages.
fn noticed() -> ModelRequest {
    let said = |words| PromptMessage { role: Role::User, parts: [text(words)].into() };
    let mut request = conversation();
    request.prompt.messages = vec![said("notice"), said("mine"), said("and more")];
    request.prompt.notices = vec![0];
    request
}

#[test]
fn a_notice_is_never_merged_with_the_users_words() {
    let whole = "mine\n\nand more";
    let body = spelled_of(&noticed(), "custom");
    let parts = json!([{ "type": "text", "text": "notice" }, { "type": "text", "text": whole }]);
    assert_eq!(body["messages"][1], json!({ "role": "user", "content": parts }));
    let body = spelled_of(&noticed(), "ollama");
    let apart =
        json!([{ "role": "user", "content": "notice" }, { "role": "user", "content": whole }]);
    assert_eq!(body["messages"].as_array().unwrap()[1..], *apart.as_array().unwrap());
    let texts = |list: &Value| -> Vec<Value> {
        list.as_array().unwrap().iter().map(|part| part["text"].clone()).collect()
    };
    let apart = ["notice", "mine", "and more"];
    assert_eq!(texts(&spelled_of(&noticed(), "anthropic")["messages"][0]["content"]), apart);
    assert_eq!(texts(&spelled_of(&noticed(), "gemini")["contents"][0]["parts"]), apart);
    assert_eq!(texts(&spelled_of(&noticed(), "openai-responses")["input"][0]["content"]), apart);
}

#[test]
fn a_server_that_takes_one_string_gets_a_notice_as_a_message_of_its_own() {
    for refusal in [
        "Failed to deserialize the JSON body: messages[1]: invalid type: sequence, expected a string",
        r#"[{"loc":["body","messages",1,"content"],"msg":"Input should be a valid string"}]"#,
        "'content' must be a string",
    ] {
        assert_eq!(
            Quirks::default().detect(refusal, None),
            Some(Quirk::StringContent),
            "{refusal}"
        );
    }
    let request = noticed();
    let dodges = Quirks::from_iter([Quirk::StringContent]);
    let body = RequestBody::new(&request, find_provider("custom").unwrap(), &dodges, "here");
    let body: Value = serde_json::from_slice(&body.to_json().unwrap()).unwrap();
    let apart = json!([
        { "role": "user", "content": "notice" },
        { "role": "user", "content": "mine\n\nand more" },
    ]);
    assert_eq!(body["messages"].as_array().unwrap()[1..], *apart.as_array().unwrap());
}
