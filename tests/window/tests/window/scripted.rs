//! A model with scripted replies, reached over HTTP.

use std::time::Duration;

use scripted_server::{Act, Asked, MeteredPrompt, Reply, Server, TokenMeter};
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
    start(play, |_| json!({ "prompt_tokens": REPORTED, "completion_tokens": 12 }))
}

/// Starts a model that counts tokens by a tokeniser of its own, has a cache of prompts, and reports both.
pub fn metered_model(play: impl Fn(&str, usize) -> Play + Send + Sync + 'static) -> Server {
    let meter = TokenMeter::default();
    start(play, move |body| {
        let MeteredPrompt { prompt, cached } = meter.count(body);
        json!({
            "prompt_tokens": prompt, "completion_tokens": 12,
            "prompt_tokens_details": { "cached_tokens": cached },
        })
    })
}

fn start(
    play: impl Fn(&str, usize) -> Play + Send + Sync + 'static,
    usage_of: impl Fn(&Value) -> Value + Send + Sync + 'static,
) -> Server {
    Server::start(move |asked, number| {
        if asked.method != "POST" {
            return Reply::json(200, r#"{"data":[]}"#);
        }
        let body = body(asked);
        let usage = &usage_of(&body);
        // A request for a title has no tools.
        if body["tools"].is_null() {
            return spoken(&delta(json!({ "content": "Wool" })), "stop", usage);
        }
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let last = messages.iter().rposition(|message| message["role"] == "user").unwrap_or(0);
        let since = messages.iter().skip(last + 1).filter(|it| it["role"] == "assistant").count();
        match play(&words(&messages[last]["content"]), since) {
            Play::Say(text) => spoken(&delta(json!({ "content": text })), "stop", usage),
            Play::Slowly(words, pause) => {
                let begun = words.into_iter().fold(Reply::events(""), |reply, word| {
                    let event = format!("data: {}\n\n", delta(json!({ "content": word })));
                    reply.then(Act::Pause(pause)).then(Act::Send(event.into_bytes()))
                });
                begun.then(Act::Send(ending("stop", usage).into_bytes()))
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
                spoken(&delta(json!({ "tool_calls": calls })), "tool_calls", usage)
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
    add(&mut settings, more);
    Setup::new().settings(&settings)
}

/// Settings in which its tokens have prices of the user's own, together with further settings: 2.50 dollars
/// per million of the prompt, a tenth of that from the cache, and 10 dollars of the answer.
pub fn priced_settings(server: &Server, language: &str, theme: &str, more: &Value) -> Setup {
    let prices = json!({ "currency": "USD", "input": "2.5", "output": "10", "cacheRead": "0.25" });
    let mut priced = json!({
        "appearance": { "language": language, "theme": theme },
        "providers": [{
            "id": "scripted", "kind": "custom", "name": "Scripted",
            "baseUrl": format!("{}/v1", server.url()),
            "models": [{ "id": "weaver", "window": 128_000, "maxOutput": 4_000, "prices": prices }],
        }],
    });
    add(&mut priced, more);
    settings(server, &priced)
}

fn add(settings: &mut Value, more: &Value) {
    if let (Some(all), Some(more)) = (settings.as_object_mut(), more.as_object()) {
        all.extend(more.clone());
    }
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

fn spoken(delta: &Value, reason: &str, usage: &Value) -> Reply {
    Reply::events(format!("data: {delta}\n\n{}", ending(reason, usage)))
}

/// The end of a stream after the text of a reply.
fn ending(reason: &str, usage: &Value) -> String {
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] });
    let usage = json!({ "choices": [], "usage": usage });
    format!("data: {end}\n\ndata: {usage}\n\ndata: [DONE]\n\n")
}
