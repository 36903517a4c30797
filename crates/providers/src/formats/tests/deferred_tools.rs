//! Deferred tools in every wire format.

use serde_json::{Value, json};
use skein_context::window::PromptMessage;
use skein_domain::message::{ContentPart, Role, ToolCall, ToolOutput, ToolState};
use skein_domain::tool_declaration::{CALL_TOOL, DESCRIBE_TOOL, ToolDeclaration, ToolFamily};

use super::conversation::{body_bytes, conversation, own_body_bytes, text};
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};

const KINDS: [&str; 5] = ["custom", "openai-responses", "anthropic", "gemini", "ollama"];

pub(super) fn declared(name: &str) -> ToolDeclaration {
    ToolDeclaration {
        name: name.to_owned(),
        description: format!("Does {name}."),
        parameters: json!({ "type": "object", "title": format!("schema of {name}") }),
        family: ToolFamily::Mcp,
    }
}

fn called(id: &str, name: &str, args: &str) -> ContentPart {
    let output = ToolOutput {
        text: format!("{name} did"),
        whole: None,
        pictures: Vec::new(),
        withheld: false,
        folder: None,
    };
    let call = ToolCall {
        call_id: id.to_owned(),
        name: name.to_owned(),
        args: args.to_owned(),
        signature: None,
        state: ToolState::Done { output },
    };
    ContentPart::Tool { call }
}

/// A tool was read, and then called.
fn request() -> ModelRequest {
    let mut request = ModelRequest { model: "claude-sonnet-5-5".to_owned(), ..conversation() };
    let reply = |part| PromptMessage { role: Role::Assistant, parts: [part].into() };
    request.prompt.messages = vec![
        PromptMessage { role: Role::User, parts: [text("find")].into() },
        reply(called("c1", DESCRIBE_TOOL, r#"{"name":"git__find"}"#)),
        reply(called("c2", "git__find", r#"{"q":1}"#)),
        reply(called("c3", "git__find", "broken")),
    ];
    request.prompt.tools = vec![declared(DESCRIBE_TOOL), declared(CALL_TOOL)];
    request.prompt.deferred = vec![declared("git__find")];
    request
}

fn body(request: &ModelRequest, kind: &str) -> String {
    String::from_utf8(body_bytes(request, kind, &Quirks::default())).unwrap()
}

/// A body without the marks of a string of JSON within JSON.
fn plain(body: &str) -> String {
    body.replace('\\', "")
}

#[test]
fn w03_every_wire_format_writes_calls_of_deferred_tools_as_calls_of_call_tool() {
    for kind in KINDS {
        let body = plain(&body(&request(), kind));
        assert!(!body.contains("schema of git__find"), "{kind}: {body}");
        let wrapped = r#"{"name":"git__find","arguments":{"q":1}}"#;
        assert!(body.contains(wrapped), "{kind}: {body}");
        assert!(body.contains(r#"{"name":"git__find","arguments":{}}"#), "{kind}: {body}");
        assert!(body.contains("git__find did"), "{kind}: {body}");
    }
}

#[test]
fn w03_calls_stay_valid_when_their_tools_are_declared_or_gone_later() {
    let mut request = request();
    request.prompt.deferred.clear();
    for tools in [vec![declared("git__find")], vec![declared("look")]] {
        request.prompt.tools = tools;
        for kind in KINDS {
            let body = body(&request, kind);
            assert!(!body.contains(CALL_TOOL), "{kind}: {body}");
            let names = body.matches(r#""name":"git__find""#).count();
            assert!(names >= 2, "{kind}: {body}");
        }
    }
}

#[test]
fn w03_anthropic_itself_gets_deferred_tools_and_references_to_them() {
    let own = |request: &ModelRequest, quirks: &[Quirk]| -> Value {
        let quirks = quirks.iter().copied().collect();
        serde_json::from_slice(&own_body_bytes(request, "anthropic", &quirks)).unwrap()
    };
    let body = own(&request(), &[]);
    let schema = |name: &str| declared(name).parameters;
    assert_eq!(
        body["tools"],
        json!([
            {
                "name": DESCRIBE_TOOL, "description": "Does describe_tool.",
                "input_schema": schema(DESCRIBE_TOOL),
            },
            {
                "name": "git__find", "description": "Does git__find.",
                "input_schema": schema("git__find"), "defer_loading": true
            },
        ])
    );
    assert_eq!(
        body["messages"][2]["content"][0]["content"],
        json!([{ "type": "tool_reference", "tool_name": "git__find" }])
    );
    assert_eq!(body["messages"][3]["content"][0]["name"], "git__find");
    assert_eq!(body["messages"][3]["content"][0]["input"], json!({ "q": 1 }));
    let through_call_tool = own(&request(), &[Quirk::NoDeferredTools]);
    assert_eq!(through_call_tool["messages"][3]["content"][0]["name"], CALL_TOOL);
    let older = ModelRequest { model: "claude-3-7-sonnet-20250219".to_owned(), ..request() };
    assert_eq!(own(&older, &[])["messages"], through_call_tool["messages"]);
}
