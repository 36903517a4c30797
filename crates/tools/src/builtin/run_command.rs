//! `run_command`: runs one command line in the workspace. Off until the user turns it on.
//!
//! Not here: a sandbox. The user approves the whole line; the command then has the user's rights.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use skein_domain::ids::GrantKey;
use skein_domain::tool_declaration::ToolDeclaration;
use skein_platform::charset;
use skein_platform::redactor::Redactor;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::time::sleep_until;

use super::declare::declare;
use crate::files::workspace::Workspace;
use crate::subprocess::{ProcessGroup, environment, proxy_passwords, spawn};
use crate::{ApprovalPreview, Tool, ToolEffect, ToolInvocation, ToolOutcome, parse_args};

/// The shell, as the tool's description names it.
const SHELL: &str = if cfg!(windows) {
    "`cmd.exe` on Windows (one line, quoted with double quotes; join commands with `&&`)"
} else if cfg!(target_os = "macos") {
    "`sh` on macOS (with its own tools, not GNU's)"
} else {
    "`sh`"
};
/// The default time limit, in seconds.
const DEFAULT_SECONDS: u64 = 120;
/// The largest time limit, in seconds.
const MAX_SECONDS: u64 = 1_800;
/// Bytes kept of the beginning and of the end of the output.
const MAX_KEPT: usize = 2 * 1024 * 1024;
/// The time to drain the pipes after the command has ended.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(500);
/// The shortest interval between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

pub(crate) struct RunCommand {
    pub folder: Workspace,
}

#[derive(Deserialize, JsonSchema)]
struct RunCommandArgs {
    command: String,
    #[schemars(range(min = 1, max = MAX_SECONDS))]
    timeout_seconds: Option<u64>,
}

#[async_trait]
impl Tool for RunCommand {
    fn declaration(&self) -> ToolDeclaration {
        declare::<RunCommandArgs>(
            "run_command",
            &include_str!("descriptions/run_command.md").replace("{shell}", SHELL),
        )
    }

    fn effect(&self, _args: &Value) -> ToolEffect {
        ToolEffect::Runs
    }

    /// The same line in the same folder.
    fn grant(&self, args: &Value) -> GrantKey {
        let command = args.get("command").and_then(Value::as_str).unwrap_or_default();
        GrantKey::new(format!("run_command {} $ {command}", self.folder.root().display()))
    }

    async fn preview(&self, args: &Value) -> Result<Option<ApprovalPreview>, String> {
        let args = self.understood(args)?;
        let folder = self.folder.root().display().to_string();
        Ok(Some(ApprovalPreview::Command { line: args.command, folder }))
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        let args = match self.understood(&call.args) {
            Ok(args) => args,
            Err(message) => return ToolOutcome::failed(message),
        };
        let seconds = args.timeout_seconds.unwrap_or(DEFAULT_SECONDS).clamp(1, MAX_SECONDS);
        let mut command = shell(&args.command);
        let variables = environment().await;
        let passwords = proxy_passwords(&variables);
        // The model has no need of the proxy passwords of the user's programs.
        let hidden = Redactor::new(passwords.iter().map(String::as_str));
        command.current_dir(self.folder.root()).env_clear().envs(variables);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = match spawn(command) {
            Ok(group) => group,
            Err(error) => return ToolOutcome::failed(error),
        };
        let mut output = CommandOutput::default();
        let report_progress = |line: &str| {
            let line =
                crate::output_truncation::truncate_end(&hidden.redact_whole(line.to_owned()), 200);
            let _ = call.progress.send(line);
        };
        let limit = Duration::from_secs(seconds);
        let ended = tokio::select! {
            ended = tokio::time::timeout(limit, follow(&mut group, &mut output, report_progress)) => ended,
            () = call.cancel.cancelled() => return ToolOutcome::failed("Cancelled."),
        };
        drop(group);
        match ended {
            Ok(Ok(status)) => ToolOutcome::done(hidden.redact_whole(output.text(&said_of(status)))),
            Ok(Err(error)) => ToolOutcome::failed(error),
            Err(_) => {
                let killed = format!("[killed: it ran for more than {seconds} seconds]");
                ToolOutcome::done(hidden.redact_whole(output.text(&killed)))
            }
        }
    }
}

impl RunCommand {
    fn understood(&self, args: &Value) -> Result<RunCommandArgs, String> {
        let args: RunCommandArgs = parse_args(args)?;
        let misread =
            if cfg!(windows) { cmd_misreading(&args.command, self.folder.root()) } else { None };
        misread.map_or(Ok(args), |why| Err(why.into()))
    }
}

/// The reason why `cmd.exe` would silently run something else than was approved; `None` on other
/// systems.
fn cmd_misreading(line: &str, folder: &Path) -> Option<&'static str> {
    if line.trim().contains(['\n', '\r']) {
        return Some(
            "On Windows a command is one line, of more only the first would run: join them with &&.",
        );
    }
    let shared = folder.to_str().is_some_and(|folder| folder.starts_with(r"\\"));
    shared.then_some(
        "On Windows no command runs in a folder on a network share: it would run in the system's own. \
         The other tools work here.",
    )
}

/// Reads the output until the process of the command has ended, regardless of processes that it
/// left running.
async fn follow(
    group: &mut ProcessGroup,
    output: &mut CommandOutput,
    report_progress: impl Fn(&str),
) -> std::io::Result<ExitStatus> {
    let mut stdout = group.0.stdout().take();
    let mut stderr = group.0.stderr().take();
    let mut last_report = Instant::now();
    let mut exited: Option<ExitStatus> = None;
    let mut drained = Instant::now();
    while exited.is_none() || stdout.is_some() || stderr.is_some() {
        let (mut out, mut err) = ([0; 8192], [0; 8192]);
        let (chunk, length) = tokio::select! {
            length = read(&mut stdout, &mut out), if stdout.is_some() => (&out, length),
            length = read(&mut stderr, &mut err), if stderr.is_some() => (&err, length),
            // Not the group's own wait, which includes processes that the command left running.
            status = group.0.inner_mut().wait(), if exited.is_none() => {
                exited = Some(status?);
                drained = Instant::now() + DRAIN_TIMEOUT;
                // Processes left running would keep the pipes open for ever.
                let _ = group.0.start_kill();
                continue;
            }
            () = sleep_until(drained.into()), if exited.is_some() => break,
        };
        let chunk = chunk.get(..length).unwrap_or_default();
        output.push(chunk);
        if last_report.elapsed() > PROGRESS_INTERVAL
            && let Some(line) = String::from_utf8_lossy(chunk).lines().last()
        {
            last_report = Instant::now();
            report_progress(line);
        }
    }
    exited.ok_or_else(|| std::io::Error::other("the command vanished"))
}

/// Reads a piece. A pipe that has ended is dropped.
async fn read<R: AsyncRead + Unpin>(pipe: &mut Option<R>, into: &mut [u8]) -> usize {
    let Some(reader) = pipe else { return 0 };
    let length = reader.read(into).await.unwrap_or(0);
    if length == 0 {
        *pipe = None;
    }
    length
}

fn said_of(status: ExitStatus) -> String {
    match status.code() {
        Some(0) => "[exit code 0]".into(),
        Some(code) => format!("[exit code {code}]"),
        None => format!("[ended by a signal: {status}]"),
    }
}

#[cfg(not(windows))]
fn shell(line: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(line);
    command
}

#[cfg(windows)]
fn shell(line: &str) -> Command {
    let mut command = Command::new("cmd.exe");
    command.args(["/D", "/S", "/C"]).raw_arg(format!("\"{line}\""));
    command
}

/// The beginning and the end of an output of any length.
#[derive(Default)]
struct CommandOutput {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: usize,
}

impl CommandOutput {
    fn push(&mut self, bytes: &[u8]) {
        let (head, tail) = bytes.split_at(bytes.len().min(MAX_KEPT - self.head.len()));
        self.head.extend(head);
        self.tail.extend(tail);
        let over = self.tail.len().saturating_sub(MAX_KEPT);
        self.tail.drain(..over);
        self.dropped += over;
    }

    fn text(mut self, end: &str) -> String {
        let mut text = String::new();
        if self.dropped == 0 {
            self.head.extend(&self.tail);
            text.push_str(&decode_output(&self.head));
        } else {
            text.push_str(&decode_output(&self.head));
            text.push_str(&format!("\n[… {} bytes of output were not kept …]\n", self.dropped));
            text.push_str(&decode_output(self.tail.make_contiguous()));
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text + end
    }
}

/// The text of an output: UTF-8, or the system's own encoding, which many Windows programs use. Its
/// first and last character may be cut off.
fn decode_output(bytes: &[u8]) -> Cow<'_, str> {
    let inside = bytes.iter().take(3).take_while(|byte| (0x80..0xc0).contains(*byte)).count();
    let whole = bytes.get(inside..).unwrap_or_default();
    match std::str::from_utf8(whole) {
        Err(fault) if fault.error_len().is_some() => match charset::decode(bytes) {
            Some(text) => Cow::Owned(text),
            None => String::from_utf8_lossy(bytes),
        },
        Ok(_) | Err(_) => String::from_utf8_lossy(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_writes_in_the_encoding_of_its_system_is_read() {
        let said = "驱动器 C 中的卷没有标签。卷的序列号是 1234-5678\n织布机的目录\n";
        let (gbk, _, _) = encoding_rs::GBK.encode(said);
        assert_eq!(decode_output(&gbk), said);
        assert_eq!(decode_output(said.as_bytes()), said);
        // Cut within a character, it is still UTF-8.
        let cut = decode_output(said.as_bytes().get(1..said.len() - 2).unwrap());
        assert!(cut.contains("动器 C 中的卷") && cut.contains("织布机的目"), "{cut}");
    }

    #[test]
    fn what_cmd_would_silently_do_otherwise_is_refused_before_anybody_is_asked() {
        let here = Path::new(r"C:\Loom");
        assert_eq!(cmd_misreading("dir && echo done\n", here), None);
        assert!(cmd_misreading("cd warp\ndel *.o", here).is_some_and(|why| why.contains("&&")));
        let shared = cmd_misreading("del *.o", Path::new(r"\\loom\warp"));
        assert!(shared.is_some_and(|why| why.contains("network share")));
    }
}
