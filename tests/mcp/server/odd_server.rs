//! Does on request what servers have been seen to do.
//!
//! It never answers a call that was cancelled and goes on reporting progress. It announces a changed list
//! several times between a request and its answer. It writes what is not JSON, and leaves a child behind.
//!
//! - `--fussy`: lists fail. That of the resources always does, that of the prompts after the first time.
//! - `--chatty`: it repeats its arguments and its environment wherever it can.
//! - `--rude`: it refuses the handshake with them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::TestServer;
use crate::odd_tools::{self, TOOLS};
use crate::options::has;
use crate::output::{announce_tools, answer, refuse, text};

pub struct OddServer {
    is_fussy: bool,
    is_chatty: bool,
    is_rude: bool,
    /// The arguments and the environment.
    started_with: String,
    has_listed_prompts: bool,
    /// True once `grow` has added a tool.
    has_grown: bool,
    /// True once `sulk` was called: from then on the list of tools fails.
    sulks: bool,
}

impl OddServer {
    pub fn start(args: &[String]) -> Self {
        let server = Self {
            is_fussy: has(args, "--fussy"),
            is_chatty: has(args, "--chatty"),
            is_rude: has(args, "--rude"),
            started_with: json!({ "argv": args, "environ": environment() }).to_string(),
            has_listed_prompts: false,
            has_grown: false,
            sulks: false,
        };
        eprintln!("the odd server begins");
        if server.is_chatty {
            eprintln!("{}", server.started_with);
        }
        server
    }

    fn greet(&self, request: &Value) {
        if self.is_rude {
            return refuse(request, -32_602, &format!("never with {}", self.started_with));
        }
        let mut capabilities = json!({ "tools": { "listChanged": true } });
        if self.is_fussy {
            capabilities["prompts"] = json!({});
            capabilities["resources"] = json!({});
        }
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": capabilities,
            "serverInfo": { "name": "odd", "version": "1" },
            "instructions": format!("Call echo before anything else. {}", "x".repeat(5_000)),
        });
        answer(request, hello);
        announce_tools(4);
    }

    fn tools(&self) -> Vec<Value> {
        let grown = self.has_grown.then_some("grown");
        let plain = TOOLS.iter().copied().chain(grown).map(|name| {
            let schema = json!({ "type": "object", "properties": {} });
            json!({ "name": name, "description": format!("does {name}"), "inputSchema": schema })
        });
        let field = json!({ "type": "string", "description": "d".repeat(90) });
        let fields: BTreeMap<String, &Value> =
            (0..800).map(|n| (format!("p{n}"), &field)).collect();
        let schema = json!({ "type": "object", "properties": fields });
        plain.chain([json!({ "name": "wide", "inputSchema": schema })]).collect()
    }

    fn call(&mut self, request: &Value) {
        match request["params"]["name"].as_str().unwrap() {
            "grow" => {
                self.has_grown = true;
                announce_tools(5);
                answer(request, text("grew"));
            }
            "sulk" => {
                self.sulks = true;
                announce_tools(1);
                answer(request, text("sulks"));
            }
            "refuse" => {
                let repeated = if self.is_chatty { &self.started_with } else { "" };
                refuse(request, -32_602, &format!("refused by the server{repeated}"));
            }
            name => odd_tools::call(name, request),
        }
    }
}

impl TestServer for OddServer {
    fn receive(&mut self, message: &Value) {
        match message["method"].as_str().unwrap_or_default() {
            "initialize" => self.greet(message),
            "prompts/list" if !self.has_listed_prompts => {
                self.has_listed_prompts = true;
                answer(message, json!({ "prompts": [{ "name": "greet" }] }));
            }
            "tools/list" if !self.sulks => answer(message, json!({ "tools": self.tools() })),
            list @ ("prompts/list" | "resources/list" | "tools/list") => {
                refuse(message, -32_603, &format!("no {list} today"));
            }
            "tools/call" => self.call(message),
            "notifications/cancelled" => eprintln!("was told to cancel"),
            "ping" => answer(message, json!({})),
            _ => {}
        }
    }
}

/// The variables of this process whose names and values are text.
pub fn environment() -> BTreeMap<String, String> {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    std::env::vars_os().filter_map(text).collect()
}
