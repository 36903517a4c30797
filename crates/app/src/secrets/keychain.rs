//! The system's keychain, asked from a thread of its own: it may want a password from the person, or
//! never answer at all, and neither may hold up anything else. Its connection also ends there: the
//! Linux one blocks when it is dropped, which an async thread forbids.

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

/// From when it is asked on: long enough for a person to type the password of a locked keychain. Who waits
/// behind somebody else's password has as long after it.
const PATIENCE: Duration = Duration::from_secs(30);

/// Long enough for the keychain to say that it is there.
const CONNECTING: Duration = Duration::from_secs(5);

/// Why the keychain did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KeychainError {
    /// There is none, as the machine itself says.
    Absent,
    /// It has one; in its words.
    Refused(String),
}

/// What the keychain's thread is asked to do with the store.
type KeychainJob = Box<dyn FnOnce(&CredentialStore) + Send>;

/// Connects to a keychain.
type KeychainConnector = fn() -> keyring_core::Result<Arc<CredentialStore>>;

/// A keychain, sought until it is found: one that is not there yet, or was slow once, may be there later.
pub(super) struct Keychain {
    open: KeychainConnector,
    /// How long it may take to say that it is there.
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
        Self { open, connecting: CONNECTING, inbox, starting }
    }

    /// The key kept as `name`.
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
            let found = store.search(&search_attributes())?;
            Ok(found.iter().filter_map(name_of).collect())
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
            // Nobody waits any more: what was reported as failed must not happen later.
            if answer.is_closed() {
                return;
            }
            let answered = question(store);
            let _ = answer.send(answered.map_err(|error| refused(&error)));
        };
        let number = inbox.put(Box::new(job)).ok_or_else(mute)?;
        let answer = match inbox.turn(begun, PATIENCE).await {
            Some(()) => timeout(PATIENCE, answered).await.ok().and_then(Result::ok),
            None => None,
        };
        answer.unwrap_or_else(|| {
            inbox.gave_up(number);
            Err(mute())
        })
    }

    /// Who comes first waits for it. While that goes on behind their back nobody waits again; what came to
    /// nothing is begun anew.
    async fn connect(&self) -> Result<JobQueue, KeychainError> {
        let mut kept = self.starting.lock().await;
        let starting = kept.get_or_insert_with(|| PendingConnection::new(self.open));
        let patience = if starting.late { Duration::ZERO } else { self.connecting };
        let Ok(said) = timeout(patience, &mut starting.connected).await else {
            starting.late = true;
            return Err(mute());
        };
        let inbox = kept.take().map(|starting| starting.inbox).ok_or_else(mute)?;
        said.unwrap_or_else(|_| Err(mute())).map(|()| inbox)
    }
}

/// What the store of this platform finds the entries of this program by. That of Windows takes a regular
/// expression for the whole name of an entry, which [`name_of`] checks.
fn search_attributes() -> HashMap<&'static str, &'static str> {
    if cfg!(windows) { HashMap::new() } else { HashMap::from([("service", BUNDLE_ID)]) }
}

/// The name of a key; `None`: the entry is of another program, or holds the rest of a longer key. Windows
/// keeps `name.service` as one word, and its store splits that at the last dot, which is one of the service.
fn name_of(entry: &Entry) -> Option<String> {
    let (service, name) = entry.get_specifiers()?;
    let whole = format!("{name}.{service}");
    whole.strip_suffix(&format!(".{BUNDLE_ID}")).map(str::to_owned)
}

fn mute() -> KeychainError {
    KeychainError::Refused("it does not answer".into())
}

/// What waits for the keychain's thread. While that is held up by something nobody waits for any more,
/// nothing else begins to wait.
struct JobQueue {
    jobs: Mutex<(mpsc::Sender<KeychainJob>, u64)>,
    done: Arc<AtomicU64>,
    /// The last one that was given up.
    last_abandoned: AtomicU64,
}

impl JobQueue {
    /// The number of the job, from 1 on; `None`: it would wait in vain.
    fn put(&self, job: KeychainJob) -> Option<u64> {
        let mut jobs = self.jobs.lock();
        if self.is_held_up() {
            return None;
        }
        jobs.0.send(job).ok()?;
        jobs.1 += 1;
        Some(jobs.1)
    }

    /// Waits until a job is begun, and looks so often whether what is before it may still end; `None` where
    /// it does not.
    async fn turn(&self, mut begun: oneshot::Receiver<()>, often: Duration) -> Option<()> {
        loop {
            match timeout(often, &mut begun).await {
                Ok(begun) => return begun.ok(),
                Err(_) if self.is_held_up() => return None,
                Err(_) => {}
            }
        }
    }

    /// Whether somebody has given up on what the thread is still at.
    fn is_held_up(&self) -> bool {
        self.last_abandoned.load(Ordering::Relaxed) > self.done.load(Ordering::Relaxed)
    }

    fn gave_up(&self, number: u64) {
        self.last_abandoned.fetch_max(number, Ordering::Relaxed);
    }
}

/// A connection that is being made.
struct PendingConnection {
    inbox: JobQueue,
    connected: oneshot::Receiver<Result<(), KeychainError>>,
    /// Somebody has waited for it in vain.
    late: bool,
}

impl PendingConnection {
    /// Connects on a new thread, which then waits for jobs until nobody can send any.
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

/// Whether nobody keeps keys here: there is no session bus, nobody on it who does, or nobody whom it can
/// start, as D-Bus and the `secret-service` crate call it. Whoever is only slow, or fails, is there.
#[cfg(all(unix, not(target_os = "macos")))]
fn is_absent(error: &keyring_core::Error) -> bool {
    use std::error::Error;
    use std::io::{self, ErrorKind};
    let nobody = [
        "org.freedesktop.DBus.Error.ServiceUnknown",
        "org.freedesktop.DBus.Error.Spawn.",
        "no secret service provider or dbus session found",
    ];
    let words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let failed = error.downcast_ref::<Arc<io::Error>>().map(|it| it.kind());
        if matches!(failed, Some(ErrorKind::NotFound | ErrorKind::ConnectionRefused)) {
            return true;
        }
        cause = error.source();
    }
    nobody.iter().any(|it| words.contains(it))
}

/// These systems have one.
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

/// Never with what the store attached: that may be a key.
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
        let put = || inbox.put(Box::new(|_| {}));
        assert_eq!((put(), put()), (Some(1), Some(2)));
        inbox.gave_up(1);
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
        let (waited, ()) = tokio::join!(inbox.turn(begun, often), typing);
        assert_eq!(waited, Some(()));
        // And behind what nobody waits for any more it ends.
        let (_begin, never) = oneshot::channel();
        inbox.gave_up(1);
        assert_eq!(inbox.turn(never, often).await, None);
    }
}
