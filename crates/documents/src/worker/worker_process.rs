//! Reads a document or a web page in a process of its own: this program, started with an internal
//! argument. A hostile file can make a parser allocate until it is stopped; a process can be
//! stopped, a thread cannot.
//!
//! The process reads the length of its input and the input from stdin, and writes its result as
//! JSON to stdout. Its stdin stays open until the result has arrived: if stdin closes earlier, the
//! parent is gone and the process exits. It gets no environment variables, where people keep keys,
//! and only the resources that `process_limits` allows. If no program was set, as in tests, or it
//! cannot be started, the document is read in this process.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio, exit};
use std::sync::OnceLock;
use std::{env, thread};

use serde::Serialize;
use serde::de::DeserializeOwned;
use skein_domain::error::FileError;

use super::process_limits;
use crate::document_kind::read_here;
use crate::html;
use crate::html::WebPage;

#[derive(Debug, Clone, Copy)]
pub(crate) enum WorkerTask {
    /// The input is the bytes of a document.
    Document,
    /// The input is a [`WebPage`] as JSON.
    Page,
}

impl WorkerTask {
    const ALL: [Self; 2] = [Self::Document, Self::Page];

    /// The command-line argument of the task.
    fn argument(self) -> &'static str {
        match self {
            Self::Document => "--read-document",
            Self::Page => "--read-page",
        }
    }
}

/// The memory limit of reading a document, in bytes: several times the need of the largest file
/// that is accepted.
const MAX_MEMORY: u32 = 1024 * 1024 * 1024;

/// Environment variables that a process needs to start: the libraries of an AppImage, and Windows'
/// own.
const KEPT_VARIABLES: [&str; 2] = ["LD_LIBRARY_PATH", "SystemRoot"];

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Sets the program that reads documents from now on. It must call [`run_worker`] first.
pub fn set_worker_program(program: PathBuf) {
    // A second call would name the same program.
    let _ = PROGRAM.set(program);
}

/// Runs the task of this process; `None` if it was started for something else.
pub fn run_worker() -> Option<ExitCode> {
    let argument = env::args_os().nth(1)?;
    let reader = WorkerTask::ALL.into_iter().find(|reader| argument == reader.argument())?;
    process_limits::restrict();
    Some(answer(reader).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS))
}

fn answer(reader: WorkerTask) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let mut bytes = Vec::new();
    input.by_ref().take(u64::from_le_bytes(length)).read_to_end(&mut bytes)?;
    drop(input);
    thread::spawn(|| {
        // Nothing more arrives; the read returns when the parent closes the pipe.
        let _ = io::stdin().read(&mut [0]);
        exit(1);
    });
    match reader {
        WorkerTask::Document => say(&read_here(bytes, has_room)),
        WorkerTask::Page => {
            let page: WebPage = serde_json::from_slice(&bytes)?;
            say(&html::extract_in_process(page, has_room))
        }
    }
}

fn say(found: &impl Serialize) -> io::Result<()> {
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, found)?;
    output.flush()
}

fn has_room() -> Result<(), FileError> {
    let held = memory_stats::memory_stats().map_or(0, |held| held.physical_mem);
    let fits = held <= MAX_MEMORY as usize;
    if fits { Ok(()) } else { Err(FileError::Unpacks { limit: MAX_MEMORY }) }
}

/// Runs a task in a process of its own; `None` if none can be started.
pub(crate) fn read_in_worker<T: DeserializeOwned>(
    reader: WorkerTask,
    bytes: &[u8],
) -> Option<Result<T, FileError>> {
    let begun = command(PROGRAM.get()?, reader).spawn();
    let mut child = begun
        .inspect_err(|error| tracing::warn!(%error, "no process to read a document in"))
        .ok()?;
    let answered = exchange(&mut child, bytes, u64::from(MAX_MEMORY));
    // The process has ended, or its result is useless.
    let _ = child.kill();
    let _ = child.wait();
    Some(answered.unwrap_or_else(|error| {
        tracing::warn!(%error, "the process that read a document ended");
        Err(FileError::Broken {})
    }))
}

fn command(program: &Path, reader: WorkerTask) -> Command {
    let mut command = Command::new(program);
    command
        .arg(reader.argument())
        .env_clear()
        .envs(KEPT_VARIABLES.iter().filter_map(|name| Some((name, env::var_os(name)?))))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// Sends the input and reads the result. `longest` limits the result in bytes; a longer one is an
/// error.
fn exchange<T: DeserializeOwned>(
    child: &mut Child,
    bytes: &[u8],
    longest: u64,
) -> io::Result<Result<T, FileError>> {
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    input.write_all(&(bytes.len() as u64).to_le_bytes())?;
    input.write_all(bytes)?;
    let mut said = Vec::new();
    // A parser that an attacker controls may write without end.
    output.take(longest).read_to_end(&mut said)?;
    Ok(serde_json::from_slice(&said)?)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_reads_a_document_knows_nothing_of_the_environment() {
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("env");
        std::fs::write(&program, "#!/bin/sh\nexec /usr/bin/env\n").unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o700)).unwrap();
        let said = command(&program, WorkerTask::Document).output().unwrap().stdout;
        let said = String::from_utf8(said).unwrap();
        for (name, _) in env::vars().filter(|(name, _)| !KEPT_VARIABLES.contains(&name.as_str())) {
            // The shell sets these itself.
            if !["PWD", "OLDPWD", "SHLVL", "_", "PATH"].contains(&name.as_str()) {
                assert!(!said.contains(&format!("{name}=")), "{name} in {said}");
            }
        }
        assert!(env::var("CARGO_MANIFEST_DIR").is_ok(), "there is something to know");
    }

    #[test]
    fn an_answer_that_is_longer_than_there_is_room_for_is_not_taken() {
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("talks");
        let words = "w".repeat(2_000);
        let script = format!("#!/bin/sh\nread -r _\nprintf '%s' '{{\"Ok\":\"{words}\"}}'\n");
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o700)).unwrap();
        let answer = |longest| {
            let mut child = command(&program, WorkerTask::Document).spawn().unwrap();
            let answer = exchange::<String>(&mut child, b"a document\n", longest);
            child.wait().unwrap();
            answer
        };
        assert_eq!(answer(10_000).unwrap(), Ok(words.clone()));
        assert!(answer(1_000).is_err());
    }
}
