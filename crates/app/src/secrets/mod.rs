//! Stores keys: in the system's keychain; on a machine without one, in a file of the user; or reads them from
//! the environment.
//!
//! A key is stored and used; nothing here displays one. Not here: which key belongs to what.

mod chunked_entry;
mod keychain;
mod orphans;
mod secret;
mod secret_file;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::env;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use skein_domain::error::{Error, Result};
use skein_platform::paths::AppPaths;
use specta::Type;

pub use secret::Secret;

use keychain::{Keychain, KeychainError};
use orphans::Orphans;
use secret_file::SecretFile;

/// The location of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SecretLocation {
    /// In the system's keychain, encrypted.
    Keychain {},
    /// In a file that only this user may read; not encrypted.
    File {
        /// The path of the file.
        path: String,
    },
    /// In an environment variable, which the program does not change.
    Environment {
        /// The name of the variable.
        variable: String,
    },
}

pub struct Secrets {
    /// `None`: portable use, in which everything stays in one folder.
    keychain: Option<Keychain>,
    file: SecretFile,
    orphans: Orphans,
    /// The results of lookups, so that a call of a model does not wait for the keychain.
    cache: Mutex<HashMap<String, SecretLookup>>,
}

/// The result of a lookup.
#[derive(Clone)]
enum SecretLookup {
    /// The stored key; `None`: there is none.
    Kept(Option<(Secret, SecretLocation)>),
    /// The lookup failed.
    Unknown(Error),
}

impl Secrets {
    /// Opens the keys without a query. In portable use the keys are in the program's folder.
    pub fn open(places: &AppPaths) -> Self {
        Self {
            keychain: (!places.portable).then(Keychain::system),
            file: SecretFile::new(places.secrets()),
            orphans: Orphans::new(places.orphaned_keys()),
            cache: Mutex::default(),
        }
    }

    /// The key with this name, else the first of `variables` that is set.
    ///
    /// # Errors
    /// `Keychain` if it refuses or does not answer and the key is in no other place; it is asked again the
    /// next time.
    pub async fn get(
        &self,
        name: &str,
        variables: &[&str],
    ) -> Result<Option<(Secret, SecretLocation)>> {
        self.cache.lock().retain(|of, known| of != name || matches!(known, SecretLookup::Kept(_)));
        self.get_cached(name, variables).await
    }

    /// The key as far as it can be found without a new query to a keychain that refused before.
    pub async fn get_cached(
        &self,
        name: &str,
        variables: &[&str],
    ) -> Result<Option<(Secret, SecretLocation)>> {
        let known = self.cache.lock().get(name).cloned();
        match known {
            Some(known) => known.or_from(variables),
            None => self.look_up(name).await.or_from(variables),
        }
    }

    /// The location of a key by [`Secrets::get_cached`]; `None`: there is no key.
    pub async fn location(&self, name: &str, variables: &[&str]) -> Result<Option<SecretLocation>> {
        Ok(self.get_cached(name, variables).await?.map(|(_, place)| place))
    }

    /// Asks the keychain, then the file, and caches the result. If both have a key, the one in the file was
    /// stored while the keychain was unavailable, and is moved into the keychain.
    async fn look_up(&self, name: &str) -> SecretLookup {
        let from_keychain = match &self.keychain {
            Some(keychain) => keychain.get(name).await,
            None => Err(KeychainError::Absent),
        };
        let known = match (from_keychain, self.file.get(name)) {
            (Ok(Some(_)), Ok(Some(newer))) => self.move_to_keychain(name, newer).await,
            (Ok(Some(key)), _) => SecretLookup::Kept(Some((key, SecretLocation::Keychain {}))),
            (_, Ok(Some(key))) => SecretLookup::Kept(Some((key, self.file.location()))),
            (Err(KeychainError::Refused(detail)), _) => {
                SecretLookup::Unknown(Error::Keychain { detail })
            }
            (_, Err(error)) => SecretLookup::Unknown(error),
            (Ok(None) | Err(KeychainError::Absent), Ok(None)) => SecretLookup::Kept(None),
        };
        match self.cache.lock().entry(name.to_owned()) {
            // The key was stored or deleted meanwhile, which is newer than the lookup.
            Entry::Occupied(newer) if matches!(newer.get(), SecretLookup::Kept(_)) => {
                newer.get().clone()
            }
            Entry::Occupied(mut older) => {
                older.insert(known.clone());
                known
            }
            Entry::Vacant(place) => place.insert(known).clone(),
        }
    }

    /// Moves a key of the file into the keychain, unless another one was stored meanwhile.
    async fn move_to_keychain(&self, name: &str, newer: Secret) -> SecretLookup {
        let kept = self.cache.lock().get(name).cloned();
        if let Some(kept @ SecretLookup::Kept(_)) = kept {
            return kept;
        }
        let place = self.set(name, newer.clone()).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "a key stays in the file");
            self.file.location()
        });
        SecretLookup::Kept(Some((newer, place)))
    }

    /// Stores a key and returns its location: the keychain, or the file on a machine without one.
    ///
    /// # Errors
    /// `Keychain` if there is one and it refuses or does not answer: the key is not written unencrypted
    /// instead.
    pub async fn set(&self, name: &str, secret: Secret) -> Result<SecretLocation> {
        let place = match &self.keychain {
            Some(keychain) => match keychain.set(name, &secret).await {
                Ok(()) => {
                    self.file.remove(name)?;
                    SecretLocation::Keychain {}
                }
                Err(KeychainError::Absent) => self.file.set(name, &secret)?,
                Err(KeychainError::Refused(detail)) => return Err(Error::Keychain { detail }),
            },
            None => self.file.set(name, &secret)?,
        };
        self.cache
            .lock()
            .insert(name.to_owned(), SecretLookup::Kept(Some((secret, place.clone()))));
        Ok(place)
    }

    /// Deletes a key from the keychain and the file. The environment stays.
    pub async fn remove(&self, name: &str) -> Result<()> {
        self.cache.lock().remove(name);
        let removed = match &self.keychain {
            Some(keychain) => keychain.remove(name).await,
            None => Ok(()),
        };
        if let Err(KeychainError::Refused(detail)) = removed {
            return Err(Error::Keychain { detail });
        }
        self.file.remove(name)?;
        self.cache.lock().insert(name.to_owned(), SecretLookup::Kept(None));
        Ok(())
    }

    /// Records that a key may be unused, before it is deleted.
    pub fn may_be_orphan(&self, name: &str, now: i64) -> Result<()> {
        self.orphans.change(|orphans| {
            orphans.entry(name.to_owned()).or_insert(now);
        })
    }

    /// Records that a key is in use, or deleted.
    pub fn is_no_orphan(&self, name: &str) -> Result<()> {
        self.orphans.change(|orphans| {
            orphans.remove(name);
        })
    }

    /// The unused keys, each with the time since when: recorded ones, and all in the file and in the
    /// keychain. The keychain is listed only after it returned a key: a locked one would ask for a password
    /// without need.
    pub async fn orphans(
        &self,
        now: i64,
        is_unnamed: impl Fn(&str) -> bool,
    ) -> Result<BTreeMap<String, i64>> {
        let mut kept = self.file.names()?;
        if let Some(keychain) = self.keychain.as_ref().filter(|_| self.has_read_keychain()) {
            match keychain.names().await {
                Ok(names) => kept.extend(names),
                Err(error) => tracing::warn!(?error, "the keychain does not list its keys"),
            }
        }
        self.orphans.change(|orphans| {
            for name in kept {
                orphans.entry(name).or_insert(now);
            }
            orphans.retain(|name, _| is_unnamed(name));
        })?;
        self.orphans.read()
    }

    fn has_read_keychain(&self) -> bool {
        let is_from_keychain = |known: &SecretLookup| {
            matches!(known, SecretLookup::Kept(Some((_, SecretLocation::Keychain {}))))
        };
        self.cache.lock().values().any(is_from_keychain)
    }
}

impl SecretLookup {
    /// The stored key, else the one of the environment.
    fn or_from(self, variables: &[&str]) -> Result<Option<(Secret, SecretLocation)>> {
        match self {
            Self::Kept(Some(kept)) => Ok(Some(kept)),
            Self::Kept(None) => Ok(from_environment(variables)),
            Self::Unknown(error) => from_environment(variables).map(Some).ok_or(error),
        }
    }
}

fn from_environment(variables: &[&str]) -> Option<(Secret, SecretLocation)> {
    variables.iter().find_map(|variable| {
        let value = env::var(variable).ok().filter(|value| !value.trim().is_empty())?;
        let place = SecretLocation::Environment { variable: (*variable).to_owned() };
        Some((Secret::new(&value), place))
    })
}

#[cfg(test)]
mod tests;
