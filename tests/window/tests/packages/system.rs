//! The system in which packages are installed, and commands here and there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use skein_window::Skein;

use crate::package::Package;

/// The system of this run.
pub struct System {
    root: PathBuf,
}

impl System {
    pub fn new() -> Self {
        Self { root: folder("SKEIN_ROOT") }
    }

    /// Runs a command in the system and returns its output.
    ///
    /// # Panics
    /// It fails.
    pub fn run(&self, words: &[&str]) -> String {
        output(Command::new("chroot").arg(&self.root).args(words).env("LC_ALL", "C"))
    }

    /// Runs apt, which installs nothing that is merely recommended: what is needed must be required.
    pub fn apt(&self, words: &[&str]) -> String {
        let options = ["apt-get", "-qq", "--yes", "--no-install-recommends"];
        self.run(&[&["env", "DEBIAN_FRONTEND=noninteractive"], &options[..], words].concat())
    }

    /// Lets apt take every question for agreed, for a command as it is shown to the user.
    pub fn answer_yes(&self) {
        let file = self.path("/etc/apt/apt.conf.d/99-yes");
        fs::write(file, "APT::Get::Assume-Yes \"true\";\n").expect("the system can be written");
    }

    /// Installs a deb, or updates to it.
    pub fn install(&self, deb: &Path) {
        fs::copy(deb, self.path("/var/tmp/skein.deb")).expect("the system can be written");
        self.apt(&["install", "/var/tmp/skein.deb"]);
    }

    /// A path of the system, as it is seen from here.
    pub fn path(&self, inside: &str) -> PathBuf {
        self.root.join(inside.trim_start_matches('/'))
    }

    /// The libraries that the installed program loads and that are not there.
    pub fn missing_libraries(&self) -> Vec<String> {
        let list = self.run(&["ldd", "/usr/bin/skein"]);
        list.lines().filter(|line| line.contains("not found")).map(str::to_owned).collect()
    }

    /// The files of a package that are in the system.
    pub fn present(&self, package: &Package) -> Vec<String> {
        let mut files = package.files();
        files.retain(|file| self.path(&file.path).exists());
        files.into_iter().map(|file| file.path).collect()
    }
}

/// A folder that the variable names.
pub fn folder(variable: &str) -> PathBuf {
    let folder = std::env::var_os(variable);
    PathBuf::from(folder.expect("`cargo xtask test --packages` runs this"))
}

/// The output of a command that succeeds; what it says of errors is in the failure.
pub fn output(command: &mut Command) -> String {
    let result = command.output().expect("`cargo xtask test --packages` installs it");
    let (said, errors) =
        (String::from_utf8_lossy(&result.stdout), String::from_utf8_lossy(&result.stderr));
    assert!(result.status.success(), "{command:?}: {said}\n{errors}");
    said.into_owned()
}

/// Tells the demo model a value, asks for it, and reads the answer.
pub fn converse(skein: &Skein, port: &str) {
    for words in [format!("The port of the staging server is {port}."), QUESTION.to_owned()] {
        skein.get("button", "Send").see();
        skein.get("textbox", "Message").insert(&words);
        skein.get("textbox", "Message").press("Enter");
        skein.get_like("article", "Assistant").last().see();
    }
    skein.get("button", "Send").see();
    skein.get("article", "Assistant").last().text_that("answers", |text| text.contains(port));
}

const QUESTION: &str = "What is the port of the staging server?";
