//! The file of keys on a machine without a keychain; only its owner may read it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{fs, io};

use parking_lot::Mutex;
use skein_domain::error::{Error, Result};
use skein_platform::atomic_file;

use super::{Secret, SecretLocation};

/// The file, which is created with the first key.
pub(super) struct SecretFile {
    path: PathBuf,
    changing: Mutex<()>,
}

impl SecretFile {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, changing: Mutex::new(()) }
    }

    pub(super) fn location(&self) -> SecretLocation {
        SecretLocation::File { path: self.path.display().to_string() }
    }

    /// The key with this name.
    pub(super) fn get(&self, name: &str) -> Result<Option<Secret>> {
        Ok(self.read()?.get(name).map(|key| Secret::new(key)))
    }

    /// The names of all keys.
    pub(super) fn names(&self) -> Result<Vec<String>> {
        Ok(self.read()?.into_keys().collect())
    }

    pub(super) fn set(&self, name: &str, secret: &Secret) -> Result<SecretLocation> {
        let _one = self.changing.lock();
        let mut keys = self.read()?;
        keys.insert(name.to_owned(), secret.expose().to_owned());
        self.write(&keys)?;
        Ok(self.location())
    }

    pub(super) fn remove(&self, name: &str) -> Result<()> {
        let _one = self.changing.lock();
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
            Err(error) => return Err(Error::from_io(&self.path, &error)),
        };
        // A message of the parser may quote the file, which has keys.
        serde_json::from_slice(&text).map_err(|error| Error::Storage {
            detail: format!("{}: line {}", self.path.display(), error.line()),
        })
    }

    fn write(&self, keys: &BTreeMap<String, String>) -> Result<()> {
        let text = serde_json::to_vec_pretty(keys)
            .map_err(|error| Error::Storage { detail: error.to_string() })?;
        atomic_file::write_private(&self.path, &text)
    }
}
