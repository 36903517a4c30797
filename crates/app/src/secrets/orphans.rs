//! The names of keys that may be unused, each with the time since when. A name is recorded before its key is
//! deleted, so that the next start deletes the key if the program is killed meanwhile, also from a keychain
//! that does not list its keys. The file contains no key.
//!
//! Not here: which keys the settings name (`app::orphaned_keys`).

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use parking_lot::Mutex;
use skein_domain::error::{Error, Result};
use skein_platform::atomic_file;

/// The list, in a file that is created with the first name.
pub(super) struct Orphans {
    path: PathBuf,
    changing: Mutex<()>,
}

impl Orphans {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, changing: Mutex::new(()) }
    }

    /// Every name with its time in milliseconds since the epoch. An invalid file counts as an empty list.
    pub(super) fn read(&self) -> Result<BTreeMap<String, i64>> {
        match fs::read(&self.path) {
            Ok(text) => Ok(serde_json::from_slice(&text).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(error) => Err(Error::from_io(&self.path, &error)),
        }
    }

    /// Changes the list; an unchanged one is not written.
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
