//! `tauri-driver`, which drives the app window in tests.

use std::path::PathBuf;

use crate::{Install, TaskResult};
use crate::{paths, shell};

const VERSION: &str = "2.1.0";

/// The driver in the pinned version, kept below `target` so that the developer's own is unchanged.
pub fn ensure(install: Install) -> TaskResult<PathBuf> {
    let folder = paths::target().join("tools").join(format!("tauri-driver-{VERSION}"));
    let driver = folder.join("bin").join(format!("tauri-driver{}", std::env::consts::EXE_SUFFIX));
    if driver.exists() {
        return Ok(driver);
    }
    let folder = folder.to_string_lossy().into_owned();
    let words =
        ["cargo", "install", "tauri-driver", "--locked", "--version", VERSION, "--root", &folder];
    if install == Install::Refused {
        return Err(format!("The window's driver is missing. Run: {}", words.join(" ")));
    }
    println!("Installing the driver for the window tests.");
    shell::run(&mut shell::command(&words))?;
    Ok(driver)
}
