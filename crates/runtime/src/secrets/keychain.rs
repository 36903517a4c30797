//! The system's keychain, asked from a thread of its own: it may want a password from the person, or
//! never answer at all, and neither may hold up anything else. Its connection also ends there: the
//! Linux one blocks when it is dropped, which an async thread forbids.

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use keyring_core::{CredentialStore, Entry};
use tokio::sync::{OnceCell, oneshot};
use tokio::time::timeout;

use super::Secret;
use crate::places::BUNDLE_ID;

/// Long enough for a person to type the password of a locked keychain.
const PATIENCE: Duration = Duration::from_secs(30);

/// Long enough for the keychain to say that it is there.
const CONNECTING: Duration = Duration::from_secs(5);

/// Why the keychain did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// This machine has none.
    Absent,
    /// It has one; in its words.
    Refused(String),
}

/// What the keychain's thread is asked to do with the store.
type Job = Box<dyn FnOnce(&CredentialStore) + Send>;

/// The system's keychain, found at its first use.
#[derive(Default)]
pub(super) struct Keychain {
    jobs: OnceCell<Result<mpsc::Sender<Job>, Refusal>>,
}

impl Keychain {
    /// The key kept as `name`.
    pub(super) async fn get(&self, name: &str) -> Result<Option<Secret>, Refusal> {
        self.ask(name, |entry| match entry.get_password() {
            Ok(key) => Ok(Some(Secret::new(&key))),
            Err(keyring_core::Error::NoEntry) => Ok(None),
            Err(error) => Err(refused(&error)),
        })
        .await
    }

    /// Keeps a key.
    pub(super) async fn set(&self, name: &str, secret: &Secret) -> Result<(), Refusal> {
        let secret = secret.clone();
        self.ask(name, move |entry| {
            entry.set_password(secret.expose()).map_err(|error| refused(&error))
        })
        .await
    }

    /// Forgets a key.
    pub(super) async fn remove(&self, name: &str) -> Result<(), Refusal> {
        self.ask(name, |entry| match entry.delete_credential() {
            Ok(()) | Err(keyring_core::Error::NoEntry) => Ok(()),
            Err(error) => Err(refused(&error)),
        })
        .await
    }

    async fn ask<T: Send + 'static>(
        &self,
        name: &str,
        question: impl FnOnce(Entry) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let jobs = self.jobs.get_or_init(start).await.as_ref().map_err(Refusal::clone)?;
        let (answer, answered) = oneshot::channel();
        let name = name.to_owned();
        let job = move |store: &CredentialStore| {
            // Nobody waits any more: what was reported as failed must not happen later.
            if answer.is_closed() {
                return;
            }
            let entry = store.build(BUNDLE_ID, &name, None).map_err(|error| refused(&error));
            let _ = answer.send(entry.and_then(question));
        };
        let mute = || Refusal::Refused("it does not answer".into());
        jobs.send(Box::new(job)).map_err(|_| mute())?;
        match timeout(PATIENCE, answered).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) | Err(_) => Err(mute()),
        }
    }
}

/// Connects on a new thread, which then waits for jobs until nobody can send any. A keychain that
/// does not even connect in time counts as absent.
async fn start() -> Result<mpsc::Sender<Job>, Refusal> {
    let (jobs, inbox) = mpsc::channel::<Job>();
    let (connected, connection) = oneshot::channel();
    let work = move || match open() {
        Ok(store) => {
            let _ = connected.send(());
            inbox.iter().for_each(|job| job(&*store));
        }
        Err(error) => tracing::info!(%error, "no keychain"),
    };
    if let Err(error) = thread::Builder::new().name("keychain".into()).spawn(work) {
        tracing::warn!(%error, "no thread for the keychain");
    }
    match timeout(CONNECTING, connection).await {
        Ok(Ok(())) => Ok(jobs),
        Ok(Err(_)) | Err(_) => Err(Refusal::Absent),
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
fn open() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

#[cfg(target_os = "macos")]
fn open() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(windows)]
fn open() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(windows_native_keyring_store::Store::new()?)
}

/// Never with what the store attached: that may be a key.
fn refused(error: &keyring_core::Error) -> Refusal {
    Refusal::Refused(error.to_string())
}
