//! A request in the spelling of OpenAI chat completions.

use serde_json::{Map, Value, json};
use skein_context::message::{ContentPart, ToolCall};
use skein_context::window::ToolDeclaration;

use crate::providers::Request;
use crate::providers::call::Dodges;
use crate::providers::pictures::data_url;
use crate::providers::registry::{MaxTokens, Row};
use crate::providers::steps::{
    Kind, Step, arguments, in_progress, plain, result, said_text, steps, thought_text,
};

/// The body of a request.
pub(in crate::providers) fn body(request: &Request, row: &Row, dodges: Dodges) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    body.insert("messages".to_owned(), Value::Array(messages(request, row)));
    if !request.prompt.tools.is_empty() {
        body.insert("tools".to_owned(), request.prompt.tools.iter().map(tool).collect());
    }
    if let Some(tokens) = request.max_output {
        let classic = (row.max_tokens == MaxTokens::Classic) != dodges.other_max_tokens;
        let name = if classic { "max_tokens" } else { "max_completion_tokens" };
        body.insert(name.to_owned(), json!(tokens));
    }
    body.insert("stream".to_owned(), json!(true));
    if row.ask_usage && !dodges.no_stream_options {
        body.insert("stream_options".to_owned(), json!({ "include_usage": true }));
    }
    if row.stores && !dodges.no_store {
        body.insert("store".to_owned(), json!(false));
    }
    Value::Object(body)
}

fn messages(request: &Request, row: &Row) -> Vec<Value> {
    let mut messages = Vec::new();
    if !request.prompt.system.is_empty() {
        messages.push(json!({ "role": "system", "content": request.prompt.system }));
    }
    let steps = steps(&request.prompt);
    for (at, step) in steps.iter().enumerate() {
        let thinks = row.reasoning_back && in_progress(&steps, at);
        messages.extend(spelled(step, request, thinks));
    }
    messages
}

fn spelled(step: &Step<'_>, request: &Request, thinks: bool) -> Vec<Value> {
    match &step.kind {
        Kind::User(parts) if parts.is_empty() => Vec::new(),
        Kind::User(parts) => vec![Value::Object(message("user", content(parts, request)))],
        Kind::Assistant { said, calls } => vec![assistant(said, calls, thinks)],
        Kind::Results(calls) => calls
            .iter()
            .map(|call| {
                json!({ "role": "tool", "tool_call_id": call.call_id, "content": result(call) })
            })
            .collect(),
    }
}

/// A plain string wherever there are no pictures: some servers know nothing else.
fn content(parts: &[&ContentPart], request: &Request) -> Value {
    let pictured = parts.iter().any(|part| data_url(part, request).is_some());
    if !pictured {
        let texts: Vec<_> = parts.iter().map(|part| plain(part)).collect();
        return Value::String(texts.join("\n\n"));
    }
    let spelled = |part: &&ContentPart| match data_url(part, request) {
        Some(url) => json!({ "type": "image_url", "image_url": { "url": url } }),
        None => json!({ "type": "text", "text": plain(part) }),
    };
    parts.iter().map(spelled).collect()
}

/// `content` is taken, not copied: of a long conversation it is megabytes.
fn message(role: &str, content: Value) -> Map<String, Value> {
    let mut message = Map::new();
    message.insert("role".to_owned(), Value::String(role.to_owned()));
    message.insert("content".to_owned(), content);
    message
}

fn assistant(said: &[&ContentPart], calls: &[&ToolCall], thinks: bool) -> Value {
    let text = said_text(said);
    let silent = text.is_empty() && !calls.is_empty();
    let content = if silent { Value::Null } else { Value::String(text) };
    let mut message = message("assistant", content);
    let reasoning = thought_text(said);
    if thinks && !reasoning.is_empty() {
        message.insert("reasoning_content".to_owned(), json!(reasoning));
    }
    if !calls.is_empty() {
        message
            .insert("tool_calls".to_owned(), calls.iter().map(|call| spelled_call(call)).collect());
    }
    Value::Object(message)
}

fn spelled_call(call: &ToolCall) -> Value {
    json!({
        "id": call.call_id,
        "type": "function",
        "function": { "name": call.name, "arguments": arguments(call).to_string() },
    })
}

fn tool(tool: &ToolDeclaration) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        },
    })
}
