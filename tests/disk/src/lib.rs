//! Simulates a full or failing disk in tests, for one program and the files of one folder: as long as a
//! test wants, or at one file operation.
//!
//! A preloaded library (`disk.c`) makes operations of the program fail, or kills it. Linux only.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// The program's environment variable with the folder; Skein's own for its data folder.
pub const FOLDER: &str = "SKEIN_DATA_DIR";

/// The value of `LD_PRELOAD` for the program.
pub const LIBRARY: &str = concat!(env!("OUT_DIR"), "/disk.so");

/// The program's environment variable with another folder, whose files count, too.
pub const OTHER_FOLDER: &str = "SKEIN_DISK_FOLDER";

/// A fault of the disk. A pattern is one of the shell's for a whole path, without spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault<'a> {
    /// Writes fail: no space is left.
    Full,
    /// Writes and syncs fail with an input/output error.
    Failing,
    /// Syncs of files fail with an input/output error.
    Unsynced,
    /// Syncs of the folder fail: new file names are not on the disk.
    Unnamed,
    /// Writes to the files of this pattern fail: no space is left.
    FullFor(&'a str),
    /// The program is killed before its first operation of this kind on a file of this pattern.
    Kill(Operation, &'a str),
}

/// A kind of file operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Bytes or a length.
    Write,
    /// A sync of a file or a folder.
    Sync,
    /// A file gets its name, also by a rename, or loses it.
    Name,
}

/// Sets or removes the fault.
///
/// # Panics
/// The folder does not exist.
pub fn set(folder: &Path, fault: Option<Fault<'_>>) {
    let word = match fault {
        None => String::new(),
        Some(Fault::Full) => "full".to_owned(),
        Some(Fault::Failing) => "failing".to_owned(),
        Some(Fault::Unsynced) => "unsynced".to_owned(),
        Some(Fault::Unnamed) => "unnamed".to_owned(),
        Some(Fault::FullFor(pattern)) => format!("full {pattern}"),
        Some(Fault::Kill(Operation::Write, pattern)) => format!("write-kill {pattern}"),
        Some(Fault::Kill(Operation::Sync, pattern)) => format!("sync-kill {pattern}"),
        Some(Fault::Kill(Operation::Name, pattern)) => format!("name-kill {pattern}"),
    };
    // Renamed when complete, because the program may read it at any moment.
    let half = folder.join("disk-fault.new");
    fs::write(&half, word).expect("the folder is there");
    fs::rename(&half, folder.join("disk-fault")).expect("the folder is there");
}

/// True once a [`Fault::Kill`] has killed the program.
pub fn has_killed(folder: &Path) -> bool {
    !folder.join("disk-fault").exists()
}

/// A fault of one file operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepFault {
    /// The program is killed before it.
    Kill,
    /// It fails: no space is left.
    Full,
    /// It fails with an input/output error.
    Failing,
}

impl StepFault {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Kill, Self::Full, Self::Failing];
}

/// The watch over the file operations of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Counts them: [`counted`].
    Count,
    /// One of them fails.
    Fault {
        /// The number of the operation, from 1, over all threads.
        operation: u32,
        /// The way it fails.
        fault: StepFault,
    },
}

/// Watches the file operations of a program below a folder.
pub fn set_step(program: &mut Command, folder: &Path, step: Step) {
    let word = match step {
        Step::Count => "0:count".to_owned(),
        Step::Fault { operation, fault: StepFault::Kill } => format!("{operation}:kill"),
        Step::Fault { operation, fault: StepFault::Full } => format!("{operation}:full"),
        Step::Fault { operation, fault: StepFault::Failing } => format!("{operation}:failing"),
    };
    program.env(FOLDER, folder).env("LD_PRELOAD", LIBRARY).env("SKEIN_DISK_STEP", word);
}

/// The number of operations that a program made under [`Step::Count`]; 0 if none was counted.
pub fn counted(folder: &Path) -> u32 {
    let words = fs::read_to_string(folder.join("disk-operations")).unwrap_or_default();
    words.parse().unwrap_or(0)
}
