//! The PATH of the login shell, which a desktop program does not inherit.
//!
//! Start files leave agents behind, and version managers hold locks while they run. Therefore a shell that
//! has answered runs to its end, and a late one gets signals after which it can clean up.

use std::ffi::OsString;
use std::process::Stdio;
use std::time::Duration;

use process_wrap::tokio::ChildWrapper;
use tokio::io::AsyncReadExt;
use tokio::process::Command;

use super::spawn_session;

/// The time limit of an answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The PATH that the login shell of the user tells; `None` if it tells none, and on Windows, which has no
/// login shell.
pub(super) async fn path() -> Option<OsString> {
    if cfg!(windows) {
        return None;
    }
    let shell = std::env::var_os("SHELL").unwrap_or_else(|| "/bin/sh".into());
    path_of(shell, TIMEOUT).await
}

pub(super) async fn path_of(shell: OsString, limit: Duration) -> Option<OsString> {
    const MARK: &str = "__skein_path__";
    let mut command = Command::new(shell);
    command.args(["-i", "-l", "-c", &format!("printf '\\n{MARK}%s{MARK}\\n' \"$PATH\"")]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = spawn_session(command).ok()?;
    let mut stdout = child.stdout().take()?;
    let mut output = Vec::new();
    // Not until the end of the pipe: a start file may leave a process that keeps it open.
    let answer = async {
        let mut chunk = [0; 4096];
        while let Ok(length @ 1..) = stdout.read(&mut chunk).await {
            output.extend(chunk.iter().take(length));
            let text = String::from_utf8_lossy(&output);
            if let Some(path) = text.split(MARK).nth(1).filter(|_| text.matches(MARK).count() > 1) {
                return Some(OsString::from(path));
            }
        }
        None
    };
    let answer = tokio::time::timeout(limit, answer).await;
    if answer.is_err() {
        hang_up(child.as_ref());
    }
    answer.ok().flatten()
}

/// Ends a shell and its children as a terminal does that is closed. After `nohup` they ignore the first
/// signal, and an interactive shell ignores the second.
fn hang_up(child: &dyn ChildWrapper) {
    #[cfg(unix)]
    {
        const SIGHUP: i32 = 1;
        const SIGTERM: i32 = 15;
        for signal in [SIGHUP, SIGTERM] {
            // Fails if all have exited already.
            let _ = child.signal(signal);
        }
    }
    #[cfg(not(unix))]
    let _ = child;
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::*;

    /// A shell with this start file. It runs the command that follows `-c`.
    fn shell(folder: &Path, start_file: &str) -> OsString {
        let shell = folder.join("shell");
        let script = format!("#!/bin/sh\ncd '{}'\n{start_file}\neval \"$4\"\n", folder.display());
        fs::write(&shell, script).unwrap();
        fs::set_permissions(&shell, fs::Permissions::from_mode(0o755)).unwrap();
        shell.into()
    }

    async fn is_soon(state: impl Fn() -> bool) -> bool {
        for _ in 0..400 {
            if state() {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        false
    }

    #[tokio::test]
    async fn a_process_that_a_start_file_leaves_runs_on() {
        let folder = tempfile::tempdir().unwrap();
        let agent = "(while [ ! -e asked ]; do sleep 0.1; done; : > answered) >/dev/null &";
        let path = path_of(shell(folder.path(), agent), Duration::from_secs(20)).await;
        assert!(path.is_some());
        fs::write(folder.path().join("asked"), "").unwrap();
        let answered = folder.path().join("answered");
        assert!(is_soon(|| answered.exists()).await, "the process was killed");
    }

    #[tokio::test]
    async fn a_late_shell_gives_back_the_lock_that_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        let lock = folder.path().join("lock");
        let slow = ": > lock; trap 'rm lock; exit' HUP TERM; : > locked; sleep 600";
        let (shell, locked) = (shell(folder.path(), slow), folder.path().join("locked"));
        let asked = tokio::spawn(path_of(shell, Duration::from_secs(5)));
        assert!(is_soon(|| locked.exists()).await, "the shell has no lock");
        assert_eq!(asked.await.unwrap(), None);
        assert!(is_soon(|| !lock.exists()).await, "the lock stays");
    }
}
