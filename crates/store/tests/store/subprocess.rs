//! Runs one test of this file in a process of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable with the folder of the other process.
pub const FOLDER: &str = "SKEIN_TEST_STORE_IN";

/// A command that runs the ignored test `name` in another process.
pub fn command(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "--nocapture", name]).env(FOLDER, folder);
    command
}

/// The folder given to this process.
pub fn folder() -> PathBuf {
    std::env::var_os(FOLDER).expect("another test runs this one").into()
}
