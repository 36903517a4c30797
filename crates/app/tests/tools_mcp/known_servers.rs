//! Servers from their registries.

use std::collections::BTreeMap;

use serde_json::json;
use skein_domain::tool_declaration::ToolFamily;
use skein_tools::ToolInvocation;
use skein_tools::mcp::{McpResourceContent, McpState, McpTransport};
use tokio_util::sync::CancellationToken;

use crate::test_servers::place;
use crate::tools_support::mcp::{hub, names, ready, said, stdio, until_all};
use crate::tools_support::{call, failed, named};

#[cfg_attr(windows, ignore = "Wine has no Node")]
#[tokio::test]
async fn the_everything_server_lists_calls_cancels_and_gives_prompts_and_resources() {
    let command = place("node_modules/.bin/mcp-server-everything");
    let hub = hub(vec![stdio("everything", &command, &["stdio"])]);
    let status = ready(&hub).await;
    assert!(names(&status).contains(&"everything__echo"), "{:?}", names(&status));
    let tools = hub.tools();
    assert!(tools.iter().all(|tool| tool.declaration().family == ToolFamily::Mcp));
    assert!(said(&hub, "everything__echo", json!({ "message": "你好" })).await.contains("你好"));
    // Wrong arguments and an unknown tool are its own results, whichever way it says so.
    failed(call(&named(&tools, "everything__echo"), json!({})).await);
    failed(call(&named(&tools, "everything__echo"), json!([1])).await);

    let long = tools.iter().find(|tool| tool.declaration().name.contains("long")).unwrap();
    let cancel = CancellationToken::new();
    let (progress, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let args = json!({ "duration": 60, "steps": 240 });
    let running = long.run(ToolInvocation { args, cancel: cancel.clone(), progress });
    let stop = async {
        heard.recv().await.expect("progress is told");
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(running, stop);
    assert_eq!(failed(outcome), "Cancelled.");

    let prompt = status.prompts.iter().find(|prompt| prompt.arguments.is_empty()).unwrap();
    let text = hub.prompt("everything", &prompt.name, BTreeMap::new()).await.unwrap();
    assert!(!text.is_empty());
    let resource = &status.resources[0];
    let read = hub.resource("everything", &resource.uri).await.unwrap();
    assert!(matches!(
        &read[0].content,
        McpResourceContent::Text { .. } | McpResourceContent::Bytes { .. }
    ));
    assert!(hub.resource("everything", "demo://no/such/thing").await.is_err());
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "Wine has no Node")]
#[tokio::test]
async fn the_filesystem_and_memory_servers_work_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().display().to_string();
    std::fs::write(folder.path().join("note.txt"), "a note\n".repeat(1_000)).unwrap();
    let mut memory = stdio("memory", &place("node_modules/.bin/mcp-server-memory"), &[]);
    if let McpTransport::Stdio { env, .. } = &mut memory.transport {
        env.insert("MEMORY_FILE_PATH".into(), format!("{root}/memory.jsonl"));
    }
    let files = stdio("files", &place("node_modules/.bin/mcp-server-filesystem"), &[&root]);
    let hub = hub(vec![files, memory]);
    ready(&hub).await;
    until_all(&hub, "both ready", |all| all[1].state == McpState::Ready {}).await;
    let path = format!("{root}/note.txt");
    // This server says everything twice: as text and as structured content.
    let text = said(&hub, "files__read_text_file", json!({ "path": path })).await;
    assert_eq!(text.matches("a note").count(), 1_000);
    failed(
        call(&named(&hub.tools(), "files__read_text_file"), json!({ "path": "/etc/passwd" })).await,
    );
    let entity = json!({ "name": "Skein", "entityType": "program", "observations": ["remembers"] });
    said(&hub, "memory__create_entities", json!({ "entities": [entity] })).await;
    assert!(said(&hub, "memory__read_graph", json!({})).await.contains("remembers"));
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "Wine has no Python")]
#[tokio::test]
async fn a_server_from_pypi_tells_the_time() {
    let hub = hub(vec![stdio("time", &place(".venv/bin/mcp-server-time"), &[])]);
    ready(&hub).await;
    let text = said(&hub, "time__get_current_time", json!({ "timezone": "Asia/Shanghai" })).await;
    assert!(text.contains("+08:00"), "{text}");
    hub.stop().await;
}
