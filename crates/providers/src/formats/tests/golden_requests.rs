//! One conversation in every wire format.

use serde_json::{Value, json};
use skein_context::window::PromptMessage;
use skein_domain::message::{ContentPart, Role, ToolState};

use super::conversation::{DENIED, body_bytes, call, conversation, spelled, spelled_of, text};
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};

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

/// The role and the kinds of parts of each message.
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
    // Excluded: the question of the first reply, the text after its call, and a reply in the
    // middle.
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

/// A notice of the program, followed by the user's text in two messages.
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
    let quirks = Quirks::from_iter([Quirk::StringContent]);
    let body = body_bytes(&request, "custom", &quirks);
    let body: Value = serde_json::from_slice(&body).unwrap();
    let apart = json!([
        { "role": "user", "content": "notice" },
        { "role": "user", "content": "mine\n\nand more" },
    ]);
    assert_eq!(body["messages"].as_array().unwrap()[1..], *apart.as_array().unwrap());
}
