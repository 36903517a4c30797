//! The program under test: built together with the test, or installed by a package in another system
//! (`cargo xtask test --packages`).

use std::path::{Path, PathBuf};

/// The variable with the root folder of the other system.
const ROOT: &str = "SKEIN_ROOT";

/// The file of Skein as it is seen from here, or of another program by its path in the folder that Skein
/// was built in.
pub fn program(other: Option<&str>) -> PathBuf {
    match (other, root()) {
        (None, Some(root)) => root.join("usr/bin/skein"),
        (other, _) => build_folder().join(other.unwrap_or("skein")),
    }
}

/// The path of the MCP server of `tests/mcp/server`, which Cargo builds with the tests of `app`.
///
/// # Panics
/// It is not built.
pub fn mcp_test_server() -> String {
    let server = build_folder().join("mcp-test-server");
    assert!(server.exists(), "{} is missing: cargo build --package skein-app", server.display());
    server.display().to_string()
}

/// The file to start for a program, and its arguments, of which the last are `arguments`.
pub fn start_command(program: &Path, arguments: &[String]) -> (PathBuf, Vec<String>) {
    let inside = root().and_then(|root| Some((program.strip_prefix(&root).ok()?, root.clone())));
    match inside {
        Some((path, root)) => {
            let entered = [root.display().to_string(), format!("/{}", path.display())];
            ("/usr/sbin/chroot".into(), [&entered, arguments].concat())
        }
        None => (program.to_path_buf(), arguments.to_vec()),
    }
}

/// The folder for pictures of the screen.
pub fn screens() -> PathBuf {
    build_folder().parent().expect("it lies in target").join("screens")
}

fn root() -> Option<PathBuf> {
    std::env::var_os(ROOT).map(PathBuf::from)
}

/// The folder with what was built together with the test, such as `target/debug`.
///
/// # Panics
/// The test was moved.
pub fn build_folder() -> PathBuf {
    // The test is `target/debug/deps/window-…`, a benchmark is in `target/release/deps`.
    let test = std::env::current_exe().and_then(|path| path.canonicalize()).expect("a test runs");
    test.parent().and_then(Path::parent).expect("it lies in target/…/deps").to_path_buf()
}
