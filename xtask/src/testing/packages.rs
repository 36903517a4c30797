//! `cargo xtask test --packages [folder]`: installs the packages of Linux in a new Debian or Ubuntu and
//! tests them there.
//!
//! The system is of the release that runs here, so that the webview fits its driver. Its archive and the
//! packages that apt downloads for it are kept below `target/packages`. Needs root, to enter another
//! system. Not here: the tests (`tests/window/tests/packages`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::cargo_tool::TAURI_DRIVER;
use crate::packaging::third_party;
use crate::system_packages::{self, Need};
use crate::{Install, TaskResult};
use crate::{paths, shell};

/// The command that runs the tests, after the tools were checked and the system was made.
///
/// # Errors
/// A sentence with the command that brings what is missing.
pub fn tests(folder: Option<&str>, install: Install) -> TaskResult<Command> {
    let packages = packages(folder)?;
    if shell::output_of(&["id", "-u"]).is_none_or(|user| user != "0") {
        return Err(AS_ROOT.to_owned());
    }
    system_packages::ensure(Need::PackageTests, install)?;
    let driver = TAURI_DRIVER.ensure(install)?;
    third_party::write_sbom()?;
    // One test updates a build that takes the address of its server from the environment.
    let build = ["cargo", "test", "--workspace", "--no-run", "--test", "bindings"];
    shell::run(&mut shell::command(&build))?;
    let kept = paths::target().join("packages");
    let root = new_system(&kept)?;
    let downloads = kept.join("downloads");
    make_folder(&downloads.join("partial"))?;
    let mut command = shell::command(&["unshare", "--mount", "sh", "xtask/packages.sh"]);
    command.args([&root, &downloads]);
    command.args(["cargo", "test", "--package", "skein-window", "--test", "packages"]);
    command.args(["--", "--test-threads=1", "--show-output"]);
    command
        .env("SKEIN_ROOT", &root)
        .env("SKEIN_PACKAGES", packages)
        .env("SKEIN_BILLS", paths::target().join("sbom"))
        .env("TAURI_DRIVER", driver)
        .env("RUST_BACKTRACE", "0");
    Ok(command)
}

const AS_ROOT: &str = "\
Packages are installed in a system of their own, which only root may enter. Run:
  sudo env \"PATH=$PATH\" \"HOME=$HOME\" cargo xtask test --packages";

/// The folder with the folders `deb` and `rpm`: the given one, or that of `cargo xtask package`.
fn packages(folder: Option<&str>) -> TaskResult<PathBuf> {
    let folder = match folder {
        Some(folder) => paths::root().join(folder),
        None => paths::target().join("release/bundle"),
    };
    match ["deb", "rpm"].iter().find(|kind| !folder.join(kind).is_dir()) {
        Some(kind) => Err(format!(
            "There is no {kind} below {}. Run: cargo xtask package deb rpm",
            folder.display()
        )),
        None => Ok(folder),
    }
}

/// A minimal system without Skein, unpacked from the archive that the first run makes.
fn new_system(kept: &Path) -> TaskResult<PathBuf> {
    let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let release = os_value(&system, "VERSION_CODENAME").ok_or(ELSEWHERE)?;
    make_folder(kept)?;
    let (archive, root) = (kept.join(format!("{release}.tar")), kept.join("root"));
    if !archive.is_file() {
        println!("Making a minimal {release}.");
        // Renamed once it is whole.
        let unfinished = kept.join(format!("unfinished-{release}.tar"));
        let mut make = shell::command(&["mmdebstrap", "--quiet", "--variant=minbase", release]);
        make.arg(&unfinished);
        if os_value(&system, "ID") == Some("ubuntu") {
            make.args(ubuntu_sources(release));
        }
        shell::run(&mut make)?;
        fs::rename(&unfinished, &archive).map_err(paths::failed(&archive))?;
    }
    if root.exists() {
        fs::remove_dir_all(&root).map_err(paths::failed(&root))?;
    }
    make_folder(&root)?;
    // Nodes of devices are mounted from here.
    let mut unpack = shell::command(&["tar", "--extract", "--exclude=./dev/*", "--file"]);
    shell::run(unpack.arg(&archive).arg("--directory").arg(&root))?;
    Ok(root)
}

const ELSEWHERE: &str = "Packages are tested on Debian and its relatives only.";

/// The value of a name in the text of `/etc/os-release`.
fn os_value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    value.map(|value| value.trim_matches('"'))
}

/// The sources of a release of Ubuntu with its updates, which have the webview that Skein needs.
fn ubuntu_sources(release: &str) -> [String; 3] {
    ["", "-updates", "-security"]
        .map(|part| format!("deb http://archive.ubuntu.com/ubuntu {release}{part} main universe"))
}

fn make_folder(folder: &Path) -> TaskResult {
    fs::create_dir_all(folder).map_err(paths::failed(folder))
}

#[cfg(test)]
mod tests {
    use super::{os_value, packages};

    #[test]
    fn the_system_is_of_the_release_that_runs_here() {
        let text =
            "PRETTY_NAME=\"Debian GNU/Linux 12\"\nVERSION_CODENAME=bookworm\nID=\"debian\"\n";
        assert_eq!(os_value(text, "VERSION_CODENAME"), Some("bookworm"));
        assert_eq!(os_value(text, "ID"), Some("debian"));
        assert_eq!(os_value("ID=arch\n", "VERSION_CODENAME"), None);
    }

    #[test]
    fn without_packages_the_command_that_builds_them_is_named() {
        let words = packages(Some("no/such/folder")).unwrap_err();
        assert!(words.contains("cargo xtask package deb rpm"), "{words}");
    }
}
