//! Node and the npm packages of `ui`.

use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use crate::{Install, Outcome};
use crate::{place, shell};

const OLDEST: u32 = 20;

/// An npm script of `ui`, with arguments of its own.
pub fn script(name: &str, arguments: &[&str]) -> Command {
    let mut command = shell::command(&["npm", "run", "--silent", name]);
    if !arguments.is_empty() {
        command.arg("--").args(arguments);
    }
    command.current_dir(place::ui());
    command
}

/// Node is there and new enough, and the packages are those of the lock file.
pub fn ensure(install: Install) -> Outcome {
    let version = shell::ask(&["node", "--version"])
        .ok_or_else(|| format!("Node {OLDEST} or newer is needed: https://nodejs.org"))?;
    let major =
        version.trim_start_matches('v').split('.').next().and_then(|word| word.parse().ok());
    if major.is_none_or(|major: u32| major < OLDEST) {
        return Err(format!("Node {OLDEST} or newer is needed, and here is {version}."));
    }
    if packages_are_fresh(&place::ui()) {
        return Ok(());
    }
    if install == Install::Refused {
        return Err("The npm packages are missing or out of date. Run: npm ci --prefix ui".into());
    }
    println!("Installing the npm packages of ui.");
    shell::run(shell::command(&["npm", "ci", "--no-fund", "--no-audit"]).current_dir(place::ui()))
}

/// npm writes its own lock file last of all, so its age tells which lock it has followed.
pub fn packages_are_fresh(ui: &Path) -> bool {
    let followed = changed_at(&ui.join("node_modules/.package-lock.json"));
    followed.is_some() && followed >= changed_at(&ui.join("package-lock.json"))
}

fn changed_at(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|metadata| metadata.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::packages_are_fresh;
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
