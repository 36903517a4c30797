//! The system packages for building, running and testing Skein.
//!
//! They are installed automatically on Debian and its relatives, where that is tested. On other
//! systems the command is printed.

use std::process::Stdio;

use crate::shell;
use crate::{Install, TaskResult};

/// The purpose of the packages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Compiling the program and opening its window on a display.
    Build,
    /// The same without a display.
    Headless,
    /// Compiling the program and packing it.
    Package,
    /// All tests but those of the app window.
    Tests,
    /// All tests, including those of the app window.
    WindowTests,
    /// That, and reading the window aloud.
    SpokenTests,
    /// Installing packages in a system of their own, and their windows.
    PackageTests,
}

const BUILD: &[&str] = &[
    "build-essential",
    "pkg-config",
    "libwebkit2gtk-4.1-dev",
    "librsvg2-dev",
    "libayatana-appindicator3-dev",
    "libxdo-dev",
];
// The AppImage includes the first and is built with the second.
const PACKING: &[&str] = &["xdg-utils", "file"];
const HEADLESS: &[&str] = &["xvfb", "xauth"];
// The virtual environment is for MCP servers from PyPI, the rest for a keychain.
const TESTS: &[&str] = &["python3-venv", "dbus", "gnome-keyring"];
// The Chinese typeface is for screenshots in Chinese.
const DRIVING: &[&str] = &["webkit2gtk-driver", "fonts-noto-cjk", "procps"];

// Orca with its buses, a speech server, and a window manager that gives the window the focus.
const READING_ALOUD: &[&str] =
    &["at-spi2-core", "orca", "speech-dispatcher", "metacity", "libglib2.0-bin", "dbus"];

// The first makes the system; the rest reads what is in packages.
const PACKAGE_TESTS: &[&str] =
    &["mmdebstrap", "rpm", "cpio", "desktop-file-utils", "appstream", "man-db", "binutils"];

/// Another installation, such as the system's own updates, is waited for, at most ten minutes.
const APT: &[&str] =
    &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=600"];

const ELSEWHERE: &str = "\
Skein needs WebKitGTK 4.1 with its headers, and only Debian and its relatives are installed by
themselves. On
  Fedora   sudo dnf install @c-development webkit2gtk4.1-devel librsvg2-devel libappindicator-gtk3-devel libxdo-devel
  Arch     sudo pacman -S --needed base-devel webkit2gtk-4.1 librsvg libappindicator-gtk3 xdotool
On another Linux, see https://v2.tauri.app/start/prerequisites/.";

const WHERE_PROGRAMS_ARE: &str = "\
On
  Fedora   sudo dnf install xorg-x11-server-Xvfb xdg-utils file
  Arch     sudo pacman -S --needed xorg-server-xvfb xdg-utils file";

/// Installs the packages missing for `need`, or prints the command.
pub fn ensure(need: Need, install: Install) -> TaskResult {
    match std::env::consts::OS {
        "linux" if shell::output_of(&["dpkg-query", "--version"]).is_some() => {
            debian(need, install)
        }
        "linux" if shell::output_of(&["pkg-config", "--exists", "webkit2gtk-4.1"]).is_none() => {
            Err(ELSEWHERE.to_owned())
        }
        "linux" => match programs(need).iter().find(|program| !is_there(program)) {
            Some(program) => Err(format!("{program} is missing. {WHERE_PROGRAMS_ARE}")),
            None => Ok(()),
        },
        "macos" => shell::output_of(&["xcode-select", "-p"]).map(|_| ()).ok_or_else(|| {
            "The Xcode command line tools are missing. Run: xcode-select --install".to_owned()
        }),
        // WebView2 is part of Windows, and rustc asks for the linker it needs.
        _ => Ok(()),
    }
}

fn debian(need: Need, install: Install) -> TaskResult {
    let missing: Vec<&str> =
        wanted(need).into_iter().filter(|package| !is_installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    if install == Install::Refused {
        return Err(format!("Missing system packages. Run: sudo apt-get install {list}"));
    }
    let is_root = shell::output_of(&["id", "-u"]).is_some_and(|uid| uid == "0");
    if !is_root && shell::output_of(&["sudo", "--version"]).is_none() {
        return Err(format!(
            "Missing system packages, and there is no sudo. Run as root: apt-get install {list}"
        ));
    }
    println!("Installing the system packages that are missing: {list}");
    // Its output is of no use to the developer.
    let apt = |words: &[&str]| {
        shell::run(shell::command(&apt_line(is_root, words)).stdout(Stdio::null()))
    };
    // One broken package source must not prevent the installation.
    if let Err(words) = apt(&["update", "-qq"]) {
        println!("{words} What apt knew before may do.");
    }
    apt(&[&["install", "-y", "-qq", "--no-install-recommends"], &missing[..]].concat())
}

fn wanted(need: Need) -> Vec<&'static str> {
    match need {
        Need::Build => BUILD.to_vec(),
        Need::Headless => [BUILD, HEADLESS].concat(),
        Need::Package => [BUILD, PACKING].concat(),
        Need::Tests => [BUILD, TESTS].concat(),
        Need::WindowTests => [BUILD, TESTS, HEADLESS, DRIVING].concat(),
        Need::SpokenTests => [BUILD, TESTS, HEADLESS, DRIVING, READING_ALOUD].concat(),
        Need::PackageTests => [BUILD, HEADLESS, DRIVING, PACKAGE_TESTS].concat(),
    }
}

/// The programs to look for where packages have other names.
fn programs(need: Need) -> &'static [&'static str] {
    match need {
        Need::Build | Need::Tests => &[],
        Need::Headless => &["xvfb-run"],
        Need::Package => &["xdg-mime", "file"],
        Need::WindowTests => &["Xvfb"],
        Need::PackageTests => {
            &["Xvfb", "mmdebstrap", "rpm", "desktop-file-validate", "appstreamcli"]
        }
        Need::SpokenTests => &["Xvfb", "orca", "metacity", "gsettings"],
    }
}

fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn is_installed(package: &str) -> bool {
    shell::output_of(&["dpkg-query", "-W", "-f", "${db:Status-Abbrev}", package])
        .is_some_and(|status| status.starts_with("ii"))
}

/// apt without questions. The variable goes after `sudo`, which passes none on.
fn apt_line<'a>(is_root: bool, words: &[&'a str]) -> Vec<&'a str> {
    let root: &[&str] = if is_root { &[] } else { &["sudo"] };
    [root, APT, words].concat()
}

#[cfg(test)]
mod tests {
    use super::{Need, apt_line, programs, wanted};

    #[test]
    fn apt_is_told_to_ask_nothing_and_to_wait_with_and_without_sudo() {
        let told = [
            "env",
            "DEBIAN_FRONTEND=noninteractive",
            "apt-get",
            "-o",
            "DPkg::Lock::Timeout=600",
            "update",
        ];
        assert_eq!(apt_line(true, &["update"]), told);
        assert_eq!(apt_line(false, &["update"]), [&["sudo"], &told[..]].concat());
    }

    #[test]
    fn what_a_package_and_an_invisible_display_need_is_asked_for_everywhere() {
        assert!(["xdg-utils", "file"].iter().all(|it| wanted(Need::Package).contains(it)));
        assert_eq!(programs(Need::Package), ["xdg-mime", "file"]);
        assert!(wanted(Need::Headless).contains(&"xvfb"));
        assert_eq!(programs(Need::Headless), ["xvfb-run"]);
    }
}
