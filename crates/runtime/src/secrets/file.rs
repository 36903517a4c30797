//! Keys on a machine without a keychain: a file that only its owner may read.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

use super::{Secret, SecretPlace};
use crate::error::{Error, Result};
use crate::files::{create_own_folder, sync_folder};

/// The file; it appears with the first key.
pub(super) struct KeyFile {
    path: PathBuf,
    changing: Mutex<()>,
}

impl KeyFile {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, changing: Mutex::new(()) }
    }

    pub(super) fn place(&self) -> SecretPlace {
        SecretPlace::File { path: self.path.display().to_string() }
    }

    /// The key kept as `name`.
    pub(super) fn get(&self, name: &str) -> Result<Option<Secret>> {
        Ok(self.read()?.get(name).map(|key| Secret::new(key)))
    }

    /// Keeps a key.
    pub(super) fn set(&self, name: &str, secret: &Secret) -> Result<SecretPlace> {
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut keys = self.read()?;
        keys.insert(name.to_owned(), secret.expose().to_owned());
        self.write(&keys)?;
        Ok(self.place())
    }

    /// Forgets a key.
    pub(super) fn remove(&self, name: &str) -> Result<()> {
        let _one = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut keys = self.read()?;
        if keys.remove(name).is_some() {
            self.write(&keys)?;
        }
        Ok(())
    }

    fn read(&self) -> Result<BTreeMap<String, String>> {
        let text = match fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(Error::of_file(&self.path, &error)),
        };
        // A parser's own words may quote what it read.
        serde_json::from_slice(&text).map_err(|error| Error::Storage {
            detail: format!("{}: line {}", self.path.display(), error.line()),
        })
    }

    fn write(&self, keys: &BTreeMap<String, String>) -> Result<()> {
        replace(&self.path, keys).map_err(|error| Error::of_file(&self.path, &error))
    }
}

/// A temporary file is made with mode 0600, and keeps it under its final name.
fn replace(path: &Path, keys: &BTreeMap<String, String>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    create_own_folder(folder)?;
    let mut half = NamedTempFile::new_in(folder)?;
    half.write_all(serde_json::to_string_pretty(keys)?.as_bytes())?;
    half.as_file().sync_all()?;
    half.persist(path)?;
    sync_folder(folder)
}
