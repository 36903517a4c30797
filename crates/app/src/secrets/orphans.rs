//! Names of keys that the settings may not name any more, each with the time since when. It is written before
//! a key is removed, so that a program that is killed meanwhile removes the key later, also from a keychain
//! that does not list its keys. No key stands in it.
//!
//! Not here: which keys the settings name (`app::orphaned_keys`).

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use parking_lot::Mutex;
use skein_domain::error::{Error, Result};
use skein_platform::atomic_file;

/// The list, in a file that appears with its first name.
pub(super) struct Orphans {
    path: PathBuf,
    changing: Mutex<()>,
}

impl Orphans {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, changing: Mutex::new(()) }
    }

    /// Every name, with the time since when in milliseconds since the epoch. A file that cannot be read as a
    /// list is an empty one.
    pub(super) fn read(&self) -> Result<BTreeMap<String, i64>> {
        match fs::read(&self.path) {
            Ok(text) => Ok(serde_json::from_slice(&text).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(error) => Err(Error::from_io(&self.path, &error)),
        }
    }

    /// Changes the list; one that stays as it is is not written.
    pub(super) fn change(&self, change: impl FnOnce(&mut BTreeMap<String, i64>)) -> Result<()> {
        let _one = self.changing.lock();
        let before = self.read()?;
        let mut after = before.clone();
        change(&mut after);
        if after == before {
            return Ok(());
        }
        let text = serde_json::to_vec_pretty(&after)
            .map_err(|error| Error::Storage { detail: error.to_string() })?;
        atomic_file::write_private(&self.path, &text)
    }
}
