//! A streamable-HTTP server in the process of the test. It answers calls with events.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use scripted_server::{Act, Asked, Reply, Server};
use serde_json::{Value, json};
use skein_tools::mcp::McpServerConfig;

use crate::tools_support::mcp::http;

/// The server. It knows only the newest session.
pub struct ScriptedMcp {
    server: Server,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// True after a crash: every connection is closed without a reply.
    is_down: AtomicBool,
    /// The number of the newest session, from 1.
    session: AtomicU32,
    has_grown: AtomicBool,
}

impl ScriptedMcp {
    pub fn start() -> Self {
        let state = Arc::<State>::default();
        let own = Arc::clone(&state);
        Self { server: Server::start(move |asked, _| own.reply(asked)), state }
    }

    pub fn config(&self) -> McpServerConfig {
        http("web", &self.server.url())
    }

    /// Makes it forget its session, and reply again after a crash.
    pub fn restart(&self) {
        self.state.session.fetch_add(1, Ordering::SeqCst);
        self.state.is_down.store(false, Ordering::SeqCst);
    }
}

impl State {
    fn reply(&self, asked: &Asked) -> Reply {
        if self.is_down.load(Ordering::SeqCst) {
            return Reply::nothing();
        }
        if asked.method != "POST" {
            return Reply::json(405, "{}");
        }
        let request: Value = serde_json::from_str(&asked.body).unwrap();
        let id = &request["id"];
        if request["method"] == "initialize" {
            let session = self.session.fetch_add(1, Ordering::SeqCst) + 1;
            let hello = json!({
                "protocolVersion": "2025-06-18",
                "capabilities": { "tools": { "listChanged": true } },
                "serverInfo": { "name": "web", "version": "1" },
            });
            return events([result(id, hello)]).with_header("Mcp-Session-Id", &session.to_string());
        }
        let session = self.session.load(Ordering::SeqCst).to_string();
        if asked.header("mcp-session-id") != Some(&session) {
            return Reply::json(404, "{}");
        }
        match request["method"].as_str().unwrap() {
            "tools/list" => events([result(id, json!({ "tools": self.tools() }))]),
            "tools/call" => self.call(id, &request["params"]),
            "ping" => events([result(id, json!({}))]),
            _ => Reply::json(202, ""),
        }
    }

    fn tools(&self) -> Vec<Value> {
        let grown = self.has_grown.load(Ordering::SeqCst).then_some("grown");
        let names = ["echo", "big", "crash", "slow", "grow"].into_iter().chain(grown);
        let schema = json!({ "type": "object" });
        let plain = names.map(|name| json!({ "name": name, "inputSchema": schema }));
        let words = "w".repeat(100_000);
        let wide = json!({ "name": "wide", "description": words, "inputSchema": schema });
        plain.chain([wide]).collect()
    }

    fn call(&self, id: &Value, params: &Value) -> Reply {
        let arguments = &params["arguments"];
        let text =
            |words: &str| result(id, json!({ "content": [{ "type": "text", "text": words }] }));
        match params["name"].as_str().unwrap() {
            "echo" => events([text(&format!("echo: {}", arguments["text"].as_str().unwrap()))]),
            "big" => {
                let characters = arguments["characters"].as_u64().unwrap();
                events([text(&"x".repeat(characters as usize))])
            }
            "crash" => {
                self.is_down.store(true, Ordering::SeqCst);
                Reply::nothing()
            }
            "slow" => {
                let token = &params["_meta"]["progressToken"];
                let step = json!({ "progressToken": token, "progress": 1, "total": 600 });
                events([notification("progress", step)]).then(Act::Hold)
            }
            "grow" => {
                self.has_grown.store(true, Ordering::SeqCst);
                events([notification("tools/list_changed", json!({})), text("grew")])
            }
            other => panic!("no tool {other}"),
        }
    }
}

fn events<const N: usize>(messages: [Value; N]) -> Reply {
    Reply::events(messages.map(|message| format!("data: {message}\n\n")).concat())
}

fn result(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn notification(name: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": format!("notifications/{name}"), "params": params })
}
