//! Running other programs: silently to ask something, openly to do something, and openly while
//! reading along.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::TaskResult;
use crate::paths;

/// A command in the root of the checkout. A first word of `npm` is what the platform calls it.
pub fn command(words: &[&str]) -> Command {
    let (program, arguments) = words.split_first().unwrap_or((&"", &[]));
    let program = if cfg!(windows) && *program == "npm" { "npm.cmd" } else { program };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(paths::root());
    // Cargo reads them from the folder it is started in, which is not the one this was started in.
    for name in ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"] {
        if let Some(folder) = std::env::var_os(name).and_then(|it| std::path::absolute(it).ok()) {
            command.env(name, folder);
        }
    }
    command
}

/// What a command printed, if it is there and succeeded.
pub fn output_of(words: &[&str]) -> Option<String> {
    let output = command(words).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a command in the open, and says which one it is.
pub fn run(command: &mut Command) -> TaskResult {
    read_along(command, Reading::Nothing, |_| {})
}

/// Runs a command in the open and shows each line of its output to `see`.
pub fn watch(command: &mut Command, see: impl FnMut(&str)) -> TaskResult {
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
            let text = String::from_utf8_lossy(&bytes);
            println!("{text}");
            see(&text);
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
