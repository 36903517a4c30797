//! A package file, read by the tools of its kind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use skein_window::build_folder;
use tempfile::TempDir;

use crate::system::{folder, output};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Deb,
    Rpm,
}

/// A file of a package.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackagedFile {
    /// From the root.
    pub path: String,
    /// As `ls` writes it: `-rw-r--r--`.
    pub mode: String,
    /// User and group.
    pub owner: String,
}

/// A package of this run.
pub struct Package {
    pub kind: Kind,
    pub file: PathBuf,
}

impl Package {
    /// The package of a kind below `SKEIN_PACKAGES`.
    pub fn built(kind: Kind) -> Self {
        let name = match kind {
            Kind::Deb => "deb",
            Kind::Rpm => "rpm",
        };
        let entries = fs::read_dir(folder("SKEIN_PACKAGES").join(name)).expect("it was looked for");
        let mut files: Vec<PathBuf> = entries.map(|it| it.expect("readable").path()).collect();
        files.retain(|path| path.extension().is_some_and(|it| it == name));
        let [file] = &files[..] else { panic!("one package of each kind, and not {files:?}") };
        Self { kind, file: file.clone() }
    }

    /// Its files without the folders, sorted.
    pub fn files(&self) -> Vec<PackagedFile> {
        let mut files: Vec<PackagedFile> = match self.kind {
            Kind::Deb => {
                dpkg_deb(&["--contents"], &[&self.file]).lines().map(file_of_deb).collect()
            }
            Kind::Rpm => {
                let format = "[%{FILENAMES}|%{FILEMODES:perms}|%{FILEUSERNAME}/%{FILEGROUPNAME}\n]";
                self.query(&["--queryformat", format]).lines().map(file_of_rpm).collect()
            }
        };
        files.retain(|file| !file.mode.starts_with('d'));
        files.sort();
        files
    }

    /// What `rpm -qp` says.
    pub fn query(&self, words: &[&str]) -> String {
        output(Command::new("rpm").args(["-qp", "--nosignature"]).args(words).arg(&self.file))
    }

    /// Its files in a folder of their own.
    pub fn unpacked(&self) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        match self.kind {
            Kind::Deb => {
                dpkg_deb(&["--extract"], &[&self.file, folder.path()]);
            }
            Kind::Rpm => {
                let unpack = "rpm2cpio \"$1\" | cpio --extract --make-directories --quiet";
                let mut command = Command::new("sh");
                output(command.args(["-c", unpack, "sh"]).arg(&self.file).current_dir(&folder));
            }
        }
        folder
    }

    /// The same program as another version, in `folder`.
    pub fn as_version(&self, version: &str, folder: &Path) -> PathBuf {
        self.repacked(version, folder, |_| {})
    }

    /// The package with a build for tests as its program, which takes its version and the address of its
    /// updates from the environment.
    pub fn with_test_build(&self, version: &str, folder: &Path) -> PathBuf {
        self.repacked(version, folder, |program| {
            output(Command::new("strip").arg("-o").arg(program).arg(build_folder().join("skein")));
            let built = fs::read(program).expect("it was written");
            fs::write(program, as_deb(built)).expect("the folder can be written");
        })
    }

    fn repacked(&self, version: &str, folder: &Path, change: impl FnOnce(&Path)) -> PathBuf {
        let contents = folder.join(format!("contents-{version}"));
        let deb = folder.join(format!("{version}.deb"));
        dpkg_deb(&["--raw-extract"], &[&self.file, &contents]);
        change(&contents.join("usr/bin/skein"));
        let control = contents.join("DEBIAN/control");
        let lines = fs::read_to_string(&control).expect("every deb has it");
        let lines: Vec<String> = lines
            .lines()
            .map(|line| match line.split_once(": ") {
                Some(("Version", _)) => format!("Version: {version}"),
                _ => line.to_owned(),
            })
            .collect();
        fs::write(&control, lines.join("\n") + "\n").expect("the folder can be written");
        // The fastest compression: it is installed once.
        dpkg_deb(&["--root-owner-group", "-Zgzip", "-z1", "--build"], &[&contents, &deb]);
        deb
    }
}

/// The program with the mark of a deb, which Tauri's bundler writes over that of a program without a package.
fn as_deb(mut program: Vec<u8>) -> Vec<u8> {
    let (none, deb) = (b"__TAURI_BUNDLE_TYPE_VAR_UNK", b"__TAURI_BUNDLE_TYPE_VAR_DEB");
    let at: Vec<_> =
        program.windows(none.len()).enumerate().filter(|(_, it)| *it == none).collect();
    let [(at, _)] = at[..] else { panic!("one mark, and not {}", at.len()) };
    program[at..at + deb.len()].copy_from_slice(deb);
    program
}

fn dpkg_deb(words: &[&str], paths: &[&Path]) -> String {
    output(Command::new("dpkg-deb").args(words).args(paths))
}

/// A line such as `-rwxr-xr-x 0/0  123 2026-11-27 19:41 ./usr/bin/skein`.
fn file_of_deb(line: &str) -> PackagedFile {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [mode, owner, _, _, _, path] = words[..] else { panic!("unknown: {line}") };
    let path = format!("/{}", path.trim_start_matches("./").trim_start_matches('/'));
    PackagedFile { path, mode: mode.into(), owner: owner.replace("root", "0") }
}

fn file_of_rpm(line: &str) -> PackagedFile {
    let words: Vec<&str> = line.split('|').collect();
    let [path, mode, owner] = words[..] else { panic!("unknown: {line}") };
    PackagedFile { path: path.into(), mode: mode.into(), owner: owner.replace("root", "0") }
}
