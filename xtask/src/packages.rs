//! The system packages Skein is built with, run with and tested with.
//!
//! Installed by itself only where it was tried: Debian and its relatives. Elsewhere the command
//! that does it is named.

use std::process::Stdio;

use crate::shell;
use crate::{Install, Outcome};

/// What the machine is needed for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Compiling the program and opening its window on a display that is there.
    Build,
    /// The same without a display.
    Headless,
    /// Everything that is tested but the window.
    Tests,
    /// That, and driving the window.
    WindowTests,
}

const BUILD: &[&str] = &[
    "build-essential",
    "pkg-config",
    "libwebkit2gtk-4.1-dev",
    "librsvg2-dev",
    "libayatana-appindicator3-dev",
    "libxdo-dev",
];
const HEADLESS: &[&str] = &["xvfb", "xauth"];
// The virtual environment is for the MCP servers that come from PyPI, the rest makes a keychain.
const TESTS: &[&str] = &["python3-venv", "dbus", "gnome-keyring"];
// The Chinese typeface is for the screens that are photographed in Chinese.
const DRIVING: &[&str] = &["webkit2gtk-driver", "fonts-noto-cjk", "procps"];

const ELSEWHERE: &str = "\
Skein needs WebKitGTK 4.1 with its headers, and only Debian and its relatives are installed by
themselves. On
  Fedora   sudo dnf install @c-development webkit2gtk4.1-devel librsvg2-devel libappindicator-gtk3-devel libxdo-devel
  Arch     sudo pacman -S --needed base-devel webkit2gtk-4.1 librsvg libappindicator-gtk3 xdotool
On another Linux, see https://v2.tauri.app/start/prerequisites/.";

/// Finds what is missing for `need` and installs it, or says what to do.
pub fn ensure(need: Need, install: Install) -> Outcome {
    match std::env::consts::OS {
        "linux" if shell::ask(&["dpkg-query", "--version"]).is_some() => debian(need, install),
        "linux" if shell::ask(&["pkg-config", "--exists", "webkit2gtk-4.1"]).is_some() => Ok(()),
        "linux" => Err(ELSEWHERE.to_owned()),
        "macos" => shell::ask(&["xcode-select", "-p"]).map(|_| ()).ok_or_else(|| {
            "The Xcode command line tools are missing. Run: xcode-select --install".to_owned()
        }),
        // WebView2 is part of Windows, and rustc itself asks for the linker it needs.
        _ => Ok(()),
    }
}

fn debian(need: Need, install: Install) -> Outcome {
    let missing: Vec<&str> =
        wanted(need).into_iter().filter(|package| !is_installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    if install == Install::Refused {
        return Err(format!("Missing system packages. Run: sudo apt-get install {list}"));
    }
    println!("Installing the system packages that are missing: {list}");
    as_root(&["apt-get", "update", "-qq"])?;
    let mut words = vec!["apt-get", "install", "-y", "-qq", "--no-install-recommends"];
    words.extend(missing);
    as_root(&words)
}

fn wanted(need: Need) -> Vec<&'static str> {
    match need {
        Need::Build => BUILD.to_vec(),
        Need::Headless => [BUILD, HEADLESS].concat(),
        Need::Tests => [BUILD, TESTS].concat(),
        Need::WindowTests => [BUILD, TESTS, HEADLESS, DRIVING].concat(),
    }
}

fn is_installed(package: &str) -> bool {
    shell::ask(&["dpkg-query", "-W", "-f", "${db:Status-Abbrev}", package])
        .is_some_and(|status| status.starts_with("ii"))
}

fn as_root(words: &[&str]) -> Outcome {
    let root = shell::ask(&["id", "-u"]).is_some_and(|uid| uid == "0");
    let line = words.join(" ");
    if !root && shell::ask(&["sudo", "--version"]).is_none() {
        return Err(format!("This needs root, and there is no sudo. Run as root: {line}"));
    }
    let words = if root { words.to_vec() } else { [&["sudo"], words].concat() };
    let mut command = shell::command(&words);
    // apt asks nobody anything, and its chatter is not the developer's.
    command.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
    shell::run(&mut command)
}
