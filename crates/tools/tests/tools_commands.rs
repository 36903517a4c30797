//! `run_command`: its environment, its output and its end. Each system has its own shell; a test of
//! both has two command lines.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod tools_support;

#[cfg(any(target_os = "linux", windows))]
use std::fs;
use std::sync::Arc;

#[cfg(any(target_os = "linux", windows))]
use scripted_server::until;
use serde_json::json;
use skein_platform::plain_path::plain_path;
use skein_tools::{ApprovalPreview, ToolInvocation};
use tokio_util::sync::CancellationToken;

use tools_support::{Notebook, call, done, named, tools};
#[cfg(any(target_os = "linux", windows))]
use tools_support::{call_until, failed};

/// The line for `sh` or for `cmd.exe`.
fn line(sh: &'static str, cmd: &'static str) -> &'static str {
    if cfg!(windows) { cmd } else { sh }
}

#[tokio::test]
async fn a_command_runs_in_the_folder_with_a_clean_environment() {
    let folder = tempfile::tempdir().unwrap();
    let tools = tools(Some(folder.path()), Arc::new(Notebook::default()));
    let run = named(&tools, "run_command");
    let command = line("pwd; echo to stderr >&2; exit 3", "cd & (echo to stderr)>&2 & exit 3");
    let args = json!({ "command": command });
    let root = plain_path(&folder.path().canonicalize().unwrap()).display().to_string();
    assert_eq!(
        run.preview(&args).await,
        Ok(Some(ApprovalPreview::Command { line: command.into(), folder: root.clone() }))
    );
    let said = done(call(&run, args).await);
    let mut lines: Vec<&str> = said.lines().collect();
    lines.sort_unstable();
    let mut expected = vec![root.as_str(), "[exit code 3]", "to stderr"];
    expected.sort_unstable();
    assert_eq!(lines, expected);
    // Cargo sets this for the test; a command gets listed variables only.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let said = done(call(&run, json!({ "command": line("env", "set") })).await);
    assert!(!said.contains("CARGO_MANIFEST_DIR"), "{said}");
    assert!(said.to_uppercase().contains("PATH="), "{said}");
}

#[cfg(windows)]
#[test]
#[ignore = "the test below runs it, as a program that a command leaves running"]
fn locks_a_file_until_it_is_ended() {
    use std::os::windows::fs::OpenOptionsExt;
    let lock = fs::File::options().write(true).create(true).share_mode(0).open("held.txt");
    let _lock = lock.unwrap();
    std::thread::sleep(std::time::Duration::from_secs(120));
}

#[cfg(windows)]
#[tokio::test]
async fn no_process_outlives_the_command_that_started_it() {
    let folder = tempfile::tempdir().unwrap();
    let tools = tools(Some(folder.path()), Arc::new(Notebook::default()));
    let again = std::env::current_exe().unwrap().display().to_string();
    let command = format!(
        "start /b \"\" \"{again}\" --ignored --exact locks_a_file_until_it_is_ended & ping -n 120 127.0.0.1"
    );
    let held = folder.path().join("held.txt");
    let is_held = || held.exists() && fs::File::open(&held).is_err();
    let cancel = CancellationToken::new();
    let stop = async {
        until("it has begun", async || is_held()).await;
        cancel.cancel();
    };
    let run = named(&tools, "run_command");
    let (stopped, ()) =
        tokio::join!(call_until(&run, json!({ "command": command }), cancel.clone()), stop);
    failed(stopped);
    until("it has ended", async || !is_held()).await;
}

#[cfg(windows)]
#[tokio::test]
async fn what_cmd_would_read_otherwise_than_it_was_shown_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let tools = tools(Some(folder.path()), Arc::new(Notebook::default()));
    let args = json!({ "command": "echo one\necho two" });
    let shown = named(&tools, "run_command").preview(&args).await;
    assert!(shown.is_err_and(|why| why.contains("one line")));
}

/// The number of processes with this word in their command line.
#[cfg(target_os = "linux")]
fn running(word: &str) -> usize {
    fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .filter(|line| String::from_utf8_lossy(line).contains(word))
        .count()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_command_is_ended_with_its_children_on_time_out_cancel_and_exit() {
    let folder = tempfile::tempdir().unwrap();
    let tools = tools(Some(folder.path()), Arc::new(Notebook::default()));
    let run = named(&tools, "run_command");
    // Unique to this run, because others may run at the same time.
    let [one, two, three] = [1, 2, 3].map(|at| format!("31.{:07}{at}", std::process::id()));
    let gone = async |time: &str| until("it has ended", async || running(time) == 0).await;
    let args = json!({ "command": format!("sleep {one} & sleep {one}"), "timeout_seconds": 1 });
    assert!(done(call(&run, args).await).contains("killed"));
    gone(&one).await;

    let cancel = CancellationToken::new();
    let stop = async {
        until("both sleep", async || running(&two) >= 2).await;
        cancel.cancel();
    };
    let args = json!({ "command": format!("(sleep {two} &) ; sleep {two}") });
    let (stopped, ()) = tokio::join!(call_until(&run, args, cancel.clone()), stop);
    failed(stopped);
    gone(&two).await;

    let command = format!("sleep {three} & echo done");
    let said = done(call(&run, json!({ "command": command })).await);
    assert_eq!(said, "done\n[exit code 0]");
    gone(&three).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_command_that_has_ended_is_not_held_up_by_what_went_on_in_a_session_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let tools = tools(Some(folder.path()), Arc::new(Notebook::default()));
    let talks = "i=0; while [ $i -lt 300 ]; do echo on; sleep 0.05; i=$((i+1)); done";
    let command = format!("setsid sh -c '{talks}' & sleep 0.2; echo done");
    let args = json!({ "command": command, "timeout_seconds": 10 });
    let said = done(call(&named(&tools, "run_command"), args).await);
    assert!(said.ends_with("[exit code 0]"), "{said}");
}

#[cfg_attr(windows, ignore = "cmd.exe has no quick way to print nine megabytes")]
#[tokio::test]
async fn a_command_that_floods_is_kept_to_its_beginning_and_end() {
    let folder = tempfile::tempdir().unwrap();
    let tools = tools(Some(folder.path()), Arc::new(Notebook::default()));
    let command = "echo first; head -c 9000000 /dev/zero | tr '\\0' x; echo; echo last";
    let said = done(call(&named(&tools, "run_command"), json!({ "command": command })).await);
    assert!(said.starts_with("first\nxxx"));
    assert!(said.ends_with("xxx\nlast\n[exit code 0]"));
    assert!(said.contains("bytes of output were not kept"));
    assert!(said.len() < 5_000_000);
}

#[tokio::test]
async fn progress_is_told_while_a_command_runs() {
    let folder = tempfile::tempdir().unwrap();
    let tools = tools(Some(folder.path()), Arc::new(Notebook::default()));
    let (progress, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let command = line(
        "sleep 0.3; echo halfway; sleep 0.2",
        "ping -n 2 127.0.0.1 >nul & (echo halfway) & ping -n 2 127.0.0.1 >nul",
    );
    let args = json!({ "command": command });
    let run = named(&tools, "run_command");
    run.run(ToolInvocation { args, cancel: CancellationToken::new(), progress }).await;
    assert_eq!(heard.recv().await.as_deref(), Some("halfway"));
}
