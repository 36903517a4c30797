//! Keys: in the system's keychain; where there is none, in a file of the person's own; or in the
//! environment, if that is where they are.
//!
//! A key goes in and is used; nothing here shows one. Not here: which key belongs to what.

mod file;
mod keychain;
mod secret;

use std::collections::HashMap;
use std::env;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use specta::Type;

pub use secret::Secret;

use crate::error::{Error, Result};
use crate::places::Places;
use file::KeyFile;
use keychain::{Keychain, Refusal};

/// Where a key is kept, said plainly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SecretPlace {
    /// In the system's keychain, encrypted.
    Keychain {},
    /// In a file that only this user may read; not encrypted.
    File {
        /// Where it is.
        path: String,
    },
    /// In a variable of the environment; not ours to change.
    Environment {
        /// Its name.
        variable: String,
    },
}

/// The keys.
pub struct Secrets {
    /// `None`: everything stays in one folder, as the person asked.
    keychain: Option<Keychain>,
    file: KeyFile,
    /// What was found, so that a call to a model never waits for the keychain.
    known: Mutex<HashMap<String, (Secret, SecretPlace)>>,
}

impl Secrets {
    /// Nothing is asked for yet. In portable use the keys travel with the folder.
    pub fn open(places: &Places) -> Self {
        Self {
            keychain: (!places.portable).then(Keychain::default),
            file: KeyFile::new(places.secrets()),
            known: Mutex::default(),
        }
    }

    /// The key kept as `name`, else that of the first of `variables` which is set.
    ///
    /// # Errors
    /// `Keychain` when it refuses or does not answer and no other place has the key.
    pub async fn get(
        &self,
        name: &str,
        variables: &[&str],
    ) -> Result<Option<(Secret, SecretPlace)>> {
        if let Some(known) = self.known().get(name) {
            return Ok(Some(known.clone()));
        }
        let (kept, refusal) = match &self.keychain {
            Some(keychain) => match keychain.get(name).await {
                Ok(kept) => (kept.map(|key| (key, SecretPlace::Keychain {})), None),
                Err(Refusal::Absent) => (None, None),
                Err(Refusal::Refused(detail)) => (None, Some(Error::Keychain { detail })),
            },
            None => (None, None),
        };
        let kept = match kept {
            Some(kept) => Some(kept),
            None => self.file.get(name)?.map(|key| (key, self.file.place())),
        };
        if let Some(kept) = &kept {
            self.known().insert(name.to_owned(), kept.clone());
        }
        match (kept.or_else(|| from_environment(variables)), refusal) {
            (Some(found), _) => Ok(Some(found)),
            (None, Some(refusal)) => Err(refusal),
            (None, None) => Ok(None),
        }
    }

    /// Where the key kept as `name` is; `None`: nowhere.
    pub async fn place(&self, name: &str, variables: &[&str]) -> Result<Option<SecretPlace>> {
        Ok(self.get(name, variables).await?.map(|(_, place)| place))
    }

    /// Keeps a key and says where: in the keychain, or where the machine has none, in the file.
    ///
    /// # Errors
    /// `Keychain` when there is one and it refuses or does not answer: a key that was to be
    /// encrypted is not written in the open instead.
    pub async fn set(&self, name: &str, secret: Secret) -> Result<SecretPlace> {
        let place = match &self.keychain {
            Some(keychain) => match keychain.set(name, &secret).await {
                Ok(()) => {
                    self.file.remove(name)?;
                    SecretPlace::Keychain {}
                }
                Err(Refusal::Absent) => self.file.set(name, &secret)?,
                Err(Refusal::Refused(detail)) => return Err(Error::Keychain { detail }),
            },
            None => self.file.set(name, &secret)?,
        };
        self.known().insert(name.to_owned(), (secret, place.clone()));
        Ok(place)
    }

    /// Forgets a key wherever it is kept; the environment is not touched.
    pub async fn remove(&self, name: &str) -> Result<()> {
        self.known().remove(name);
        self.file.remove(name)?;
        let Some(keychain) = &self.keychain else { return Ok(()) };
        match keychain.remove(name).await {
            Ok(()) | Err(Refusal::Absent) => Ok(()),
            Err(Refusal::Refused(detail)) => Err(Error::Keychain { detail }),
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<String, (Secret, SecretPlace)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn from_environment(variables: &[&str]) -> Option<(Secret, SecretPlace)> {
    variables.iter().find_map(|variable| {
        let value = env::var(variable).ok().filter(|value| !value.trim().is_empty())?;
        let place = SecretPlace::Environment { variable: (*variable).to_owned() };
        Some((Secret::new(&value), place))
    })
}
