//! Sixty tools, each with a long description. Each repeats the words that it is given.

use serde_json::{Value, json};

use crate::TestServer;
use crate::output::{answer, text};

pub struct ManyServer;

impl TestServer for ManyServer {
    fn receive(&mut self, message: &Value) {
        if message.get("id").is_none() {
            return;
        }
        let params = &message["params"];
        let result = match message["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": params["protocolVersion"],
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "many", "version": "1" },
            }),
            Some("tools/list") => json!({ "tools": (1..=60).map(tool).collect::<Vec<_>>() }),
            Some("tools/call") => {
                let [name, words] = [&params["name"], &params["arguments"]["words"]];
                text(&format!("{} wove {}", name.as_str().unwrap(), words.as_str().unwrap()))
            }
            _ => json!({}),
        };
        answer(message, result);
    }
}

fn tool(number: u32) -> Value {
    let pattern = "It knows every weave of the archive by its number, its colour and its year. ";
    json!({
        "name": format!("weave_{number}"),
        "description": format!("Weaves pattern {number}. {}", pattern.repeat(20)),
        "inputSchema": {
            "type": "object",
            "properties": {
                "words": { "type": "string", "description": "The words to weave in." },
                "times": { "type": "integer", "description": "How often." },
            },
            "required": ["words"],
        },
    })
}
