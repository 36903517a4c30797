//! Talking to real MCP servers from their registries, and to one that does what servers have been
//! seen to do. See `tests/mcp/README.md` for how they come to be there.
//!
//! The servers are programs of Python and Node that are started as Unix starts them. Tests that need none of
//! them run on every system.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../../tools/tests/tools_support/mod.rs"]
mod tools_support;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use rusqlite::Connection;
use scripted_server::{Reply, Server};
use serde_json::json;
use skein_app::app::App;
use skein_app::settings::StartMode;
use skein_domain::ids::GrantKey;
use skein_domain::tool_declaration::ToolFamily;
use skein_platform::paths::AppPaths;
use skein_store::Grant;
use skein_tools::mcp::consent::command_line;
use skein_tools::mcp::hub::Hub;
use skein_tools::mcp::keys::{SecretValues, extract_secrets};
use skein_tools::mcp::{
    McpResourceContent, McpServerConfig, McpServerError, McpServerStatus, McpState, McpTransport,
};
use skein_tools::{ToolInvocation, ToolOutcome, output_truncation};
use tokio_util::sync::CancellationToken;

use tools_support::mcp::{
    NoPasses, agreed, http, hub, names, ready, said, stdio, until, until_all,
};
use tools_support::{call, call_until, done, failed, named, net, tools};

/// Where the servers are, or the word that says how they get there.
fn place(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/mcp");
    let found = root.join(path);
    assert!(
        found.exists(),
        "{} is missing. `cargo xtask test` installs it; by hand: see tests/mcp/README.md",
        found.display()
    );
    found.display().to_string()
}

fn odd(args: &[&str]) -> McpServerConfig {
    let script = place("odd_server.py");
    stdio("odd", "python3", &[&[script.as_str()], args].concat())
}

fn no_values() -> SecretValues {
    SecretValues(Arc::new(|_| Box::pin(async { None })))
}

/// An argument that no process of another run has.
fn mark() -> String {
    format!("--mark-{}-", std::process::id())
}

/// True if a process has this word in its command line.
fn runs(word: &str) -> bool {
    let lines = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = lines.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.into_iter().any(|line| String::from_utf8_lossy(&line).contains(word))
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
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

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
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

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_server_from_pypi_tells_the_time() {
    let hub = hub(vec![stdio("time", &place(".venv/bin/mcp-server-time"), &[])]);
    ready(&hub).await;
    let text = said(&hub, "time__get_current_time", json!({ "timezone": "Asia/Shanghai" })).await;
    assert!(text.contains("+08:00"), "{text}");
    hub.stop().await;
}

/// The tests' own streamable-HTTP server, by the official Python kit.
struct HttpServer {
    port: u16,
    child: std::process::Child,
}

impl HttpServer {
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

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_streamable_http_server_lists_calls_cancels_changes_and_comes_back_after_a_crash() {
    let mut server = HttpServer::start();
    let hub = hub(vec![server.config()]);
    let status = ready(&hub).await;
    assert!(names(&status).contains(&"web__echo"));
    assert_eq!(said(&hub, "web__echo", json!({ "text": "hi" })).await, "echo: hi");
    assert_eq!(said(&hub, "web__big", json!({ "characters": 5_000_000 })).await.len(), 5_000_000);
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

    assert_eq!(said(&hub, "web__grow", json!({})).await, "grew");
    until(&hub, "grown", |status| names(status).contains(&"web__grown")).await;

    let message = failed(call(&named(&hub.tools(), "web__crash"), json!({})).await);
    assert!(!message.is_empty());
    server.child.wait().unwrap();
    let _again = HttpServer::again(server.port).await;
    // Its session is gone with it: the next call that reaches it is answered all the same.
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
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_session_the_server_forgot_is_begun_anew_and_the_call_answered() {
    let mut server = HttpServer::start();
    let hub = hub(vec![server.config()]);
    ready(&hub).await;
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let _again = HttpServer::again(server.port).await;
    until(&hub, "ready", |status| status.state == McpState::Ready {}).await;
    assert_eq!(said(&hub, "web__echo", json!({ "text": "hi" })).await, "echo: hi");
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_cancelled_call_is_not_waited_for_though_it_goes_on_telling() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    let cancel = CancellationToken::new();
    let (progress, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let hang = named(&hub.tools(), "odd__hang");
    let running = hang.run(ToolInvocation { args: json!({}), cancel: cancel.clone(), progress });
    let stop = async {
        heard.recv().await.expect("progress is told");
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(running, stop);
    assert_eq!(failed(outcome), "Cancelled.");
    assert_eq!(said(&hub, "odd__echo", json!({ "text": 1 })).await, "echo: 1");
    // Nobody hears messages after that.
    while let Ok(_left) = heard.try_recv() {}
    assert_eq!(heard.recv().await, None);
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_call_that_is_dropped_is_taken_back() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    let hang = named(&hub.tools(), "odd__hang");
    let (progress, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let running = tokio::spawn(async move {
        hang.run(ToolInvocation { args: json!({}), cancel: CancellationToken::new(), progress })
            .await
    });
    heard.recv().await.expect("progress is told");
    running.abort();
    let told =
        |status: &McpServerStatus| status.stderr.iter().any(|line| line == "was told to cancel");
    until(&hub, "told", told).await;
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_call_that_takes_too_long_fails_alone() {
    let hub = hub(vec![McpServerConfig { timeout_seconds: Some(1), ..odd(&[]) }]);
    ready(&hub).await;
    let message = failed(call(&named(&hub.tools(), "odd__hang"), json!({})).await);
    assert!(message.contains("timeout"), "{message}");
    assert_eq!(said(&hub, "odd__echo", json!({ "text": 1 })).await, "echo: 1");
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_crash_in_the_middle_of_a_call_fails_that_call_and_the_server_comes_back() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    let hang = named(&hub.tools(), "odd__hang");
    let crash = named(&hub.tools(), "odd__crash");
    let (hung, crashed) = tokio::join!(call(&hang, json!({})), call(&crash, json!({})));
    assert!(failed(hung).contains("not running"));
    assert!(failed(crashed).contains("not running"));
    // A call that comes before the loss is noticed, or before it is back, fails as well.
    let came_back = async {
        loop {
            let echo = hub.tools().into_iter().find(|tool| tool.declaration().name == "odd__echo");
            if let Some(echo) = echo
                && let ToolOutcome::Done { text, .. } = call(&echo, json!({ "text": "back" })).await
            {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let answer = tokio::time::timeout(Duration::from_secs(60), came_back).await;
    assert_eq!(answer.expect("it comes back"), "echo: back");
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_list_that_changes_is_read_again_and_a_flood_of_announcements_is_one() {
    let hub = hub(vec![odd(&[])]);
    let status = ready(&hub).await;
    assert!(!names(&status).contains(&"odd__grown"));
    assert_eq!(said(&hub, "odd__grow", json!({})).await, "grew");
    let status = until(&hub, "grown", |status| names(status).contains(&"odd__grown")).await;
    let mut sorted = names(&status);
    sorted.sort_unstable();
    assert_eq!(names(&status), sorted);
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn results_of_megabytes_arrive_whole_and_once() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    assert_eq!(said(&hub, "odd__big", json!({ "characters": 5_000_000 })).await.len(), 5_000_000);
    let lines = 2_200_000; // 11 MB as text, and 11 MB once more as structure.
    assert_eq!(said(&hub, "odd__twice", json!({ "lines": lines })).await.len(), lines * 5);
    let schema = named(&hub.tools(), "odd__wide").declaration().parameters.to_string();
    assert!(schema.len() > 100_000);
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn noise_floods_pictures_and_refusals_harm_nothing() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    assert_eq!(said(&hub, "odd__noise", json!({})).await, "after the noise");
    assert_eq!(said(&hub, "odd__flood", json!({})).await, "flooded");
    assert_eq!(
        said(&hub, "odd__picture", json!({})).await,
        "[image: image/png, 3000 bytes, not shown]"
    );
    let tools = hub.tools();
    assert_eq!(
        failed(call(&named(&tools, "odd__refuse"), json!({})).await),
        "refused by the server"
    );
    assert_eq!(
        failed(call(&named(&tools, "odd__empty"), json!({})).await),
        "The tool failed without a word."
    );
    let status = hub.status().await.remove(0);
    assert!(status.stderr.len() <= 200);
    assert!(status.stderr.iter().all(|line| output_truncation::char_count(line) <= 4_001));
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn an_answer_cut_within_an_emoji_arrives_and_one_that_is_broken_ends_its_call() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    assert_eq!(said(&hub, "odd__half", json!({})).await, "cut here: \u{fffd}");
    let tools = hub.tools();
    let hang = named(&tools, "odd__hang");
    let hanging = tokio::spawn(async move { call(&hang, json!({})).await });
    let reason = failed(call(&named(&tools, "odd__garbled"), json!({})).await);
    assert!(reason.starts_with("The server's answer cannot be read: "), "{reason}");
    assert!(!hanging.is_finished(), "a call that was answered is the only one that ends");
    // Nobody knows whose answer it was: whoever waits for one is told.
    let reason = failed(call(&named(&tools, "odd__anonymous"), json!({})).await);
    assert!(reason.starts_with("The server's answer cannot be read: "), "{reason}");
    assert_eq!(failed(hanging.await.unwrap()), reason);
    assert_eq!(said(&hub, "odd__echo", json!({ "text": 1 })).await, "echo: 1");
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_server_gets_a_clean_environment_and_what_was_listed() {
    let mut config = odd(&[]);
    if let McpTransport::Stdio { env, .. } = &mut config.transport {
        env.insert("LISTED".into(), "${mcp.odd.GREETING} ${NOT_THERE:-world}".into());
    }
    let hub = hub(vec![config]);
    ready(&hub).await;
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let text = said(&hub, "odd__environment", json!({})).await;
    let environment: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    assert_eq!(environment["LISTED"], "hello world");
    assert!(environment.contains_key("PATH") && environment.contains_key("HOME"));
    assert!(!environment.contains_key("CARGO_MANIFEST_DIR"), "{environment:?}");
    for passed in ["DISPLAY", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "https_proxy", "SSL_CERT_FILE"] {
        assert_eq!(environment.get(passed).cloned(), std::env::var(passed).ok(), "{passed}");
    }
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn of_what_was_given_only_what_is_called_a_key_is_cut_out_of_results() {
    let mut config = odd(&[]);
    if let McpTransport::Stdio { env, .. } = &mut config.transport {
        env.insert("ROOT".into(), "${workspaceFolder}".into());
        env.insert("WHO".into(), "${input:github_token}".into());
        env.insert("PAT".into(), "Bearer ${input:mine}".into());
    }
    let values = SecretValues(Arc::new(|name| {
        let value = match name.as_str() {
            "mcp.odd.given-workspaceFolder" => "/home/ann/work",
            "mcp.odd.given-input_github_token" => "t-2718281828459045",
            "mcp.odd.given-input_mine" => "t-1414213562373095",
            other => panic!("{other}"),
        };
        Box::pin(async move { Some(value.to_owned()) })
    }));
    let hub = Hub::new(net(), values, Arc::new(NoPasses), Arc::new(|| {}));
    hub.apply_configs(vec![config.clone()], &agreed(&[config]));
    ready(&hub).await;
    let text = said(&hub, "odd__environment", json!({})).await;
    let environment: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    assert_eq!(environment["ROOT"], "/home/ann/work");
    assert!(!text.contains("27182818") && !text.contains("14142135"), "{text}");
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[test]
fn the_password_of_a_proxy_is_given_to_programs_and_read_nowhere() {
    let again = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "programs_are_started_behind_a_proxy"])
        .env("HTTPS_PROXY", "http://ann:pr0xy-p4ssword@127.0.0.1:9")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && said.contains("1 passed"), "{said}");
}

#[tokio::test]
#[ignore = "the test above runs it, with a proxy"]
async fn programs_are_started_behind_a_proxy() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    let told = said(&hub, "odd__environment", json!({})).await;
    hub.stop().await;
    let folder = tempfile::tempdir().unwrap();
    let command = named(&tools(Some(folder.path()), Arc::default()), "run_command");
    let ran = done(call(&command, json!({ "command": "env" })).await);
    for words in [told, ran] {
        assert!(words.contains("@127.0.0.1:9") && !words.contains("pr0xy-p4ssword"), "{words}");
    }
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_server_that_does_not_end_is_ended_with_its_children() {
    // Of this run alone: others may run the same meanwhile.
    let (mark, seconds) = (format!("{}stubborn", mark()), format!("27.{:07}1", std::process::id()));
    let hub = hub(vec![odd(&["--stubborn", &mark])]);
    ready(&hub).await;
    said(&hub, "odd__child", json!({ "seconds": seconds })).await;
    // A process that was just started shows the line of its parent, or none, for a moment.
    scripted_server::until("both run", async || runs(&mark) && runs(&seconds)).await;
    hub.stop().await;
    scripted_server::until("neither runs", async || !runs(&mark) && !runs(&seconds)).await;
}

/// A server that is begun by this line of a shell, with its own program at `$0`.
fn begun_by(line: &str) -> McpServerConfig {
    stdio("odd", "sh", &["-c", line, &place("odd_server.py")])
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_start_that_hangs_is_ended_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark").display().to_string();
    let line = format!("[ -e {mark} ] && exec python3 $0; touch {mark}; exec sleep 1000");
    let hub = hub(vec![begun_by(&line)]);
    scripted_server::until("it hangs", async || std::path::Path::new(&mark).exists()).await;
    hub.restart("odd").unwrap();
    let again = tokio::time::timeout(Duration::from_secs(60), ready(&hub));
    again.await.expect("it is not waited for until its time is over");
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_first_start_is_waited_for_and_what_failed_is_not() {
    let gone = stdio("gone", "skein-no-such-program", &[]);
    let off = McpServerConfig { name: "off".into(), enabled: false, ..odd(&[]) };
    let hub = hub(vec![begun_by("sleep 0.5; exec python3 $0"), gone, off]);
    hub.wait_for_first_attempts().await;
    assert_eq!(hub.status().await[0].state, McpState::Ready {});
    hub.restart("odd").unwrap();
    hub.wait_for_first_attempts().await;
    assert_eq!(hub.status().await[0].state, McpState::Ready {}, "nor is one that was asked for");
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_list_that_fails_takes_nothing_away_and_is_said_in_the_log() {
    let hub = hub(vec![odd(&["--fussy"])]);
    let has_failed_at = |status: &McpServerStatus, list: &str| {
        status.stderr.iter().any(|line| line.contains(&format!("no {list} today")))
    };
    let offered = |status: &McpServerStatus| {
        let prompts: Vec<_> = status.prompts.iter().map(|prompt| prompt.name.clone()).collect();
        (status.state.clone(), status.tools.len(), prompts, status.resources.len())
    };
    let first = ready(&hub).await;
    assert!(has_failed_at(&first, "resources/list"));
    let all = (McpState::Ready {}, first.tools.len(), vec!["greet".to_owned()], 0);
    assert_eq!(offered(&first), all);
    assert!(first.tools.len() > 10);
    let again = until(&hub, "listed again", |status| has_failed_at(status, "prompts/list")).await;
    assert_eq!(offered(&again), all);
    said(&hub, "odd__sulk", json!({})).await;
    let sulking = until(&hub, "sulking", |status| has_failed_at(status, "tools/list")).await;
    assert_eq!(offered(&sulking), all);
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn nothing_is_started_before_its_whole_command_was_agreed_to() {
    let mark = format!("{}untold", mark());
    let config = odd(&[&mark]);
    let command = command_line(&config);
    let hub = Hub::new(net(), no_values(), Arc::new(NoPasses), Arc::new(|| {}));
    hub.apply_configs(vec![config.clone()], &BTreeSet::new());
    let asks = McpState::NeedsConsent {
        command,
        environment: Vec::new(),
        unseen: Vec::new(),
        again: false,
    };
    assert_eq!(hub.status().await[0].state, asks);
    assert!(hub.tools().is_empty() && !runs(&mark));
    // Agreeing to one command is not agreeing to another under the same name.
    let consents = agreed(std::slice::from_ref(&config));
    hub.apply_configs(vec![odd(&[&mark, "--else"])], &consents);
    assert!(matches!(hub.status().await[0].state, McpState::NeedsConsent { .. }));
    hub.apply_configs(vec![config.clone()], &consents);
    ready(&hub).await;
    hub.apply_configs(vec![McpServerConfig { enabled: false, ..config }], &consents);
    assert_eq!(hub.status().await[0].state, McpState::Off {});
    assert!(hub.tools().is_empty());
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn what_a_server_says_of_its_tools_is_there_for_the_model_and_short() {
    let hub = hub(vec![odd(&[])]);
    let status = ready(&hub).await;
    let said = hub.instructions().remove(0);
    let tools: Vec<&str> = said.tools.iter().map(String::as_str).collect();
    assert_eq!((said.server.as_str(), tools), ("odd", names(&status)));
    let line = "\n[… 1032 of 5032 characters left out here …]";
    assert!(said.words.starts_with("Call echo before anything else. x"), "{}", said.words);
    assert!(said.words.ends_with(line), "{}", said.words);
    hub.stop().await;
    assert_eq!(hub.instructions(), []);
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_yes_to_one_servers_tool_is_never_one_to_anothers() {
    let [first, second] =
        ["搜索", "文件"].map(|name| McpServerConfig { name: name.into(), ..odd(&[]) });
    let both = vec![first.clone(), second.clone()];
    let hub = hub(both.clone());
    let echoes = |hub: &Hub| -> Vec<(String, String)> {
        let tools = hub
            .tools()
            .into_iter()
            .map(|tool| (tool.declaration().name, tool.grant(&json!({})).as_str().to_owned()));
        tools.filter(|(_, grant)| grant.contains("/echo#")).collect()
    };
    ready(&hub).await;
    until_all(&hub, "both ready", |all| all[1].state == McpState::Ready {}).await;
    let together = echoes(&hub);
    assert!(together[0].1.starts_with("mcp:搜索/echo#"), "{together:?}");
    assert!(together[1].1.starts_with("mcp:文件/echo#"), "{together:?}");
    assert_ne!(together[0].0, together[1].0);
    // The name of the other server's tool does not depend on which servers run.
    hub.apply_configs(vec![McpServerConfig { enabled: false, ..first }, second], &agreed(&both));
    assert_eq!(echoes(&hub), together[1..]);
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn what_a_configuration_allows_is_allowed_of_that_server_alone() {
    let lasting = McpServerConfig { always_allow: vec!["echo".into()], ..odd(&[]) };
    let slashed = McpServerConfig { name: "odd/echo".into(), ..lasting.clone() };
    let hub = Hub::new(net(), no_values(), Arc::new(NoPasses), Arc::new(|| {}));
    hub.apply_configs(vec![lasting, slashed], &BTreeSet::new());
    let granted = ["mcp:odd%2Fecho/echo", "mcp:odd/echo"].map(GrantKey::new);
    assert_eq!(hub.always_allowed(), BTreeSet::from(granted));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_key_that_was_pasted_is_stored_or_shown() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    let key = "k-3141592653589793";
    let pasted = json!({ "mcpServers": {
        "a": { "command": "skein-no-such-program", "args": [format!("--api-key={key}")] },
        "b": { "url": format!("http://127.0.0.1:9/mcp?apiKey={key}") },
    }});
    let parsed = app.mcp.add(pasted.to_string()).await.unwrap();
    for status in app.mcp.list().await.unwrap() {
        let McpState::NeedsConsent { command, .. } = status.state else { panic!("{status:?}") };
        app.mcp.allow(command).await.unwrap();
    }
    let asks = |status: &McpServerStatus| matches!(status.state, McpState::NeedsConsent { .. });
    let shown = app.mcp.list().await.unwrap();
    assert!(!shown.iter().any(asks), "{shown:?}");
    let grants = app.tool_grants.list().await.unwrap();
    assert!(grants.iter().all(|grant| grant.tool.as_str().starts_with("start:")), "{grants:?}");
    assert!(!format!("{parsed:?}{shown:?}{grants:?}").contains(key));
    assert!(!std::fs::read_to_string(places.settings()).unwrap().contains(key));
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn what_a_server_repeats_of_its_keys_is_read_nowhere() {
    let kept = "k-2718281828459045";
    let header = json!({ "Authorization": format!("Bearer {kept}") }).to_string();
    let config = |flag: &str| {
        let mut config = odd(&[flag, "--header", &header, "--api-key=o-1414213562373095"]);
        if let McpTransport::Stdio { env, .. } = &mut config.transport {
            env.insert("TOKEN".into(), "Bearer ${mcp.odd.TOKEN}".into());
        }
        config
    };
    let begin = |config: McpServerConfig| {
        let values =
            SecretValues(Arc::new(move |_| Box::pin(async move { Some(kept.to_owned()) })));
        let hub = Hub::new(net(), values, Arc::new(NoPasses), Arc::new(|| {}));
        hub.apply_configs(vec![config.clone()], &agreed(&[config]));
        hub
    };
    let hides = |words: &str| {
        assert!(words.contains("argv"), "it was repeated: {words}");
        assert!(!words.contains("27182818") && !words.contains("14142135"), "{words}");
    };
    let hub = begin(config("--chatty"));
    let is_chatty =
        |status: &McpServerStatus| status.stderr.iter().any(|line| line.contains("argv"));
    ready(&hub).await;
    hides(&format!("{:?}", until(&hub, "chatty", is_chatty).await));
    hides(&failed(call(&named(&hub.tools(), "odd__refuse"), json!({})).await));
    let environment = said(&hub, "odd__environment", json!({})).await;
    assert!(environment.contains("\"TOKEN\": \"•••") && !environment.contains(kept));
    hub.stop().await;
    let hub = begin(config("--rude"));
    let is_failed = |status: &McpServerStatus| matches!(status.state, McpState::Failed { .. });
    hides(&format!("{:?}", until(&hub, "failed", is_failed).await.state));
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn a_server_gets_what_was_pasted_byte_for_byte() {
    let key = "ntn_0123456789abcdef0123456789abcdef";
    let pasted = [
        format!(r#"{{"Authorization" :"Bearer {key}", "Notion-Version":"2022\/06"}}"#),
        format!(r#""{{\"token\":\"{key}\"}}""#),
        format!("Server=h;Password={key}=="),
        format!("https://h/?token={key}"),
    ];
    let mut config = odd(&[]);
    if let McpTransport::Stdio { env, .. } = &mut config.transport {
        env.extend(pasted.iter().enumerate().map(|(at, text)| (format!("T{at}"), text.clone())));
    }
    let taken: BTreeMap<String, String> = extract_secrets(&mut config).into_iter().collect();
    assert_eq!(taken.len(), pasted.len());
    assert!(!format!("{config:?}").contains(key), "{config:?}");
    let look_up = move |name: String| {
        let kept = taken.get(&name).cloned();
        Box::pin(async move { kept }) as BoxFuture<'static, _>
    };
    let hub = Hub::new(net(), SecretValues(Arc::new(look_up)), Arc::new(NoPasses), Arc::new(|| {}));
    hub.apply_configs(vec![config.clone()], &agreed(&[config]));
    ready(&hub).await;
    let backwards = said(&hub, "odd__environment", json!({ "backwards": true })).await;
    let text: String = backwards.chars().rev().collect();
    let environment: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    let got = (0..pasted.len()).map(|at| environment[&format!("T{at}")].clone());
    assert_eq!(got.collect::<Vec<_>>(), pasted);
    hub.stop().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn what_stands_in_the_way_is_said_as_a_kind() {
    let missing = stdio("missing", "skein-no-such-program", &[]);
    let hub_of = |config| hub(vec![config]);
    let state = async |config| {
        let hub = hub_of(config);
        let is_failed = |status: &McpServerStatus| matches!(status.state, McpState::Failed { .. });
        until(&hub, "failed", is_failed).await.state
    };
    let fault = McpServerError::ProgramMissing { program: "skein-no-such-program".into() };
    assert_eq!(state(missing).await, McpState::Failed { fault, retry_at: None });
    let fault = McpServerError::ValueMissing { name: "NOT_THERE".into() };
    assert_eq!(
        state(stdio("odd", "python3", &["${NOT_THERE}"])).await,
        McpState::Failed { fault, retry_at: None }
    );
    for others in ["openai", "mcp.other.KEY", "env:mcp.od.KEY"] {
        let argument = format!("${{{others}}}");
        let fault = McpServerError::ValueMissing { name: others.trim_start_matches("env:").into() };
        assert_eq!(
            state(stdio("odd", "python3", &[&argument])).await,
            McpState::Failed { fault, retry_at: None },
            "only its own keys are within a server's reach"
        );
    }
    let ended = state(stdio("odd", "python3", &["-c", "import sys; sys.exit(5)"])).await;
    assert!(
        matches!(
            ended,
            McpState::Failed {
                fault: McpServerError::Ended { code: Some(5), .. },
                retry_at: Some(_)
            }
        ),
        "{ended:?}"
    );
    let gone = state(http("web", "http://127.0.0.1:9/mcp")).await;
    assert!(
        matches!(
            gone,
            McpState::Failed { fault: McpServerError::Unreachable { .. }, retry_at: Some(_) }
        ),
        "{gone:?}"
    );
    let gone = format!("{:?}", state(http("web", "http://127.0.0.1:9/mcp?key=secret")).await);
    assert!(gone.contains("127.0.0.1:9/mcp") && !gone.contains("secret"), "{gone}");
    for status in [404, 405] {
        let older = Server::always(Reply::new(status, "text/plain", "no POST here"));
        assert_eq!(
            state(http("web", &older.url())).await,
            McpState::Failed { fault: McpServerError::NotSpoken { status }, retry_at: None }
        );
    }
    let invalid = state(http("web", "not an address")).await;
    assert!(
        matches!(
            invalid,
            McpState::Failed { fault: McpServerError::Invalid { .. }, retry_at: None }
        ),
        "{invalid:?}"
    );
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test]
async fn what_a_cancelled_call_was_before_it_began_does_not_matter() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    let echo = named(&hub.tools(), "odd__echo");
    assert_eq!(failed(call_until(&echo, json!({}), cancel).await), "Cancelled.");
    hub.stop().await;
    let message = failed(call(&echo, json!({})).await);
    assert!(message.contains("not running"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_allowed_of_a_server_ends_with_it_or_when_it_becomes_another() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    // Nobody agreed to it: it is not started.
    let config = stdio("my files", "skein-no-such-program", &["--read-only"]);
    let own = ["mcp:my files/read", "mcp:my files/write"];
    let of_others = ["mcp:files/read", "web_fetch"];
    let left_over =
        ["mcp:gone/read", "start:my files/0f", "mcp:npx -y kept --by an earlier version"];
    let database = Connection::open(places.database()).unwrap();
    let allow = || {
        let sql = "INSERT OR IGNORE INTO grants (tool) VALUES (?1)";
        let names = own.iter().chain(&of_others).chain(&left_over);
        names.for_each(|name| assert!(database.execute(sql, [name]).is_ok()));
    };
    let allowed = || async {
        let grants = app.tool_grants.list().await.unwrap();
        grants.into_iter().map(|grant| grant.tool.as_str().to_owned()).collect::<BTreeSet<_>>()
    };
    let named = |names: &[&str]| -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    };
    let all = named(&[own, of_others].concat());
    let others = named(&of_others);

    app.mcp.save(stdio("files", "skein-no-such-program", &[])).await.unwrap();
    app.mcp.save(config.clone()).await.unwrap();
    allow();
    app.mcp.enable("my files".into(), false).await.unwrap();
    app.mcp.enable("my files".into(), true).await.unwrap();
    assert_eq!(allowed().await, all);

    let other = stdio("my files", "skein-no-such-program", &["--everything"]);
    app.mcp.save(other.clone()).await.unwrap();
    assert_eq!(allowed().await, others, "it became another");

    allow();
    app.mcp.remove("my files".into()).await.unwrap();
    assert_eq!(allowed().await, others, "it is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_removed_takes_its_keys_and_its_consent_along_and_the_undo_brings_them_back()
 {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    let asks = || async {
        match app.mcp.list().await.unwrap().remove(0).state {
            McpState::NeedsConsent { command, .. } => Some(command),
            _ => None,
        }
    };
    let keys = || std::fs::read_to_string(places.secrets()).unwrap();
    let granted = || async { app.tool_grants.list().await.unwrap().len() };

    app.mcp.save(with_key()).await.unwrap();
    app.mcp.allow(asks().await.unwrap()).await.unwrap();
    assert_eq!(asks().await, None);
    assert!(keys().contains("t0ken"));

    app.mcp.remove("files".into()).await.unwrap();
    assert!(!keys().contains("t0ken"));
    app.mcp.restore("files".into()).await.unwrap();
    assert_eq!(asks().await, None, "what was agreed to is agreed to again");
    assert!(keys().contains("t0ken"));

    app.mcp.remove("files".into()).await.unwrap();
    app.mcp.save(with_key()).await.unwrap();
    assert!(asks().await.is_some(), "it begins anew");
    assert_eq!(granted().await, 0);

    app.mcp.save(stdio("files", "skein-no-such-program", &[])).await.unwrap();
    assert!(!keys().contains("t0ken"), "a key it no longer has is kept nowhere");
}

#[tokio::test(flavor = "multi_thread")]
async fn in_safe_mode_no_server_starts_and_what_was_agreed_to_stays() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    app.mcp.save(stdio("files", "skein-no-such-program", &[])).await.unwrap();
    let asks = || async { app.mcp.list().await.unwrap().remove(0).state };
    let McpState::NeedsConsent { command, .. } = asks().await else { panic!("it asks") };
    app.mcp.allow(command).await.unwrap();
    app.close().await;
    drop(app);

    let state = async |mode: StartMode| {
        let app = App::open_as(places.clone(), mode).unwrap();
        // Behind what the start leaves to the background.
        app.mcp.enable("files".into(), true).await.unwrap();
        let state = app.mcp.list().await.unwrap().remove(0).state;
        let shown = app.settings.view().await.unwrap();
        assert_eq!(shown.safe_mode, mode == StartMode::Safe);
        app.close().await;
        state
    };
    assert_eq!(state(StartMode::Safe).await, McpState::Off {});
    let normal = state(StartMode::Normal).await;
    assert!(
        matches!(normal, McpState::Starting {} | McpState::Failed { .. }),
        "it is started again, and nobody is asked: {normal:?}"
    );
}

/// A server with a key in its environment.
fn with_key() -> McpServerConfig {
    let env = BTreeMap::from([("API_TOKEN".to_owned(), "t0ken".to_owned())]);
    let command = "skein-no-such-program".to_owned();
    let transport = McpTransport::Stdio { command, args: Vec::new(), env, cwd: None };
    McpServerConfig { transport, ..stdio("files", "", &[]) }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_allowed_outlives_settings_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    app.mcp.save(stdio("files", "skein-no-such-program", &[])).await.unwrap();
    let McpState::NeedsConsent { command, .. } = app.mcp.list().await.unwrap().remove(0).state
    else {
        panic!("it asks")
    };
    app.mcp.allow(command).await.unwrap();
    let database = Connection::open(places.database()).unwrap();
    let sql = "INSERT INTO grants (tool) VALUES ('mcp:files/read'), ('mcp:gone/read')";
    database.execute(sql, []).unwrap();
    drop(app);
    let whole = std::fs::read_to_string(places.settings()).unwrap();
    // Begins as the program does, and does not wait for what that leaves to the background.
    let begun = async |settings: &str| {
        std::fs::write(places.settings(), settings).unwrap();
        let app = App::open(places.clone()).unwrap();
        app.tool_grants.revoke(Grant { tool: GrantKey::new("none"), session: None }).await.unwrap();
        app
    };
    let of = async |app: &App, server: &str| {
        let grants = app.tool_grants.list().await.unwrap().into_iter();
        grants.filter(|grant| grant.tool.as_str().contains(&format!(":{server}/"))).count()
    };
    let unreadable = r#"{ "mcpServers": { "files": { "command": 3 } } }"#;
    for broken in ["{", r#"{ "mcpServers": 1 }"#, unreadable] {
        assert_eq!(of(&*begun(broken).await, "files").await, 2, "{broken}");
    }
    let app = begun(&whole).await;
    let status = app.mcp.list().await.unwrap().remove(0);
    assert!(!matches!(status.state, McpState::NeedsConsent { .. }), "{status:?}");
    assert_eq!((of(&app, "files").await, of(&app, "gone").await), (2, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_removed_with_its_keys_or_stays_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    app.mcp.save(with_key()).await.unwrap();
    let read = |place: PathBuf| std::fs::read_to_string(place).unwrap();
    let before = (read(places.settings()), read(places.secrets()));
    let after = || (read(places.settings()), read(places.secrets()));

    std::fs::write(places.settings(), "{").unwrap();
    assert!(app.mcp.remove("files".into()).await.is_err());
    let mut other = with_key();
    if let McpTransport::Stdio { env, .. } = &mut other.transport {
        env.insert("API_TOKEN".into(), "other".into());
    }
    assert!(app.mcp.save(other.clone()).await.is_err());
    std::fs::write(places.settings(), &before.0).unwrap();
    assert_eq!(after(), before, "the settings could not be written");

    std::fs::write(places.secrets(), "{").unwrap();
    assert!(app.mcp.remove("files".into()).await.is_err());
    assert!(app.mcp.save(other).await.is_err());
    std::fs::write(places.secrets(), &before.1).unwrap();
    assert_eq!(after(), before, "the keys could not be changed");

    app.mcp.remove("files".into()).await.unwrap();
    std::fs::write(places.settings(), "{").unwrap();
    assert!(app.mcp.restore("files".into()).await.is_err());
    assert!(!read(places.secrets()).contains("t0ken"), "it is not back, so neither is its key");
    std::fs::write(places.settings(), "{}").unwrap();
    app.mcp.restore("files".into()).await.unwrap();
    assert!(read(places.secrets()).contains("t0ken"));
}

/// A program in a folder of its own.
fn program() -> (tempfile::TempDir, Arc<App>) {
    let folder = tempfile::tempdir().unwrap();
    let app = App::open(AppPaths::in_folder(folder.path())).unwrap();
    (folder, app)
}

async fn shown(app: &App, name: &str) -> McpServerStatus {
    let all = app.mcp.list().await.unwrap();
    all.into_iter().find(|server| server.name == name).unwrap()
}

/// Agrees to whatever a server would run.
async fn agree(app: &App, name: &str) {
    if let McpState::NeedsConsent { command, .. } = shown(app, name).await.state {
        app.mcp.allow(command).await.unwrap();
    }
}

async fn is_ready(app: &App, name: &str) {
    for _ in 0..1_200 {
        if shown(app, name).await.state == (McpState::Ready {}) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never ready: {:?}", shown(app, name).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_may_be_called_as_the_root_of_a_configuration_is() {
    let (_folder, app) = program();
    for name in ["mcp", "servers", "other"] {
        let mut server = stdio(name, "skein-no-such-program", &[]);
        server.enabled = false;
        app.mcp.save(server).await.unwrap();
    }
    let names: BTreeSet<String> =
        app.mcp.list().await.unwrap().into_iter().map(|server| server.name).collect();
    assert_eq!(names, ["mcp", "servers", "other"].map(str::to_owned).into());
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test(flavor = "multi_thread")]
async fn a_configuration_that_is_pasted_over_a_server_leaves_its_key_and_can_be_undone() {
    let (folder, app) = program();
    let keys = || std::fs::read_to_string(AppPaths::in_folder(folder.path()).secrets()).unwrap();
    let pasted = |args: &[&str], token: &str| {
        let env = json!({ "API_TOKEN": token });
        let server = json!({ "command": "skein-no-such-program", "args": args, "env": env });
        json!({ "mcpServers": { "files": server } }).to_string()
    };
    let first = app.mcp.add(pasted(&["p"], "t0ken-of-mine")).await.unwrap();
    assert_eq!(first.replaced, Vec::<String>::new());
    agree(&app, "files").await;

    for open in ["<YOUR_TOKEN>", "", "${input:token}"] {
        let again = app.mcp.add(pasted(&["p@2"], open)).await.unwrap();
        assert_eq!(again.replaced, ["files"], "{open}");
        assert!(keys().contains("t0ken-of-mine"), "{open}");
        assert_eq!(shown(&app, "files").await.values, ["mcp.files.API_TOKEN"], "{open}");
    }
    app.mcp.add(pasted(&[], "t0ken-of-mine")).await.unwrap();
    agree(&app, "files").await;
    // The same once more is agreed to; with another key, of which the command says nothing, it is not.
    let asks = async || matches!(shown(&app, "files").await.state, McpState::NeedsConsent { .. });
    app.mcp.add(pasted(&[], "t0ken-of-mine")).await.unwrap();
    assert!(!asks().await);
    app.mcp.add(pasted(&[], "of-another")).await.unwrap();
    assert!(asks().await);
    app.mcp.restore("files".into()).await.unwrap();
    assert!(!asks().await && keys().contains("t0ken-of-mine"));
    app.mcp.add(pasted(&["--new"], "an0ther")).await.unwrap();
    assert!(!keys().contains("t0ken-of-mine"));
    assert!(matches!(shown(&app, "files").await.state, McpState::NeedsConsent { .. }));

    app.mcp.restore("files".into()).await.unwrap();
    assert!(keys().contains("t0ken-of-mine") && !keys().contains("an0ther"));
    let state = shown(&app, "files").await.state;
    assert!(!matches!(state, McpState::NeedsConsent { .. }), "what was agreed to: {state:?}");
    assert!(app.mcp.restore("files".into()).await.is_err(), "there is no more to undo");

    // Another program gets no key that was not given to it, whatever it is called.
    let other = pasted(&[], "<YOUR_TOKEN>").replace("skein-no-such", "skein-other");
    app.mcp.add(other).await.unwrap();
    assert!(!keys().contains("t0ken-of-mine"));
    app.mcp.restore("files".into()).await.unwrap();
    assert!(keys().contains("t0ken-of-mine"));
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_is_nowhere_can_be_given_and_is_kept_as_long_as_the_server() {
    let (folder, app) = program();
    let keys = || std::fs::read_to_string(AppPaths::in_folder(folder.path()).secrets()).unwrap();
    let env =
        json!({ "PAT": "Bearer ${input:pat}", "API_TOKEN": "YOUR_TOKEN", "HOME": "${userHome}" });
    let server = json!({ "command": "python3", "args": [place("odd_server.py")], "env": env });
    app.mcp.add(json!({ "servers": { "odd": server } }).to_string()).await.unwrap();
    agree(&app, "odd").await;
    assert_eq!(shown(&app, "odd").await.values, ["input:pat", "mcp.odd.API_TOKEN"]);
    let misses = async |value: &str| {
        let is_missing = async || match shown(&app, "odd").await.state {
            McpState::Failed { fault: McpServerError::ValueMissing { name }, .. } => name == value,
            _ => false,
        };
        scripted_server::until("it misses a value", is_missing).await;
    };
    let give = |name: &str, value: &str| app.mcp.set_value("odd".into(), name.into(), value.into());
    misses("mcp.odd.API_TOKEN").await;
    give("mcp.odd.API_TOKEN", "t0ken-given").await.unwrap();
    misses("input:pat").await;
    give("input:pat", "p4t-given").await.unwrap();
    is_ready(&app, "odd").await;
    assert!(give("mcp.other.KEY", "x").await.is_err() && give("PATH", "x").await.is_err());
    assert!(keys().contains("t0ken-given") && keys().contains("p4t-given"));
    app.mcp.remove("odd".into()).await.unwrap();
    assert!(!keys().contains("-given"), "{}", keys());
    app.close().await;
}

#[cfg_attr(windows, ignore = "starts servers of tests/mcp, as Unix starts them")]
#[tokio::test(flavor = "multi_thread")]
async fn what_a_configuration_allows_stands_among_the_grants_and_can_be_taken_back() {
    let (_folder, app) = program();
    let server = McpServerConfig { always_allow: vec!["echo".into(), "big".into()], ..odd(&[]) };
    app.mcp.save(server).await.unwrap();
    agree(&app, "odd").await;
    is_ready(&app, "odd").await;
    let allowed = async || {
        let grants = app.tool_grants.list().await.unwrap().into_iter();
        let tools = grants.filter(|grant| grant.tool.as_str().starts_with("mcp:"));
        tools.map(|grant| (grant.tool.as_str().to_owned(), grant.session)).collect::<Vec<_>>()
    };
    let of = |tool: &str| (format!("mcp:odd/{tool}"), None);
    assert_eq!(allowed().await, [of("big"), of("echo")]);
    app.tool_grants
        .revoke(Grant { tool: GrantKey::new("mcp:odd/echo"), session: None })
        .await
        .unwrap();
    assert_eq!(allowed().await, [of("big")]);
    // It was agreed to more, and what the server does goes on.
    assert_eq!(shown(&app, "odd").await.state, McpState::Ready {});
    app.close().await;
}
