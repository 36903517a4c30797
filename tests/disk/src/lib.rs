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

/// A fault of the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Writes fail: no space is left.
    Full,
    /// Writes and syncs fail with an input/output error.
    Failing,
    /// Syncs of files fail with an input/output error.
    Unsynced,
    /// Syncs of the folder fail: new file names are not on the disk.
    Unnamed,
}

/// Sets or removes the fault.
///
/// # Panics
/// The folder does not exist.
pub fn set(folder: &Path, fault: Option<Fault>) {
    let word = match fault {
        None => "",
        Some(Fault::Full) => "full",
        Some(Fault::Failing) => "failing",
        Some(Fault::Unsynced) => "unsynced",
        Some(Fault::Unnamed) => "unnamed",
    };
    // Renamed when complete, because the program may read it at any moment.
    let half = folder.join("disk-fault.new");
    fs::write(&half, word).expect("the folder is there");
    fs::rename(&half, folder.join("disk-fault")).expect("the folder is there");
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
