//! Running one test of this file in a process of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Names the folder that the other process works in.
pub const FOLDER: &str = "SKEIN_TEST_STORE_IN";

/// Runs the ignored test `name` in a process of its own.
pub fn command(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "--nocapture", name]).env(FOLDER, folder);
    command
}

/// In that process: the folder it was given.
pub fn folder() -> PathBuf {
    std::env::var_os(FOLDER).expect("another test runs this one").into()
}
