//! Calls to a faulty server over HTTP, with faults seen in real servers: a failed call does not end
//! the others, and none runs twice.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod tools_support;

use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use scripted_server::{Act, Asked, Reply, Server};
use serde_json::{Value, json};
use skein_tools::mcp::hub::Hub;

use tools_support::mcp::{http, hub, ready, until};
use tools_support::{call, done, failed, named};

/// A call as the server received it.
struct Called<'a> {
    id: &'a Value,
    /// The token for its progress.
    token: &'a Value,
    /// The number of its session, from 1.
    session: u32,
}

impl Called<'_> {
    fn answers(&self, text: &str) -> Reply {
        let result = json!({ "content": [{ "type": "text", "text": text }] });
        answer(self.id, "result", result)
    }

    fn fails(&self, code: i32, message: &str) -> Reply {
        answer(self.id, "error", json!({ "code": code, "message": message }))
    }
}

fn answer(id: &Value, kind: &str, of: Value) -> Reply {
    Reply::json(200, json!({ "jsonrpc": "2.0", "id": id, kind: of }).to_string())
}

/// A server with the tools `long`, which waits for the test, `short`, and `odd`, which the test
/// defines. Each handshake begins another session.
struct Played {
    server: Server,
    let_end: Sender<()>,
}

fn played(odd: impl Fn(&Called) -> Reply + Send + Sync + 'static) -> Played {
    let (let_end, may_end) = channel();
    let may_end = Mutex::new(may_end);
    let sessions = Mutex::new(0);
    let server = Server::start(move |asked, _| {
        if asked.method != "POST" {
            return Reply::json(405, "{}");
        }
        let request: Value = serde_json::from_str(&asked.body).unwrap();
        let id = &request["id"];
        match request["method"].as_str().unwrap() {
            "initialize" => {
                let mut sessions = sessions.lock().unwrap();
                *sessions += 1;
                let hello = json!({
                    "protocolVersion": "2025-06-18",
                    "capabilities": { "tools": {} },
                    "serverInfo": { "name": "web", "version": "1" },
                });
                answer(id, "result", hello).with_header("Mcp-Session-Id", &sessions.to_string())
            }
            "tools/list" => {
                let tool = |name| json!({ "name": name, "inputSchema": { "type": "object" } });
                let tools = ["long", "odd", "short"].map(tool);
                answer(id, "result", json!({ "tools": tools }))
            }
            "tools/call" => {
                let params = &request["params"];
                let session = asked.header("mcp-session-id").unwrap().parse().unwrap();
                let called = Called { id, token: &params["_meta"]["progressToken"], session };
                match params["name"].as_str().unwrap() {
                    "odd" => odd(&called),
                    "long" => {
                        may_end.lock().unwrap().recv().unwrap();
                        called.answers("long")
                    }
                    name => called.answers(name),
                }
            }
            "ping" => answer(id, "result", json!({})),
            _ => Reply::json(202, ""),
        }
    });
    Played { server, let_end }
}

impl Played {
    fn asked(&self, what: &str) -> usize {
        let is = |asked: &&Asked| asked.body.contains(&format!("\"{what}\""));
        self.server.asked().iter().filter(is).count()
    }

    /// A hub with one connection.
    async fn hub(&self) -> Hub {
        let hub = hub(vec![http("web", &self.server.url())]);
        ready(&hub).await;
        hub
    }
}

async fn calls(hub: &Hub, tool: &str) -> skein_tools::ToolOutcome {
    call(&named(&hub.tools(), &format!("web__{tool}")), json!({})).await
}

#[tokio::test]
async fn a_call_whose_error_speaks_of_another_session_is_not_repeated() {
    for (code, words) in [
        (-32_000, "Login session expired after sending"),
        (-32_000, "Browser session crashed"),
        (-32_603, "Session not found"),
    ] {
        let played = played(move |called| called.fails(code, words));
        let hub = played.hub().await;
        assert_eq!(failed(calls(&hub, "odd").await), words);
        // It responds to the ping.
        until(&hub, "asked", |_| played.asked("ping") == 1).await;
        assert_eq!(done(calls(&hub, "short").await), "short");
        assert_eq!((played.asked("odd"), played.asked("initialize")), (1, 1), "{words}");
        hub.stop().await;
    }
}

#[tokio::test]
async fn a_session_that_is_not_known_is_begun_anew_and_its_calls_are_repeated() {
    let refusals: [fn(&Called) -> Reply; 4] = [
        |called| called.fails(-32_001, "Session not found"),
        |called| called.fails(-32_000, "Bad Request: No valid session ID provided"),
        |_| Reply::new(400, "text/plain", "Invalid session ID"),
        |_| Reply::new(404, "text/plain", "no such session"),
    ];
    for refusal in refusals {
        let played = played(move |called| match called.session {
            1 => refusal(called),
            _ => called.answers("done"),
        });
        let hub = played.hub().await;
        // The call that learns of it last does not end the session that the first one opened.
        let all = tokio::join!(calls(&hub, "odd"), calls(&hub, "odd"), calls(&hub, "odd"));
        assert_eq!([all.0, all.1, all.2].map(done), ["done", "done", "done"]);
        assert_eq!(played.asked("initialize"), 2);
        hub.stop().await;
    }
}

#[tokio::test]
async fn a_call_that_has_told_of_its_progress_is_not_repeated() {
    let played = played(|called| {
        let event = |message: Value| format!("data: {message}\n\n").into_bytes();
        let progress = json!({
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": { "progressToken": called.token, "progress": 1, "total": 2 },
        });
        let error = json!({ "code": -32_001, "message": "Session not found" });
        Reply::events(event(progress))
            .then(Act::Pause(Duration::from_millis(300)))
            .then(Act::Send(event(json!({ "jsonrpc": "2.0", "id": called.id, "error": error }))))
    });
    let hub = played.hub().await;
    assert_eq!(failed(calls(&hub, "odd").await), "Session not found");
    until(&hub, "greeted again", |_| played.asked("initialize") == 2).await;
    assert_eq!(played.asked("odd"), 1);
    hub.stop().await;
}

#[tokio::test]
async fn an_answer_cut_within_an_emoji_arrives_and_one_that_is_broken_ends_its_call() {
    let body = |called: &Called, end: &str| {
        let content = r#"[{"type":"text","text":"cut \ud83d"}]"#;
        let id = called.id;
        format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":{content}{end}}}"#)
    };
    let event = |body: String| Reply::events(format!("data: {body}\n\n"));
    let json = |body: String| Reply::json(200, body);
    for reply in [event as fn(String) -> Reply, json] {
        let half = played(move |called| reply(body(called, "}")));
        let hub = half.hub().await;
        assert_eq!(done(calls(&hub, "odd").await), "cut \u{fffd}");
        hub.stop().await;

        let broken = played(move |called| reply(body(called, ",,}")));
        let hub = broken.hub().await;
        let reason = failed(calls(&hub, "odd").await);
        assert!(reason.starts_with("The server's answer cannot be read: "), "{reason}");
        assert_eq!(done(calls(&hub, "short").await), "short");
        hub.stop().await;
    }
}

#[tokio::test]
async fn a_call_that_fails_leaves_the_others_and_the_connection_alone() {
    let failures: [fn() -> Reply; 6] = [
        || Reply::new(429, "text/plain", "slow down").with_header("Retry-After", "1"),
        || Reply::new(500, "text/plain", "oh"),
        || Reply::new(502, "text/html", "<p>oh</p>"),
        || Reply::new(413, "text/plain", "too much"),
        || Reply::new(200, "text/html", "<p>welcome</p>"),
        Reply::nothing,
    ];
    for failure in failures {
        let played = played(move |_| failure());
        let hub = played.hub().await;
        let others = async {
            until(&hub, "begun", |_| played.asked("long") == 1).await;
            failed(calls(&hub, "odd").await);
            assert_eq!(done(calls(&hub, "short").await), "short");
            played.let_end.send(()).unwrap();
        };
        let (long, ()) = tokio::join!(calls(&hub, "long"), others);
        assert_eq!(done(long), "long");
        assert_eq!((played.asked("odd"), played.asked("initialize")), (1, 1));
        hub.stop().await;
    }
}

/// A server with these pages of a list, each with the cursor of the next.
fn listing(pages: Vec<(Value, Option<&'static str>)>) -> Server {
    let pages = Mutex::new(pages.into_iter());
    Server::start(move |asked, _| {
        if asked.method != "POST" {
            return Reply::json(405, "{}");
        }
        let request: Value = serde_json::from_str(&asked.body).unwrap();
        let id = &request["id"];
        match request["method"].as_str().unwrap() {
            "initialize" => {
                let hello = json!({
                    "protocolVersion": "2025-06-18",
                    "capabilities": { "tools": {} },
                    "serverInfo": { "name": "web", "version": "1" },
                });
                answer(id, "result", hello)
            }
            "tools/list" => {
                let (tools, next) =
                    pages.lock().unwrap().next().expect("no further page is turned");
                let mut listed = json!({ "tools": tools });
                next.into_iter().for_each(|next| listed["nextCursor"] = json!(next));
                answer(id, "result", listed)
            }
            _ => Reply::json(202, ""),
        }
    })
}

fn described(name: &str) -> Value {
    json!([{ "name": name, "inputSchema": { "type": "object" } }])
}

#[tokio::test]
async fn a_page_that_names_one_that_was_turned_is_the_last() {
    for (pages, listed) in [
        (vec![("b", Some("2")), ("a", Some("2"))], &["web__a", "web__b"][..]),
        (vec![("a", Some("")), ("a", Some(""))], &["web__a"]),
        (vec![("a", Some("")), ("b", None)], &["web__a", "web__b"]),
    ] {
        let pages = pages.into_iter().map(|(name, next)| (described(name), next)).collect();
        let server = listing(pages);
        let hub = hub(vec![http("web", &server.url())]);
        let status = ready(&hub).await;
        let tools: Vec<&str> = status.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(tools, listed);
        hub.stop().await;
    }
}

#[tokio::test]
async fn a_tool_is_declared_as_every_provider_takes_it() {
    let schema =
        json!({ "oneOf": [{ "required": ["a"] }], "properties": { "a": { "type": "array" } } });
    let tools = json!([{ "name": "odd", "description": "Is odd.", "inputSchema": schema }]);
    let server = listing(vec![(tools, None)]);
    let hub = hub(vec![http("web", &server.url())]);
    ready(&hub).await;
    let declared = named(&hub.tools(), "web__odd").declaration();
    let fields = json!({ "a": { "type": "array", "items": {} } });
    assert_eq!(
        declared.parameters,
        json!({ "type": "object", "properties": fields, "required": ["a"] })
    );
    assert_eq!(
        declared.description,
        "Is odd.\n\nThis holds for the arguments, too: {\"oneOf\":[{\"required\":[\"a\"]}]}"
    );
    hub.stop().await;
}
