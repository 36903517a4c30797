//! Keys: in the system's keychain; where there is none, in a file of the person's own; or in the
//! environment, if that is where they are.
//!
//! A key goes in and is used; nothing here shows one. Not here: which key belongs to what.

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

/// Where a key is kept, said plainly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SecretLocation {
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

pub struct Secrets {
    /// `None`: everything stays in one folder, as the person asked.
    keychain: Option<Keychain>,
    file: SecretFile,
    orphans: Orphans,
    /// What was found, so that a call to a model never waits for the keychain.
    cache: Mutex<HashMap<String, SecretLookup>>,
}

/// What asking for a key came to.
#[derive(Clone)]
enum SecretLookup {
    /// What is kept; `None`: nothing is.
    Kept(Option<(Secret, SecretLocation)>),
    /// It could not be found out.
    Unknown(Error),
}

impl Secrets {
    /// Nothing is asked for yet. In portable use the keys travel with the folder.
    pub fn open(places: &AppPaths) -> Self {
        Self {
            keychain: (!places.portable).then(Keychain::system),
            file: SecretFile::new(places.secrets()),
            orphans: Orphans::new(places.orphaned_keys()),
            cache: Mutex::default(),
        }
    }

    /// The key kept as `name`, else that of the first of `variables` which is set.
    ///
    /// # Errors
    /// `Keychain` when it refuses or does not answer and no other place has the key; it is asked again
    /// the next time.
    pub async fn get(
        &self,
        name: &str,
        variables: &[&str],
    ) -> Result<Option<(Secret, SecretLocation)>> {
        self.cache.lock().retain(|of, known| of != name || matches!(known, SecretLookup::Kept(_)));
        self.get_cached(name, variables).await
    }

    /// The same for a look in passing: what refused once is not asked again before the key is really
    /// wanted.
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

    /// Where the key kept as `name` is, found in passing; `None`: nowhere.
    pub async fn location(&self, name: &str, variables: &[&str]) -> Result<Option<SecretLocation>> {
        Ok(self.get_cached(name, variables).await?.map(|(_, place)| place))
    }

    /// Asks the keychain, then the file, and remembers what they say. Where both have a key, the file's was
    /// put there while the keychain was away, and goes where it belongs.
    async fn look_up(&self, name: &str) -> SecretLookup {
        let asked = match &self.keychain {
            Some(keychain) => keychain.get(name).await,
            None => Err(KeychainError::Absent),
        };
        let known = match (asked, self.file.get(name)) {
            (Ok(Some(_)), Ok(Some(newer))) => self.moved(name, newer).await,
            (Ok(Some(key)), _) => SecretLookup::Kept(Some((key, SecretLocation::Keychain {}))),
            (_, Ok(Some(key))) => SecretLookup::Kept(Some((key, self.file.location()))),
            (Err(KeychainError::Refused(detail)), _) => {
                SecretLookup::Unknown(Error::Keychain { detail })
            }
            (_, Err(error)) => SecretLookup::Unknown(error),
            (Ok(None) | Err(KeychainError::Absent), Ok(None)) => SecretLookup::Kept(None),
        };
        match self.cache.lock().entry(name.to_owned()) {
            // It was kept or forgotten meanwhile: that is newer than what was asked.
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

    /// Puts a key of the file into the keychain, unless another one was kept meanwhile.
    async fn moved(&self, name: &str, newer: Secret) -> SecretLookup {
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

    /// Keeps a key and says where: in the keychain, or where the machine has none, in the file.
    ///
    /// # Errors
    /// `Keychain` when there is one and it refuses or does not answer: a key that was to be
    /// encrypted is not written in the open instead.
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

    /// Forgets a key wherever it is kept; the environment is not touched.
    pub async fn remove(&self, name: &str) -> Result<()> {
        self.cache.lock().remove(name);
        let asked = match &self.keychain {
            Some(keychain) => keychain.remove(name).await,
            None => Ok(()),
        };
        if let Err(KeychainError::Refused(detail)) = asked {
            return Err(Error::Keychain { detail });
        }
        self.file.remove(name)?;
        self.cache.lock().insert(name.to_owned(), SecretLookup::Kept(None));
        Ok(())
    }

    /// Notes that nothing may name a key any more, before it is removed.
    pub fn may_be_orphan(&self, name: &str, now: i64) -> Result<()> {
        self.orphans.change(|orphans| {
            orphans.entry(name.to_owned()).or_insert(now);
        })
    }

    /// Notes that a key is named, or gone.
    pub fn is_no_orphan(&self, name: &str) -> Result<()> {
        self.orphans.change(|orphans| {
            orphans.remove(name);
        })
    }

    /// The keys that nothing names, each with the time since when: of those that were noted, and of all in
    /// the file and in the keychain. The keychain is asked for its keys only after it gave one: where it is
    /// locked, it would ask for a password that nothing needs.
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
    /// What is kept, else what the environment has.
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
