//! For tests only: a disk that is full or fails, for one program and the files of one folder.
//!
//! A library that is preloaded into the program (`disk.c`) refuses its writes and syncs. On Linux alone.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

/// Names the folder in the environment of the program; the one that Skein keeps its data in.
pub const FOLDER: &str = "SKEIN_DATA_DIR";

/// For `LD_PRELOAD` in the environment of the program.
pub const LIBRARY: &str = concat!(env!("OUT_DIR"), "/disk.so");

/// What is wrong with the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// No byte more can be written.
    Full,
    /// Nothing can be written nor synced: an input/output error.
    Failing,
    /// What is written cannot be synced: an input/output error.
    Unsynced,
    /// The folder cannot be synced: the names of new files are not on the disk.
    Unnamed,
}

/// From now on the disk has this fault, or is sound again.
///
/// # Panics
/// Where the folder is not there.
pub fn set(folder: &Path, fault: Option<Fault>) {
    let word = match fault {
        None => "",
        Some(Fault::Full) => "full",
        Some(Fault::Failing) => "failing",
        Some(Fault::Unsynced) => "unsynced",
        Some(Fault::Unnamed) => "unnamed",
    };
    // Named when it is whole: the program may read it at any moment.
    let half = folder.join("disk-fault.new");
    fs::write(&half, word).expect("the folder is there");
    fs::rename(&half, folder.join("disk-fault")).expect("the folder is there");
}
