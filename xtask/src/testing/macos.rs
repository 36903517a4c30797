//! `cargo xtask test --macos`: checks that the whole workspace, tests included, compiles for macOS, with the C
//! of its libraries.
//!
//! Nothing is linked and nothing runs: that needs Apple's libraries and a Mac. The C is compiled by Zig, which
//! has the headers of Apple's C library. Objective-C needs further headers, and is not compiled.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Install, TaskResult};
use crate::{paths, shell};

/// Rust's names of both processors, and Zig's.
const TARGETS: [(&str, &str); 2] =
    [("aarch64-apple-darwin", "aarch64-macos"), ("x86_64-apple-darwin", "x86_64-macos")];

/// The release of the PyPI package `ziglang`.
const ZIG: &str = "ziglang==0.17.1";

/// Passes the arguments of Clang to Zig, without those that name the system and Apple's kit: Zig has another
/// name for the system, and needs no kit. For Objective-C it writes an empty file instead.
const COMPILER: &str = "\
#!/bin/sh
case \" $* \" in *'.m '*)
  while [ $# -gt 0 ]; do
    if [ \"$1\" = -o ]; then : > \"$2\"; fi
    shift
  done
  exit 0 ;;
esac
left=$#
while [ \"$left\" -gt 0 ]; do
  word=$1; shift; left=$((left - 1))
  case \"$word\" in
    -arch|-isysroot) shift; left=$((left - 1)) ;;
    --target=*|-mmacosx-version-min=*) ;;
    *) set -- \"$@\" \"$word\" ;;
  esac
done
";

/// The command that compiles everything, with arguments for Clippy.
///
/// # Errors
/// A sentence with the command that installs what is missing.
pub fn check(lints: &[&str], install: Install) -> TaskResult<Command> {
    let installed = shell::output_of(&["rustup", "target", "list", "--installed"]);
    let installed = installed.unwrap_or_default();
    if !TARGETS.iter().all(|(target, _)| installed.lines().any(|line| line == *target)) {
        let targets = TARGETS.map(|(target, _)| target).join(" ");
        return Err(format!("The check for macOS needs more. Run:\n  rustup target add {targets}"));
    }
    let python = ensure_zig(install)?;
    let folder = paths::target().join("macos");
    fs::create_dir_all(&folder).map_err(paths::failed(&folder))?;
    let mut command = shell::command(&["cargo", "clippy", "--workspace", "--all-targets"]);
    for (target, name) in TARGETS {
        command.args(["--target", target]);
        let compiler = folder.join(format!("clang-{name}"));
        write_compiler(&compiler, &python, name)?;
        command.env(format!("CC_{}", target.replace('-', "_")), &compiler);
    }
    // Apple's libraries are searched for in this folder, which needs to exist.
    command.env("SDKROOT", &folder).arg("--").args(lints);
    Ok(command)
}

fn write_compiler(path: &Path, python: &str, target: &str) -> TaskResult {
    let script = format!("{COMPILER}exec '{python}' -m ziglang cc -target {target} \"$@\"\n");
    fs::write(path, script).map_err(paths::failed(path))?;
    shell::run(shell::command(&["chmod", "+x"]).arg(path))
}

/// The Python whose environment has Zig. It is made below `target` on first use.
fn ensure_zig(install: Install) -> TaskResult<String> {
    let folder = paths::target().join("tools/zig").display().to_string();
    let python = format!("{folder}/bin/python");
    if shell::output_of(&[&python, "-m", "ziglang", "version"]).is_some() {
        return Ok(python);
    }
    let steps = [&["python3", "-m", "venv", &folder][..], &[&python, "-m", "pip", "install", ZIG]];
    if install == Install::Refused {
        let words = steps.map(|words| words.join(" ")).join("\n  ");
        return Err(format!("The check for macOS needs Zig, for C. Run:\n  {words}"));
    }
    println!("Installing Zig, which compiles C for macOS.");
    for words in steps {
        shell::run(&mut shell::command(words))?;
    }
    Ok(python)
}
