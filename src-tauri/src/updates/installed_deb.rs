//! The package of the running version, made from its installed files by Debian's own tools: for the way back
//! from an update, because `dpkg` keeps no package that it has installed.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Error, ErrorKind, Result};
use std::path::Path;
use std::process::Command;

use skein_app::updates::{PACKAGE_CONTENTS, UNFINISHED_PACKAGE};
use skein_platform::atomic_file::sync_folder;

const PACKAGE: &str = "skein";

/// Makes the package at `deb`, if it is installed in this version.
///
/// # Errors
/// It is not, a tool is missing or failed, or a file cannot be written.
pub fn pack_installed(version: &str, deb: &Path) -> Result<()> {
    let status = output("dpkg-query", &["--status", PACKAGE])?;
    if !status.lines().any(|line| line.strip_prefix("Version: ") == Some(version)) {
        return Err(Error::other("another version is installed"));
    }
    let folder = deb.with_extension(PACKAGE_CONTENTS);
    let unfinished = deb.with_extension(UNFINISHED_PACKAGE);
    remove_folder(&folder)?;
    let packed = copy_contents(&status, &folder).and_then(|()| {
        let build = ["--root-owner-group", "-Zgzip", "-z1", "--build"].map(OsStr::new);
        output("dpkg-deb", &[&build[..], &[folder.as_os_str(), unfinished.as_os_str()]].concat())
    });
    remove_folder(&folder)?;
    packed?;
    // The record of the update, which is on the disk at once, speaks of this file.
    File::open(&unfinished)?.sync_all()?;
    fs::rename(&unfinished, deb)?;
    sync_folder(deb.parent().unwrap_or(Path::new(".")))
}

/// Copies the installed files, and what `dpkg` knows of them, into a folder as `dpkg-deb` reads it.
fn copy_contents(status: &str, folder: &Path) -> Result<()> {
    make_folder(folder)?;
    for path in output("dpkg-query", &["--listfiles", PACKAGE])?.lines() {
        let (from, inside) = (Path::new(path), path.trim_start_matches('/'));
        if from.is_dir() {
            if inside != "." {
                make_folder(&folder.join(inside))?;
            }
        } else if from.is_file() {
            fs::copy(from, folder.join(inside))?;
        }
    }
    let control = folder.join("DEBIAN");
    make_folder(&control)?;
    for path in output("dpkg-query", &["--control-path", PACKAGE])?.lines() {
        if let Some(name) = Path::new(path).extension() {
            fs::copy(path, control.join(name))?;
        }
    }
    let is_of_package = |line: &&str| !line.starts_with("Status: ");
    let lines: Vec<_> = status.trim_end().lines().filter(is_of_package).collect();
    fs::write(control.join("control"), lines.join("\n") + "\n")
}

/// Makes a folder that everybody may read, as packages have them.
fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir(folder)?;
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o755))
}

fn remove_folder(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// The output of a tool that succeeds.
fn output<Word: AsRef<OsStr>>(tool: &str, words: &[Word]) -> Result<String> {
    let result = Command::new(tool).args(words).env("LC_ALL", "C").output()?;
    if !result.status.success() {
        let message = String::from_utf8_lossy(&result.stderr);
        return Err(Error::other(format!("{tool}: {}", message.trim())));
    }
    String::from_utf8(result.stdout).map_err(Error::other)
}
