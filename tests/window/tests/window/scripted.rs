//! A model with scripted replies, reached over HTTP.

use std::time::Duration;

use scripted_server::{Act, Asked, Reply, Server};
use serde_json::{Value, json};
use skein_window::Setup;

/// The prompt tokens that every reply reports.
pub const REPORTED: u32 = 4_321;

/// The model's next action.
pub enum Play {
    /// A reply.
    Say(&'static str),
    /// A reply word by word, with a pause before each.
    Slowly(Vec<&'static str>, Duration),
    /// Tool calls, all in one reply.
    Call(Vec<(&'static str, Value)>),
}

/// Starts a model. `play` gets the user's last message and the number of replies since then.
pub fn model(play: impl Fn(&str, usize) -> Play + Send + Sync + 'static) -> Server {
    Server::start(move |asked, number| {
        if asked.method != "POST" {
            return Reply::json(200, r#"{"data":[]}"#);
        }
        let body = body(asked);
        // A request for a title has no tools.
        if body["tools"].is_null() {
            return spoken(&delta(json!({ "content": "Wool" })), "stop");
        }
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let last = messages.iter().rposition(|message| message["role"] == "user").unwrap_or(0);
        let since = messages.iter().skip(last + 1).filter(|it| it["role"] == "assistant").count();
        match play(&words(&messages[last]["content"]), since) {
            Play::Say(text) => spoken(&delta(json!({ "content": text })), "stop"),
            Play::Slowly(words, pause) => {
                let begun = words.into_iter().fold(Reply::events(""), |reply, word| {
                    let event = format!("data: {}\n\n", delta(json!({ "content": word })));
                    reply.then(Act::Pause(pause)).then(Act::Send(event.into_bytes()))
                });
                begun.then(Act::Send(ending("stop").into_bytes()))
            }
            Play::Call(calls) => {
                let calls: Vec<Value> = calls
                    .into_iter()
                    .enumerate()
                    .map(|(index, (name, args))| {
                        json!({
                            "index": index, "id": format!("call-{number}-{index}"),
                            "type": "function",
                            "function": { "name": name, "arguments": args.to_string() },
                        })
                    })
                    .collect();
                spoken(&delta(json!({ "tool_calls": calls })), "tool_calls")
            }
        }
    })
}

/// Settings that make it the model of new sessions, together with further settings.
pub fn settings(server: &Server, more: &Value) -> Setup {
    let mut settings = json!({
        "providers": [{
            "id": "scripted", "kind": "custom", "name": "Scripted",
            "baseUrl": format!("{}/v1", server.url()),
            "models": [{ "id": "weaver", "window": 128_000 }],
        }],
        "defaultModel": { "provider": "scripted", "model": "weaver" },
    });
    if let (Some(all), Some(more)) = (settings.as_object_mut(), more.as_object()) {
        all.extend(more.clone());
    }
    Setup::new().settings(&settings)
}

/// The bodies of the requests with tools, in order: the turns, without titles.
pub fn requests(server: &Server) -> Vec<Value> {
    let bodies = server.asked().iter().map(body).collect::<Vec<_>>();
    bodies.into_iter().filter(|body| !body["tools"].is_null()).collect()
}

fn body(asked: &Asked) -> Value {
    serde_json::from_str(&asked.body).unwrap_or_default()
}

fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn delta(delta: Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta }] })
}

fn spoken(delta: &Value, reason: &str) -> Reply {
    Reply::events(format!("data: {delta}\n\n{}", ending(reason)))
}

/// The end of a stream after the text of a reply.
fn ending(reason: &str) -> String {
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] });
    let usage = json!({
        "choices": [],
        "usage": { "prompt_tokens": REPORTED, "completion_tokens": 12, "total_tokens": 4_333 },
    });
    format!("data: {end}\n\ndata: {usage}\n\ndata: [DONE]\n\n")
}
