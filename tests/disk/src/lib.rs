//! Simulates a full or failing disk in tests, for one program and the files of one folder.
//!
//! A preloaded library (`disk.c`) makes writes and syncs of the program fail. Linux only.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

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
