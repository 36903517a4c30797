//! Turns that begin while servers do.

use serde_json::{Value, json};
use skein_tools::mcp::McpState;

use crate::scenario::{Say, under};

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_waits_a_little_for_a_server_that_is_being_started() {
    let declared = |settings: &mut Value| settings["tools"] = json!({ "loading": "declared" });
    let given = under("summarize").await.configured(declared).await;
    let server = env!("CARGO_BIN_EXE_mcp-test-server");
    let late = json!({ "command": server, "args": ["odd", "--delay-ms", "1000"] });
    given.app.mcp.add(json!({ "late": late }).to_string()).await.unwrap();
    let state = given.app.mcp.list().await.unwrap().remove(0).state;
    let McpState::NeedsConsent { command, .. } = state else { panic!("never asked") };
    given.app.mcp.allow(command).await.unwrap();
    given.model.says([Say::words("Yes.")]);
    given.send("Is it there?").await.unwrap();
    let asked = given.model.asked().pop().unwrap();
    let tools = asked["tools"].as_array().unwrap().iter();
    let mut names = tools.map(|tool| tool["function"]["name"].as_str().unwrap());
    assert!(names.any(|name| name == "late__echo"), "{asked}");
}
