//! Accesses the system's keychain on a thread of its own: it may ask the user for a password, or never
//! answer, and must block nothing else. The connection is also dropped there, because the Linux one blocks
//! when dropped, which an async thread does not allow.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use keyring_core::{CredentialStore, Entry};
use parking_lot::Mutex;
use skein_platform::paths::BUNDLE_ID;
use tokio::sync::{self, OnceCell, oneshot};
use tokio::time::timeout;

use super::Secret;
use super::chunked_entry::ChunkedEntry;

/// The timeout of a request, from its start on: long enough for a user to type the password of a locked
/// keychain. A request that waits behind another one has the same time after that.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The timeout of a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The reason why a request to the keychain failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KeychainError {
    /// This machine has no keychain.
    Absent,
    /// The keychain returned an error; its text.
    Refused(String),
}

/// A request to the credential store, for the keychain's thread.
type KeychainJob = Box<dyn FnOnce(&CredentialStore) + Send>;

/// Connects to a keychain.
type KeychainConnector = fn() -> keyring_core::Result<Arc<CredentialStore>>;

/// A keychain. The connection is tried again until it succeeds, because a keychain may appear later.
pub(super) struct Keychain {
    open: KeychainConnector,
    /// The timeout of the connection.
    pub connecting: Duration,
    inbox: OnceCell<JobQueue>,
    starting: sync::Mutex<Option<PendingConnection>>,
}

impl Keychain {
    pub(super) fn system() -> Self {
        Self::with_connector(open)
    }

    pub(super) fn with_connector(open: KeychainConnector) -> Self {
        let (inbox, starting) = (OnceCell::new(), sync::Mutex::default());
        Self { open, connecting: CONNECT_TIMEOUT, inbox, starting }
    }

    /// The key with this name.
    pub(super) async fn get(&self, name: &str) -> Result<Option<Secret>, KeychainError> {
        self.ask(name, |slot| Ok(slot.read()?.map(|key| Secret::new(&key)))).await
    }

    pub(super) async fn set(&self, name: &str, secret: &Secret) -> Result<(), KeychainError> {
        let secret = secret.clone();
        self.ask(name, move |slot| slot.write(secret.expose())).await
    }

    pub(super) async fn remove(&self, name: &str) -> Result<(), KeychainError> {
        self.ask(name, |slot| slot.remove()).await
    }

    /// The names of all keys of this program.
    pub(super) async fn names(&self) -> Result<Vec<String>, KeychainError> {
        self.ask_store(|store| {
            let entries = store.search(&search_attributes())?;
            Ok(entries.iter().filter_map(name_of).collect())
        })
        .await
    }

    async fn ask<T: Send + 'static>(
        &self,
        name: &str,
        question: impl FnOnce(&ChunkedEntry<'_>) -> keyring_core::Result<T> + Send + 'static,
    ) -> Result<T, KeychainError> {
        let name = name.to_owned();
        self.ask_store(move |store| question(&ChunkedEntry::new(store, &name))).await
    }

    async fn ask_store<T: Send + 'static>(
        &self,
        question: impl FnOnce(&CredentialStore) -> keyring_core::Result<T> + Send + 'static,
    ) -> Result<T, KeychainError> {
        let inbox = self.inbox.get_or_try_init(|| self.connect()).await?;
        let (begin, begun) = oneshot::channel();
        let (answer, answered) = oneshot::channel();
        let job = move |store: &CredentialStore| {
            let _ = begin.send(());
            // The caller has given up, and must not find the request done later.
            if answer.is_closed() {
                return;
            }
            let answered = question(store);
            let _ = answer.send(answered.map_err(|error| refused(&error)));
        };
        let number = inbox.push(Box::new(job)).ok_or_else(no_answer)?;
        let answer = match inbox.wait_for_start(begun, REQUEST_TIMEOUT).await {
            Some(()) => timeout(REQUEST_TIMEOUT, answered).await.ok().and_then(Result::ok),
            None => None,
        };
        answer.unwrap_or_else(|| {
            inbox.abandon(number);
            Err(no_answer())
        })
    }

    /// The first caller waits for the connection. If that is late, further callers do not wait. A failed
    /// connection is tried again.
    async fn connect(&self) -> Result<JobQueue, KeychainError> {
        let mut kept = self.starting.lock().await;
        let starting = kept.get_or_insert_with(|| PendingConnection::new(self.open));
        let patience = if starting.late { Duration::ZERO } else { self.connecting };
        let Ok(said) = timeout(patience, &mut starting.connected).await else {
            starting.late = true;
            return Err(no_answer());
        };
        let inbox = kept.take().map(|starting| starting.inbox).ok_or_else(no_answer)?;
        said.unwrap_or_else(|_| Err(no_answer())).map(|()| inbox)
    }
}

/// The attributes by which the platform's store finds the entries of this program. The Windows store matches
/// the whole name of an entry, which [`name_of`] checks instead.
fn search_attributes() -> HashMap<&'static str, &'static str> {
    if cfg!(windows) { HashMap::new() } else { HashMap::from([("service", BUNDLE_ID)]) }
}

/// The name of a key; `None`: the entry belongs to another program, or is the rest of a longer key. Windows
/// has
/// `name.service` as one word, which its store splits at the last dot, within the service.
fn name_of(entry: &Entry) -> Option<String> {
    let (service, name) = entry.get_specifiers()?;
    let whole = format!("{name}.{service}");
    whole.strip_suffix(&format!(".{BUNDLE_ID}")).map(str::to_owned)
}

fn no_answer() -> KeychainError {
    KeychainError::Refused("it does not answer".into())
}

/// The queue of the keychain's thread. It takes no new jobs while the thread is blocked by an abandoned one.
struct JobQueue {
    jobs: Mutex<(mpsc::Sender<KeychainJob>, u64)>,
    done: Arc<AtomicU64>,
    /// The number of the last abandoned job.
    last_abandoned: AtomicU64,
}

impl JobQueue {
    /// Adds a job. Returns its number, from 1 on; `None`: the queue is blocked.
    fn push(&self, job: KeychainJob) -> Option<u64> {
        let mut jobs = self.jobs.lock();
        if self.is_blocked() {
            return None;
        }
        jobs.0.send(job).ok()?;
        jobs.1 += 1;
        Some(jobs.1)
    }

    /// Waits until a job begins, and checks at this interval whether the queue is blocked; `None`: it is.
    async fn wait_for_start(
        &self,
        mut begun: oneshot::Receiver<()>,
        often: Duration,
    ) -> Option<()> {
        loop {
            match timeout(often, &mut begun).await {
                Ok(begun) => return begun.ok(),
                Err(_) if self.is_blocked() => return None,
                Err(_) => {}
            }
        }
    }

    /// True if the thread is still busy with an abandoned job.
    fn is_blocked(&self) -> bool {
        self.last_abandoned.load(Ordering::Relaxed) > self.done.load(Ordering::Relaxed)
    }

    fn abandon(&self, number: u64) {
        self.last_abandoned.fetch_max(number, Ordering::Relaxed);
    }
}

/// A connection in progress.
struct PendingConnection {
    inbox: JobQueue,
    connected: oneshot::Receiver<Result<(), KeychainError>>,
    /// True if a caller has waited for it until the timeout.
    late: bool,
}

impl PendingConnection {
    /// Connects on a new thread, which then runs jobs until the queue is dropped.
    fn new(open: KeychainConnector) -> Self {
        let (jobs, taken) = mpsc::channel::<KeychainJob>();
        let (connection, connected) = oneshot::channel();
        let done = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&done);
        let work = move || match open() {
            Ok(store) => {
                let _ = connection.send(Ok(()));
                for job in &taken {
                    job(&*store);
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
            Err(error) => {
                tracing::info!(%error, "no keychain");
                let absent = is_absent(&error);
                let _ = connection.send(Err(if absent {
                    KeychainError::Absent
                } else {
                    refused(&error)
                }));
            }
        };
        if let Err(error) = thread::Builder::new().name("keychain".into()).spawn(work) {
            tracing::warn!(%error, "no thread for the keychain");
        }
        let inbox =
            JobQueue { jobs: Mutex::new((jobs, 0)), done, last_abandoned: AtomicU64::new(0) };
        Self { inbox, connected, late: false }
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
fn open() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

/// True if this machine has no keychain: there is no session bus, or no service on it, or none that it can
/// start. The error names are those of D-Bus and the `secret-service` crate. A slow or failing service is not
/// absent.
#[cfg(all(unix, not(target_os = "macos")))]
fn is_absent(error: &keyring_core::Error) -> bool {
    use std::error::Error;
    use std::io::{self, ErrorKind};
    let nobody = [
        "org.freedesktop.DBus.Error.ServiceUnknown",
        "org.freedesktop.DBus.Error.Spawn.",
        "no secret service provider or dbus session found",
    ];
    let text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let failed = error.downcast_ref::<Arc<io::Error>>().map(|it| it.kind());
        if matches!(failed, Some(ErrorKind::NotFound | ErrorKind::ConnectionRefused)) {
            return true;
        }
        cause = error.source();
    }
    nobody.iter().any(|it| text.contains(it))
}

/// These systems always have a keychain.
#[cfg(any(windows, target_os = "macos"))]
fn is_absent(_error: &keyring_core::Error) -> bool {
    false
}

#[cfg(target_os = "macos")]
fn open() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(windows)]
fn open() -> keyring_core::Result<Arc<CredentialStore>> {
    Ok(windows_native_keyring_store::Store::new()?)
}

/// The error without the data that the store attached, which may be a key.
fn refused(error: &keyring_core::Error) -> KeychainError {
    KeychainError::Refused(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_a_job_that_hangs_nothing_begins_to_wait() {
        let (jobs, taken) = mpsc::channel();
        let done = Arc::new(AtomicU64::new(0));
        let inbox = JobQueue {
            jobs: Mutex::new((jobs, 0)),
            done: Arc::clone(&done),
            last_abandoned: AtomicU64::new(0),
        };
        let put = || inbox.push(Box::new(|_| {}));
        assert_eq!((put(), put()), (Some(1), Some(2)));
        inbox.abandon(1);
        assert_eq!(put(), None);
        done.fetch_add(1, Ordering::Relaxed);
        assert_eq!(put(), Some(3));
        assert_eq!(taken.try_iter().count(), 3);
    }

    #[tokio::test]
    async fn behind_a_password_that_is_typed_slowly_the_next_has_its_own_time() {
        let (jobs, _taken) = mpsc::channel();
        let inbox = JobQueue {
            jobs: Mutex::new((jobs, 0)),
            done: Arc::new(AtomicU64::new(0)),
            last_abandoned: AtomicU64::new(0),
        };
        let often = Duration::from_millis(10);
        let (begin, begun) = oneshot::channel();
        let typing = async {
            tokio::time::sleep(often * 3).await;
            begin.send(()).unwrap();
        };
        let (waited, ()) = tokio::join!(inbox.wait_for_start(begun, often), typing);
        assert_eq!(waited, Some(()));
        // And behind what nobody waits for any more it ends.
        let (_begin, never) = oneshot::channel();
        inbox.abandon(1);
        assert_eq!(inbox.wait_for_start(never, often).await, None);
    }
}
