//! Servers for the tests, and a program that starts them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use skein_app::app::App;
use skein_platform::paths::AppPaths;
use skein_tools::mcp::{McpServerConfig, McpServerStatus, McpState};

use crate::tools_support::mcp::stdio;

/// Where the servers are, or the word that says how they get there.
pub fn place(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/mcp");
    let found = root.join(path);
    assert!(
        found.exists(),
        "{} is missing. `cargo xtask test` installs it; by hand: see tests/mcp/README.md",
        found.display()
    );
    found.display().to_string()
}

pub fn odd(args: &[&str]) -> McpServerConfig {
    let script = place("odd_server.py");
    stdio("odd", "python3", &[&[script.as_str()], args].concat())
}

/// An argument that no process of another run has.
pub fn mark() -> String {
    format!("--mark-{}-", std::process::id())
}

/// True if a process has this word in its command line.
pub fn runs(word: &str) -> bool {
    let lines = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = lines.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.into_iter().any(|line| String::from_utf8_lossy(&line).contains(word))
}

/// A program in a folder of its own.
pub fn program() -> (tempfile::TempDir, Arc<App>) {
    let folder = tempfile::tempdir().unwrap();
    let app = App::open(AppPaths::in_folder(folder.path())).unwrap();
    (folder, app)
}

pub async fn shown(app: &App, name: &str) -> McpServerStatus {
    let all = app.mcp.list().await.unwrap();
    all.into_iter().find(|server| server.name == name).unwrap()
}

/// Agrees to whatever a server would run.
pub async fn agree(app: &App, name: &str) {
    if let McpState::NeedsConsent { command, .. } = shown(app, name).await.state {
        app.mcp.allow(command).await.unwrap();
    }
}

pub async fn is_ready(app: &App, name: &str) {
    for _ in 0..1_200 {
        if shown(app, name).await.state == (McpState::Ready {}) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never ready: {:?}", shown(app, name).await);
}
