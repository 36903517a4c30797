//! The open database: one writer, a few read-only readers, and the transaction that every operation is.
//!
//! Not here: SQL. Each table's file adds its operations to [`Store`].

use std::ffi::c_int;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use skein_domain::error::{Error, Result};
use tokio::sync::{Notify, Semaphore};

use super::connections;
use super::error::{StoreError, error_from_sqlite};
use super::file_identity::FileIdentity;
use super::interrupted_import::InterruptedImport;

/// Connections that read at the same time.
pub(crate) const READERS: usize = 3;

/// Instructions of SQLite between two looks whether a read is still waited for.
const INSTRUCTIONS_PER_CHECK: c_int = 500;

/// The open database. Cheap to clone; the file is closed with the last clone.
#[derive(Clone)]
pub struct Store {
    pub(crate) inner: Arc<StoreInner>,
}

pub(crate) struct StoreInner {
    pub(crate) path: PathBuf,
    /// Whether the file was looked through as it was opened.
    pub(crate) checked: bool,
    /// Removed at the start from an import that was cut off; `None`: there was none.
    pub(crate) cut_import: Option<InterruptedImport>,
    /// The value of [`Self::written`] at the newest backup; `None`: no backup since the start. Held while a
    /// backup is made, because two would write to the same unfinished file.
    pub(crate) newest_backup_writes: Mutex<Option<u64>>,
    /// Closed before the writer: only a writer that closes last folds the log into the file.
    pub(crate) readers: Mutex<Vec<Connection>>,
    pub(crate) writer: Mutex<Connection>,
    pub(crate) reader_permits: Semaphore,
    /// Of the file as it was opened.
    pub(crate) identity: Option<FileIdentity>,
    /// Whether the last write found another file in its place, or none.
    pub(crate) is_moved: AtomicBool,
    /// See [`Store::was_moved`].
    pub(crate) was_moved: Arc<Notify>,
    /// See [`Store::written`].
    pub(crate) written: Arc<Notify>,
    /// Held while the store is open: a second program would mark this one's replies interrupted.
    pub(crate) _lock: File,
}

impl StoreInner {
    /// Rows changed since the start. An equal number later means that nothing was written in between.
    pub(crate) fn written(&self) -> u64 {
        self.writer.lock().total_changes()
    }

    /// Reads one state of the file for as long as it takes, in nobody's way.
    pub(crate) fn as_it_is<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let mut reader = connections::open_reader(&self.path)?;
        let tx = reader.transaction().map_err(|error| error_from_sqlite(&error, &self.path))?;
        work(&tx)
    }

    /// # Errors
    /// `DatabaseMoved`.
    pub(crate) fn require_not_moved(&self) -> Result<()> {
        let is_moved = FileIdentity::of(&self.path) != self.identity;
        if self.is_moved.swap(is_moved, Ordering::Relaxed) != is_moved {
            self.was_moved.notify_one();
        }
        if is_moved { Err(self.moved()) } else { Ok(()) }
    }

    pub(crate) fn moved(&self) -> Error {
        Error::DatabaseMoved { path: self.path.display().to_string() }
    }
}

/// The guarantee a write gives when its future resolves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Survives the program's death.
    Process,
    /// Survives a power cut too: what a user wrote.
    Power,
}

impl Store {
    /// Runs one transaction on the writer.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        self.write_as(Durability::Process, work).await
    }

    /// Like `write`, and on the disk before it returns.
    pub(crate) async fn write_surely<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        self.write_as(Durability::Power, work).await
    }

    pub(crate) async fn write_as<T: Send + 'static>(
        &self,
        surety: Durability,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        let inner = Arc::clone(&self.inner);
        off_thread(move || {
            let mut writer = inner.writer.lock();
            inner.require_not_moved()?;
            let done = transact(&mut writer, surety, work);
            inner.written.notify_one();
            done.map_err(|fault| fault.into_error(&inner.path))
        })
        .await
    }

    /// Runs reads that see one state of the file. They are interrupted when the future is dropped.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        let inner = Arc::clone(&self.inner);
        let _turn = self.inner.reader_permits.acquire().await;
        let caller = Arc::new(());
        let is_abandoned = {
            let caller = Arc::downgrade(&caller);
            move || caller.strong_count() == 0
        };
        off_thread(move || {
            let idle = inner.readers.lock().pop();
            let look = |connection: &mut Connection| {
                let found = read_unless(is_abandoned, connection, work);
                found.map_err(|fault| fault.into_error(&inner.path))
            };
            let mut reader = match idle {
                Some(reader) => reader,
                // Another file may be there by now.
                None if inner.require_not_moved().is_err() => {
                    return look(&mut inner.writer.lock());
                }
                None => connections::open_reader(&inner.path)?,
            };
            let found = look(&mut reader);
            inner.readers.lock().push(reader);
            found
        })
        .await
    }
}

/// Interrupts the statements of `work` as soon as `is_abandoned`.
fn read_unless<T>(
    is_abandoned: impl Fn() -> bool + Send + 'static,
    connection: &mut Connection,
    work: impl FnOnce(&Transaction) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.progress_handler(INSTRUCTIONS_PER_CHECK, Some(is_abandoned))?;
    let found = connection.transaction().map_err(StoreError::from).and_then(|tx| work(&tx));
    connection.progress_handler(0, None::<fn() -> bool>)?;
    found
}

fn transact<T>(
    writer: &mut Connection,
    surety: Durability,
    work: impl FnOnce(&Transaction) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let synchronous = match surety {
        Durability::Process => "NORMAL",
        Durability::Power => "FULL",
    };
    writer.pragma_update(None, "synchronous", synchronous)?;
    // On macOS alone: there a write that was synced may else stand in the drive's own memory for a while.
    writer.pragma_update(None, "fullfsync", surety == Durability::Power)?;
    let tx = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = work(&tx)?;
    tx.commit()?;
    Ok(done)
}

pub(crate) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(broken) => Err(Error::Storage { detail: broken.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::sync::mpsc;

    use skein_platform::paths::AppPaths;

    use super::*;

    #[tokio::test]
    async fn a_read_that_nobody_waits_for_any_more_is_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&AppPaths::in_folder(folder.path()), 0).unwrap();
        let (begin, begun) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                       SELECT count(*) FROM n";
        let reader = store.clone();
        let reading = tokio::spawn(async move {
            let work = move |tx: &Transaction| {
                begin.send(()).unwrap();
                let counted = tx.query_row(endless, [], |row| row.get::<_, i64>(0));
                end.send(counted.as_ref().map_err(rusqlite::Error::sqlite_error_code).err())
                    .unwrap();
                counted.map_err(StoreError::from)
            };
            reader.read(work).await
        });
        tokio::task::spawn_blocking(move || begun.recv().unwrap()).await.unwrap();
        reading.abort();
        let outcome = tokio::task::spawn_blocking(move || ended.recv().unwrap()).await.unwrap();
        assert_eq!(outcome, Some(Some(rusqlite::ErrorCode::OperationInterrupted)));
        let after = store.read(|tx| Ok(tx.query_row("SELECT 7", [], |row| row.get::<_, i64>(0))?));
        assert_eq!(after.await.unwrap(), 7, "the connection reads on for others");
    }

    #[test]
    fn only_what_a_person_wrote_is_on_the_disk_itself_before_it_counts_as_written() {
        let mut writer = Connection::open_in_memory().unwrap();
        for (surety, synchronous) in
            [(Durability::Power, 2), (Durability::Process, 1), (Durability::Power, 2)]
        {
            transact(&mut writer, surety, |_| Ok(())).unwrap();
            let pragma = |name: &str| -> i64 {
                writer.pragma_query_value(None, name, |row| row.get(0)).unwrap()
            };
            let full = i64::from(surety == Durability::Power);
            assert_eq!((pragma("synchronous"), pragma("fullfsync")), (synchronous, full));
        }
    }
}
