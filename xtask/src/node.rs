//! Node and the npm packages of `ui`.

use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use crate::{Install, TaskResult};
use crate::{paths, shell};

/// States the supported versions of Node in its `engines`.
const PACKAGE: &str = include_str!("../../ui/package.json");

/// An npm script of `ui`, with arguments.
pub fn script(name: &str, arguments: &[&str]) -> Command {
    let mut command = shell::command(&["npm", "run", "--silent", name]);
    if !arguments.is_empty() {
        command.arg("--").args(arguments);
    }
    command.current_dir(paths::ui());
    command
}

/// Checks that npm and a supported version of Node are installed. Runs first, because no task
/// installs them.
pub fn check() -> TaskResult {
    let wanted = wanted(PACKAGE).ok_or("ui/package.json names no version of Node.")?;
    is_taken(shell::output_of(&["node", "--version"]).as_deref(), wanted)?;
    shell::output_of(&["npm", "--version"]).map(drop).ok_or_else(|| WITHOUT_NPM.to_owned())
}

/// Makes the installed packages match the lock file.
pub fn install(install: Install) -> TaskResult {
    if packages_are_fresh(&paths::ui()) {
        return Ok(());
    }
    if install == Install::Refused {
        return Err("The npm packages are missing or out of date. Run: npm ci --prefix ui".into());
    }
    println!("Installing the npm packages of ui.");
    shell::run(shell::command(&["npm", "ci", "--no-fund", "--no-audit"]).current_dir(paths::ui()))
}

fn is_taken(version: Option<&str>, wanted: &str) -> TaskResult {
    let here = match version {
        Some(version) if is_within(version, wanted) => return Ok(()),
        Some(version) => format!("here is {version}"),
        None => "here is none".to_owned(),
    };
    Err(format!("Node {wanted} is needed, and {here}.\n{NODE}"))
}

const NODE: &str = "\
It comes from https://nodejs.org, or without touching the system's own through
  nvm    https://github.com/nvm-sh/nvm
  fnm    https://github.com/Schniz/fnm
and on Debian, Ubuntu and Fedora, whose own may be too old, as a package of NodeSource:
  https://github.com/nodesource/distributions";

const WITHOUT_NPM: &str = "\
npm is missing. It comes with Node from https://nodejs.org; where it is a package of its own:
  Debian, Ubuntu   sudo apt-get install npm
  Fedora           sudo dnf install nodejs-npm
  Arch             sudo pacman -S npm";

fn wanted(package: &str) -> Option<&str> {
    package.split_once("\"node\": \"")?.1.split('"').next()
}

/// True if a version is within a range such as `^20.19 || >=24`, the only supported syntax.
fn is_within(version: &str, range: &str) -> bool {
    let version = numbers(version);
    range.split("||").map(str::trim).any(|part| match part.strip_prefix('^') {
        Some(first) => version >= numbers(first) && version[0] == numbers(first)[0],
        None => version >= numbers(part.trim_start_matches(">=")),
    })
}

/// Major, minor and patch; missing ones are 0.
fn numbers(version: &str) -> [u32; 3] {
    let mut words = version.trim_start_matches('v').split(['.', '-', '+']);
    std::array::from_fn(|_| words.next().and_then(|word| word.parse().ok()).unwrap_or(0))
}

/// True if the packages match the lock file. npm writes its own copy of the lock file last, so the
/// times tell.
pub fn packages_are_fresh(ui: &Path) -> bool {
    let followed = changed_at(&ui.join("node_modules/.package-lock.json"));
    followed.is_some() && followed >= changed_at(&ui.join("package-lock.json"))
}

fn changed_at(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|metadata| metadata.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::{PACKAGE, is_taken, is_within, packages_are_fresh, wanted};
    use std::fs::{self, File};
    use std::time::{Duration, SystemTime};

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("node_modules")).unwrap();
        folder
    }

    fn touch(file: std::path::PathBuf, age: Duration) {
        File::create(file).unwrap().set_modified(SystemTime::now() - age).unwrap();
    }

    #[test]
    fn exactly_the_versions_of_node_that_the_interface_is_built_with_are_taken() {
        let wanted = wanted(PACKAGE).unwrap();
        for (version, taken) in [
            ("v18.20.8", false),
            ("v20.0.0", false),
            ("v20.18.1", false),
            ("v20.19.0", true),
            ("v21.7.3", false),
            ("v22.11.0", false),
            ("v22.12.0", true),
            ("v23.11.0", false),
            ("v24.0.0", true),
            ("v26.1.0-nightly20260101", true),
            ("nonsense", false),
        ] {
            assert_eq!(is_within(version, wanted), taken, "{version} in {wanted}");
        }
    }

    #[test]
    fn whoever_has_no_node_or_an_old_one_is_told_where_it_is() {
        for (version, said) in [(None, "none"), (Some("v18.19.1"), "v18.19.1")] {
            let words = is_taken(version, ">=24").unwrap_err();
            for word in [">=24", said, "https://nodejs.org", "nvm", "fnm", "NodeSource"] {
                assert!(words.contains(word), "{word}: {words}");
            }
        }
        assert_eq!(is_taken(Some("v24.1.0"), ">=24"), Ok(()));
    }

    #[test]
    fn packages_are_installed_when_there_are_none_and_when_the_lock_file_is_newer() {
        let ui = folder("npm");
        let (old, new) = (Duration::from_secs(60), Duration::ZERO);

        touch(ui.join("package-lock.json"), old);
        assert!(!packages_are_fresh(&ui), "nothing is installed");
        touch(ui.join("node_modules/.package-lock.json"), new);
        assert!(packages_are_fresh(&ui), "installed after the lock was written");
        touch(ui.join("node_modules/.package-lock.json"), old);
        touch(ui.join("package-lock.json"), new);
        assert!(!packages_are_fresh(&ui), "the lock has changed since");

        fs::remove_dir_all(ui).unwrap();
    }
}
