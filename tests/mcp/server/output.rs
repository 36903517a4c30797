//! Messages to the client. Each is one line, and threads write whole lines.

use std::io::Write;

use serde_json::{Value, json};

/// Writes a message, with the version of JSON-RPC added. A client that is gone reads nothing.
pub fn send(mut message: Value) {
    message["jsonrpc"] = json!("2.0");
    write_raw(&format!("{message}\n"));
}

/// Writes bytes that need not be a message.
pub fn write_raw(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

pub fn answer(request: &Value, result: Value) {
    send(json!({ "id": request["id"], "result": result }));
}

pub fn refuse(request: &Value, code: i32, message: &str) {
    send(json!({ "id": request["id"], "error": { "code": code, "message": message } }));
}

/// The result of a tool that says these words.
pub fn text(words: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": words }] })
}

pub fn announce_tools(times: usize) {
    for _ in 0..times {
        send(json!({ "method": "notifications/tools/list_changed" }));
    }
}
