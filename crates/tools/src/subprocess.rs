//! Starting other programs: which one, with what environment, and ending it with its children.
//!
//! A desktop program is started with a short PATH and, at a developer's, with keys in its
//! environment. What is started here gets the PATH of the user's login shell and of the places
//! where version managers put things, and nothing else that was not listed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio::sync::OnceCell;

/// What every started program gets of Skein's own environment.
const PASSED_ON: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "TERM",
    // Where a window opens and a browser is found, and where keys are asked for that nobody is given.
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "XDG_SESSION_TYPE",
    "XDG_CURRENT_DESKTOP",
    "XDG_DATA_DIRS",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "DBUS_SESSION_BUS_ADDRESS",
    "SSH_AUTH_SOCK",
    // Without these, what downloads itself reaches nothing behind a proxy.
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    // Windows does not start most programs without these.
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "USERNAME",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PROGRAMW6432",
    "COMMONPROGRAMFILES",
    "COMMONPROGRAMFILES(X86)",
    "COMMONPROGRAMW6432",
    "ALLUSERSPROFILE",
    "PUBLIC",
    "OS",
    "COMPUTERNAME",
    "PSMODULEPATH",
    "PROCESSOR_ARCHITECTURE",
    "NUMBER_OF_PROCESSORS",
];

/// How long the login shell may take to say its PATH.
const SHELL_PATIENCE: Duration = Duration::from_secs(5);

/// The environment of a started program: the few variables above, the locale, the whole PATH.
pub(super) async fn environment() -> BTreeMap<String, String> {
    let mut environment: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| {
            let upper = name.to_ascii_uppercase();
            PASSED_ON.contains(&upper.as_str()) || upper.starts_with("LC_")
        })
        .collect();
    complete(&mut environment, std::env::consts::OS);
    let path = std::env::join_paths(search_path().await).ok();
    if let Some(path) = path.and_then(|path| path.into_string().ok()) {
        environment.insert("PATH".into(), path);
    }
    environment
}

/// Adds what a program of the desktop is not given by its system, and should be.
fn complete(environment: &mut BTreeMap<String, String>, system: &str) {
    // Without a locale many programs take no letter beyond ASCII.
    let is_locale = |name: &String| name == "LANG" || name.starts_with("LC_");
    if system == "macos" && !environment.keys().any(is_locale) {
        environment.insert("LC_CTYPE".into(), "UTF-8".into());
    }
    // Else `cmd.exe` runs the `git.exe` that lies in the session's folder in place of the user's own.
    if system == "windows" {
        environment.insert("NoDefaultCurrentDirectoryInExePath".into(), "1".into());
    }
}

/// The passwords of proxies in an environment, alone and with whose they are, as they are written there and
/// as they are: at many companies everything reaches the net through one.
pub(super) fn proxy_passwords(environment: &BTreeMap<String, String>) -> Vec<String> {
    let is_proxy = |name: &str| name.to_ascii_uppercase().ends_with("_PROXY");
    let proxies = environment.iter().filter(|(name, _)| is_proxy(name));
    let found = proxies.filter_map(|(_, address)| {
        let rest = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
        let (signed_in, _) = rest.rsplit_once('@')?;
        let (_, password) = signed_in.split_once(':')?;
        let decoded = |text| percent_decode_str(text).decode_utf8_lossy().into_owned();
        Some([signed_in.to_owned(), decoded(signed_in), password.to_owned(), decoded(password)])
    });
    found.flatten().collect()
}

/// Where programs are looked for; found out once.
pub(super) async fn search_path() -> &'static [PathBuf] {
    static PATH: OnceCell<Vec<PathBuf>> = OnceCell::const_new();
    PATH.get_or_init(|| async {
        let split = |path: &OsString| std::env::split_paths(path).collect::<Vec<_>>();
        let inherited = std::env::var_os("PATH").as_ref().map(split).unwrap_or_default();
        let login = login_path().await.as_ref().map(split).unwrap_or_default();
        let home = std::env::home_dir().unwrap_or_default();
        merge_search_paths(login, inherited, &home)
    })
    .await
}

/// The login shell's places, then the inherited ones, then where version managers put things: each
/// once, as far as they are there.
pub(super) fn merge_search_paths(
    login: Vec<PathBuf>,
    inherited: Vec<PathBuf>,
    home: &Path,
) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = Vec::new();
    for place in login.into_iter().chain(inherited).chain(usual_places(home)) {
        if place.is_absolute() && !places.contains(&place) && place.is_dir() {
            places.push(place);
        }
    }
    places
}

/// Where Node's and Python's version managers and package managers put programs.
fn usual_places(home: &Path) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = [
        ".local/bin",
        ".cargo/bin",
        ".volta/bin",
        ".bun/bin",
        ".deno/bin",
        ".asdf/shims",
        ".pyenv/shims",
        ".local/share/mise/shims",
        ".local/share/fnm/aliases/default/bin",
        "Library/Application Support/fnm/aliases/default/bin",
        ".fnm/aliases/default/bin",
        "AppData/Roaming/npm",
        "AppData/Local/Programs/Python/Launcher",
    ]
    .iter()
    .map(|place| home.join(place))
    .collect();
    places.extend(newest_of_nvm(home));
    places.extend(
        [
            "/opt/homebrew/bin",
            "/usr/local/bin",
            "/home/linuxbrew/.linuxbrew/bin",
            "/usr/bin",
            "/bin",
            "C:\\Program Files\\nodejs",
        ]
        .map(PathBuf::from),
    );
    places
}

/// The newest Node that nvm installed: its default is a chain of aliases only nvm can follow.
fn newest_of_nvm(home: &Path) -> Option<PathBuf> {
    let version = |path: &Path| -> Option<Vec<u32>> {
        let name = path.file_name()?.to_str()?;
        name.strip_prefix('v')?.split('.').map(|part| part.parse().ok()).collect()
    };
    let installed = std::fs::read_dir(home.join(".nvm/versions/node")).ok()?;
    let newest = installed.flatten().map(|entry| entry.path()).max_by_key(|path| version(path))?;
    version(&newest).map(|_| newest.join("bin"))
}

/// The PATH of an interactive login shell, which is where people's own start files set it. `None`
/// on Windows, and where the shell does not answer.
async fn login_path() -> Option<OsString> {
    if cfg!(windows) {
        return None;
    }
    const MARK: &str = "__skein_path__";
    let shell = std::env::var_os("SHELL").unwrap_or_else(|| "/bin/sh".into());
    let mut command = Command::new(shell);
    command.args(["-i", "-l", "-c", &format!("printf '\\n{MARK}%s{MARK}\\n' \"$PATH\"")]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = spawn(command).ok()?;
    let mut stdout = child.0.stdout().take()?;
    let mut said = Vec::new();
    // Not until its end: a start file may leave something running that holds the pipe open.
    let answered = async {
        let mut chunk = [0; 4096];
        while let Ok(length @ 1..) = stdout.read(&mut chunk).await {
            said.extend(chunk.iter().take(length));
            let text = String::from_utf8_lossy(&said);
            if let Some(path) = text.split(MARK).nth(1).filter(|_| text.matches(MARK).count() > 1) {
                return Some(OsString::from(path));
            }
        }
        None
    };
    tokio::time::timeout(SHELL_PATIENCE, answered).await.ok().flatten()
}

/// The program a command means. A path stays what it is; a name is looked for, on Windows also
/// with the endings under which `npx` and the like are installed there.
pub(super) fn find_program(name: &str, places: &[PathBuf]) -> Option<PathBuf> {
    let below_home = ["~/", "~\\"].iter().find_map(|home| name.strip_prefix(home));
    let name = match below_home {
        Some(rest) => std::env::home_dir()?.join(rest),
        None => PathBuf::from(name),
    };
    which::which_in(name, std::env::join_paths(places).ok(), ".").ok()
}

/// Starts a command at the head of a session of its own, and so without the terminal that Skein may
/// have been started from: an interactive shell that is not in front of it would stop itself, and a
/// question for a password would be asked there. On Windows: in a job of its own, and without the
/// console that a program of the desktop would otherwise open for it.
pub(super) fn spawn(command: Command) -> std::io::Result<ProcessGroup> {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::tokio::ProcessSession);
    #[cfg(windows)]
    {
        use percent_encoding::percent_decode_str;
        use process_wrap::tokio::{CreationFlags, JobObject, KillOnDrop};
        use windows::Win32::System::Threading::CREATE_NO_WINDOW;
        // Killed when the last handle to its job is closed, however Skein ends.
        command.wrap(KillOnDrop).wrap(CreationFlags(CREATE_NO_WINDOW)).wrap(JobObject);
    }
    Ok(ProcessGroup(command.spawn()?))
}

/// A running program and all it started. Dropped, all of it is killed.
#[derive(Debug)]
pub(super) struct ProcessGroup(pub Box<dyn ChildWrapper>);

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        // Fails when nothing of it is left, which is what is wanted.
        let _ = self.0.start_kill();
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
