//! Runs other programs: silently for their output, visibly, or visibly with their output read.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::TaskResult;
use crate::paths;

/// A command in the root of the checkout. `npm` is replaced by its name on this platform.
pub fn command(words: &[&str]) -> Command {
    let (program, arguments) = words.split_first().unwrap_or((&"", &[]));
    let program = if cfg!(windows) && *program == "npm" { "npm.cmd" } else { program };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(paths::root());
    // Cargo resolves them relative to its working directory, which differs from this program's.
    for name in ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"] {
        if let Some(folder) = std::env::var_os(name).and_then(|it| std::path::absolute(it).ok()) {
            command.env(name, folder);
        }
    }
    command
}

/// The output of a command, if it exists and succeeded.
pub fn output_of(words: &[&str]) -> Option<String> {
    let output = command(words).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Prints a command and runs it.
pub fn run(command: &mut Command) -> TaskResult {
    read_along(command, Reading::Nothing, |_| {})
}

/// Prints a command, runs it, and passes each line of its output to `see`.
pub fn watch(command: &mut Command, mut see: impl FnMut(&str)) -> TaskResult {
    read_along(command, Reading::Lines, |line| {
        println!("{line}");
        see(line);
    })
}

/// As `watch`, for output that is not for people: it is not printed.
pub fn read(command: &mut Command, see: impl FnMut(&str)) -> TaskResult {
    read_along(command, Reading::Lines, see)
}

enum Reading {
    Nothing,
    Lines,
}

fn read_along(command: &mut Command, reading: Reading, mut see: impl FnMut(&str)) -> TaskResult {
    let line = as_typed(command);
    println!("$ {line}");
    if matches!(reading, Reading::Lines) {
        command.stdout(Stdio::piped());
    }
    let mut child = command.spawn().map_err(|error| format!("`{line}` did not start: {error}"))?;
    if let Some(stdout) = child.stdout.take() {
        for bytes in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            see(&String::from_utf8_lossy(&bytes));
        }
    }
    std::io::stdout().flush().ok();
    let status = child.wait().map_err(|error| format!("`{line}` was lost: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{line}` failed ({status}).")) }
}

fn as_typed(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(program.as_os_str());
    std::iter::once(program)
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
