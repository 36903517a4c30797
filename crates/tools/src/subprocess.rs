//! Starts other programs with a defined environment, and ends them with their children.
//!
//! A desktop program has a short PATH and, on a developer's machine, keys in its environment.
//! Started programs get the PATH of the login shell extended by the folders of version managers,
//! and only listed variables.

mod login_shell;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::process::Command;
use tokio::sync::OnceCell;

/// Variables of Skein's own environment that every started program gets.
const INHERITED_VARIABLES: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "TERM",
    // Variables that open windows and browsers, and the sockets of SSH and GPG agents, which reveal no key.
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
    // Without these, programs that download themselves fail behind a proxy.
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

/// The environment of a started program: the listed variables, the locale, and the complete PATH.
pub(super) async fn environment() -> BTreeMap<String, String> {
    let mut environment: BTreeMap<String, String> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| {
            let upper = name.to_ascii_uppercase();
            INHERITED_VARIABLES.contains(&upper.as_str()) || upper.starts_with("LC_")
        })
        .collect();
    complete(&mut environment, std::env::consts::OS);
    let path = std::env::join_paths(search_path().await).ok();
    if let Some(path) = path.and_then(|path| path.into_string().ok()) {
        environment.insert("PATH".into(), path);
    }
    environment
}

/// Adds variables that desktop programs lack and other programs need.
fn complete(environment: &mut BTreeMap<String, String>, system: &str) {
    // Without a locale many programs reject non-ASCII letters.
    let is_locale = |name: &String| name == "LANG" || name.starts_with("LC_");
    if system == "macos" && !environment.keys().any(is_locale) {
        environment.insert("LC_CTYPE".into(), "UTF-8".into());
    }
    // Otherwise `cmd.exe` prefers a `git.exe` in the workspace over the user's own.
    if system == "windows" {
        environment.insert("NoDefaultCurrentDirectoryInExePath".into(), "1".into());
    }
}

/// The proxy passwords in an environment, alone and with their user names, encoded and decoded.
/// Many companies have one proxy for everything.
pub(super) fn proxy_passwords(environment: &BTreeMap<String, String>) -> Vec<String> {
    let is_proxy = |name: &str| name.to_ascii_uppercase().ends_with("_PROXY");
    let proxies = environment.iter().filter(|(name, _)| is_proxy(name));
    let passwords = proxies.filter_map(|(_, address)| {
        let rest = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
        let (signed_in, _) = rest.rsplit_once('@')?;
        let (_, password) = signed_in.split_once(':')?;
        let decoded = |text| percent_decode_str(text).decode_utf8_lossy().into_owned();
        Some([signed_in.to_owned(), decoded(signed_in), password.to_owned(), decoded(password)])
    });
    passwords.flatten().collect()
}

/// The folders in which programs are searched. Computed once.
pub(super) async fn search_path() -> &'static [PathBuf] {
    static PATH: OnceCell<Vec<PathBuf>> = OnceCell::const_new();
    PATH.get_or_init(|| async {
        let split = |path: &OsString| std::env::split_paths(path).collect::<Vec<_>>();
        let inherited = std::env::var_os("PATH").as_ref().map(split).unwrap_or_default();
        let login = login_shell::path().await.as_ref().map(split).unwrap_or_default();
        let home = std::env::home_dir().unwrap_or_default();
        merge_search_paths(login, inherited, &home)
    })
    .await
}

/// The folders of the login shell, then the inherited ones, then those of version managers, without
/// duplicates and missing ones.
pub(super) fn merge_search_paths(
    login: Vec<PathBuf>,
    inherited: Vec<PathBuf>,
    home: &Path,
) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = Vec::new();
    for place in login.into_iter().chain(inherited).chain(version_manager_folders(home)) {
        if place.is_absolute() && !places.contains(&place) && place.is_dir() {
            places.push(place);
        }
    }
    places
}

/// The folders of version and package managers of Node and Python.
fn version_manager_folders(home: &Path) -> Vec<PathBuf> {
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

/// The newest Node version installed by nvm. Its default is a chain of aliases that only nvm can
/// resolve.
fn newest_of_nvm(home: &Path) -> Option<PathBuf> {
    let version = |path: &Path| -> Option<Vec<u32>> {
        let name = path.file_name()?.to_str()?;
        name.strip_prefix('v')?.split('.').map(|part| part.parse().ok()).collect()
    };
    let installed = std::fs::read_dir(home.join(".nvm/versions/node")).ok()?;
    let newest = installed.flatten().map(|entry| entry.path()).max_by_key(|path| version(path))?;
    version(&newest).map(|_| newest.join("bin"))
}

/// The program of a command. A path stays; a name is searched, on Windows also with the extensions
/// of `npx` and the like.
pub(super) fn find_program(name: &str, places: &[PathBuf]) -> Option<PathBuf> {
    let below_home = ["~/", "~\\"].iter().find_map(|home| name.strip_prefix(home));
    let name = match below_home {
        Some(rest) => std::env::home_dir()?.join(rest),
        None => PathBuf::from(name),
    };
    which::which_in(name, std::env::join_paths(places).ok(), ".").ok()
}

/// Starts a command in a session of its own, without Skein's terminal: an interactive shell in the
/// background would stop itself, and password prompts would appear in the terminal. On Windows it
/// gets a job of its own, and no console window.
pub(super) fn spawn(command: Command) -> std::io::Result<ProcessGroup> {
    spawn_session(command).map(ProcessGroup)
}

fn spawn_session(command: Command) -> std::io::Result<Box<dyn ChildWrapper>> {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::tokio::ProcessSession);
    #[cfg(windows)]
    {
        use process_wrap::tokio::{CreationFlags, JobObject, KillOnDrop};
        use windows::Win32::System::Threading::CREATE_NO_WINDOW;
        // Windows kills it when the last handle to its job closes, however Skein ends.
        command.wrap(KillOnDrop).wrap(CreationFlags(CREATE_NO_WINDOW)).wrap(JobObject);
    }
    command.spawn()
}

/// A running program and all its children. Dropping it kills all of them.
#[derive(Debug)]
pub(super) struct ProcessGroup(pub Box<dyn ChildWrapper>);

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        // Fails if all have exited already.
        let _ = self.0.start_kill();
    }
}

#[cfg(test)]
mod tests;
