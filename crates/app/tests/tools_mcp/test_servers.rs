//! Servers for the tests, and a program that starts them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use skein_app::app::App;
use skein_platform::paths::AppPaths;
use skein_tools::mcp::{McpServerConfig, McpServerStatus, McpState};

use crate::tools_support::mcp::stdio;

/// The test server of `tests/mcp/server`.
pub const TEST_SERVER: &str = env!("CARGO_BIN_EXE_mcp-test-server");

/// The path of a server from a registry.
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

/// The odd server, with these options of `tests/mcp/server`.
pub fn odd(options: &[&str]) -> McpServerConfig {
    stdio("odd", TEST_SERVER, &[&["odd"], options].concat())
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
