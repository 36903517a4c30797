//! Servers over streamable HTTP: one that the test plays, and one by the official Python kit.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;
use skein_tools::mcp::hub::Hub;
use skein_tools::mcp::{McpServerConfig, McpState};
use skein_tools::{ToolInvocation, ToolOutcome};
use tokio_util::sync::CancellationToken;

use crate::scripted_mcp::ScriptedMcp;
use crate::test_servers::place;
use crate::tools_support::mcp::{http, hub, names, ready, said, until};
use crate::tools_support::{call, failed, named};

/// The program `tests/mcp/http_server.py`.
struct PythonServer {
    port: u16,
    child: std::process::Child,
}

impl PythonServer {
    /// On a port that it chooses.
    fn start() -> Self {
        Self::start_on(0).expect("a free port")
    }

    /// Where it was before. Somebody else may have been given that port for a while.
    async fn again(port: u16) -> Self {
        let start = async || {
            // The hub notices meanwhile that it is gone.
            let start = tokio::task::spawn_blocking(move || Self::start_on(port));
            start.await.unwrap().ok_or("it is taken")
        };
        scripted_server::patiently("it has its port again", start).await
    }

    /// `None`: it could not have that port.
    fn start_on(port: u16) -> Option<Self> {
        let mut child = std::process::Command::new(place(".venv/bin/python"))
            .args([place("http_server.py"), port.to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        line.trim().parse().ok().map(|port| Self { port, child })
    }

    fn config(&self) -> McpServerConfig {
        let url = format!("http://127.0.0.1:{}/mcp", self.port);
        http("web", &url)
    }
}

impl Drop for PythonServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_streamable_http_server_lists_calls_cancels_changes_and_comes_back_after_a_crash() {
    let server = ScriptedMcp::start();
    let hub = hub(vec![server.config()]);
    lists_calls_cancels_changes_and_crashes(&hub).await;
    server.restart();
    answers_again(&hub).await;
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "Wine has no Python")]
#[tokio::test]
async fn a_server_of_the_python_kit_lists_calls_cancels_changes_and_comes_back_after_a_crash() {
    let mut server = PythonServer::start();
    let hub = hub(vec![server.config()]);
    lists_calls_cancels_changes_and_crashes(&hub).await;
    server.child.wait().unwrap();
    let _again = PythonServer::again(server.port).await;
    answers_again(&hub).await;
    hub.stop().await;
}

async fn lists_calls_cancels_changes_and_crashes(hub: &Hub) {
    let status = ready(hub).await;
    assert!(names(&status).contains(&"web__echo"));
    assert_eq!(said(hub, "web__echo", json!({ "text": "hi" })).await, "echo: hi");
    assert_eq!(said(hub, "web__big", json!({ "characters": 5_000_000 })).await.len(), 5_000_000);
    let wide = named(&hub.tools(), "web__wide").declaration().description;
    assert!(
        wide.ends_with("\n[… 92000 of 100000 characters left out here …]"),
        "not all is declared"
    );
    assert_eq!(status.shortened, ["wide"]);

    let cancel = CancellationToken::new();
    let (progress, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let slow = named(&hub.tools(), "web__slow");
    let running = slow.run(ToolInvocation { args: json!({}), cancel: cancel.clone(), progress });
    let stop = async {
        heard.recv().await.expect("progress is told");
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(running, stop);
    assert_eq!(failed(outcome), "Cancelled.");

    assert_eq!(said(hub, "web__grow", json!({})).await, "grew");
    until(hub, "grown", |status| names(status).contains(&"web__grown")).await;

    let message = failed(call(&named(&hub.tools(), "web__crash"), json!({})).await);
    assert!(!message.is_empty());
}

/// The session ended with the server: the next call that reaches it is answered all the same.
async fn answers_again(hub: &Hub) {
    let mut answered = false;
    for _ in 0..100 {
        let outcome = match hub.tools().iter().find(|tool| tool.declaration().name == "web__echo") {
            Some(tool) => call(tool, json!({ "text": "again" })).await,
            None => ToolOutcome::failed("not listed"),
        };
        answered = outcome == ToolOutcome::done("echo: again");
        if answered {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert!(answered, "{:#?}", hub.status().await);
}

#[cfg_attr(windows, ignore = "Wine has no Python")]
#[tokio::test]
async fn a_session_that_the_python_kit_forgot_is_begun_anew_and_the_call_answered() {
    let mut server = PythonServer::start();
    let hub = hub(vec![server.config()]);
    ready(&hub).await;
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let _again = PythonServer::again(server.port).await;
    until(&hub, "ready", |status| status.state == McpState::Ready {}).await;
    assert_eq!(said(&hub, "web__echo", json!({ "text": "hi" })).await, "echo: hi");
    hub.stop().await;
}
