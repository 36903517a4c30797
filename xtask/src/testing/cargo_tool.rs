//! Tools of the tests that Cargo installs.

use std::path::PathBuf;

use crate::{Install, TaskResult};
use crate::{paths, shell};

/// A tool from crates.io in the pinned version.
pub struct CargoTool {
    name: &'static str,
    version: &'static str,
}

/// Drives the app window in tests.
pub const TAURI_DRIVER: CargoTool = CargoTool { name: "tauri-driver", version: "2.1.0" };

/// Checks the libraries by `deny.toml`.
pub const CARGO_DENY: CargoTool = CargoTool { name: "cargo-deny", version: "0.20.2" };

impl CargoTool {
    /// The tool, kept below `target` so that the developer's own is unchanged.
    pub fn ensure(&self, install: Install) -> TaskResult<PathBuf> {
        let Self { name, version } = *self;
        let folder = paths::target().join("tools").join(format!("{name}-{version}"));
        let tool = folder.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        if tool.exists() {
            return Ok(tool);
        }
        let folder = folder.to_string_lossy().into_owned();
        // A debug build is ready sooner, and no tool computes much.
        let words = ["cargo", "install", name, "--locked", "--debug", "--version", version];
        let words = [&words[..], &["--root", &folder]].concat();
        if install == Install::Refused {
            return Err(format!("{name} is missing. Run: {}", words.join(" ")));
        }
        println!("Installing {name} for the tests.");
        shell::run(shell::command(&words).env("CARGO_PROFILE_DEV_DEBUG", "0"))?;
        Ok(tool)
    }
}
