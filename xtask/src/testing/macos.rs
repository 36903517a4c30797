//! `cargo xtask test --macos`: checks that the whole workspace, tests included, compiles for macOS.
//!
//! Nothing is linked and nothing runs: that needs Apple's libraries and a Mac. For the same reason the C and
//! Objective-C of libraries is not compiled, and a stand-in for the compiler writes empty files.

use std::fs;
use std::process::Command;

use crate::TaskResult;
use crate::{paths, shell};

const TARGETS: [&str; 2] = ["aarch64-apple-darwin", "x86_64-apple-darwin"];

/// Says that it is Clang, and writes an empty file wherever an object file is expected.
const COMPILER: &str = "\
#!/bin/sh
case \"$1\" in -E) echo '\"clang\" \"gcc\"'; exit 0 ;; '-?') exit 1 ;; esac
while [ $# -gt 0 ]; do
  if [ \"$1\" = -o ]; then : > \"$2\"; fi
  shift
done
";

/// The command that compiles everything, with arguments for Clippy.
///
/// # Errors
/// A sentence with the command that installs what is missing.
pub fn check(lints: &[&str]) -> TaskResult<Command> {
    let installed = shell::output_of(&["rustup", "target", "list", "--installed"]);
    let installed = installed.unwrap_or_default();
    if !TARGETS.iter().all(|target| installed.lines().any(|line| line == *target)) {
        let targets = TARGETS.join(" ");
        return Err(format!("The check for macOS needs more. Run:\n  rustup target add {targets}"));
    }
    let folder = paths::target().join("macos");
    let compiler = folder.join("clang");
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&compiler, COMPILER));
    written.map_err(|error| format!("{}: {error}", folder.display()))?;
    shell::run(shell::command(&["chmod", "+x"]).arg(&compiler))?;
    let mut command = shell::command(&["cargo", "clippy", "--workspace", "--all-targets"]);
    for target in TARGETS {
        command.args(["--target", target]);
        for name in ["CC", "CXX"] {
            command.env(format!("{name}_{}", target.replace('-', "_")), &compiler);
        }
    }
    // Apple's libraries are searched for in this folder, which needs to exist.
    command.env("SDKROOT", &folder).arg("--").args(lints);
    Ok(command)
}
