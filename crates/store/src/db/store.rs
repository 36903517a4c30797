//! The open database: one writer, a few readers, and one transaction per operation.
//!
//! Not here: SQL. The file of each table adds its operations to [`Store`].

use std::ffi::c_int;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use skein_domain::error::{Error, Result};
use skein_platform::blocking::run_blocking;
use tokio::sync::{Notify, Semaphore};

use super::connections;
use super::error::{StoreError, error_from_sqlite};
use super::file_identity::FileIdentity;
use super::interrupted_import::InterruptedImport;

/// The number of read-only connections.
pub(crate) const READERS: usize = 3;

/// SQLite instructions between two checks if a read is still awaited.
const INSTRUCTIONS_PER_CHECK: c_int = 500;

/// The open database. Clones share it; dropping the last one closes the file.
#[derive(Clone)]
pub struct Store {
    pub(crate) inner: Arc<StoreInner>,
}

pub(crate) struct StoreInner {
    pub(crate) path: PathBuf,
    /// True if the integrity check ran at the start.
    pub(crate) checked: bool,
    /// The import that the start removed because it was interrupted; `None` if there was none.
    pub(crate) cut_import: Option<InterruptedImport>,
    /// The value of [`Self::written`] at the newest backup; `None`: no backup since the start.
    /// Locked while a backup is made, because two would write to the same unfinished file.
    pub(crate) newest_backup_writes: Mutex<Option<u64>>,
    /// Dropped before the writer: SQLite merges the log into the file only if the writer closes
    /// last.
    pub(crate) readers: Mutex<Vec<Connection>>,
    pub(crate) writer: Mutex<Connection>,
    pub(crate) reader_permits: Semaphore,
    /// The file's identity when it was opened.
    pub(crate) identity: Option<FileIdentity>,
    /// True if the last write found that the file was replaced or is missing.
    pub(crate) is_replaced: AtomicBool,
    /// True while writes are refused, see [`Store::stop_writes`]. Changed only while the writer is locked, or
    /// to false.
    pub(crate) is_stopped: AtomicBool,
    /// Notifies of changes to [`Self::is_replaced`], see [`Store::moved_notify`].
    pub(crate) was_moved: Arc<Notify>,
    /// The number of write transactions since the start, see [`Store::version`].
    pub(crate) version: AtomicU64,
    /// Notifies of every transaction, see [`Store::write_notify`].
    pub(crate) write_committed: Arc<Notify>,
    /// Held while the store is open: a second program would mark this one's replies interrupted.
    pub(crate) _lock: File,
}

impl StoreInner {
    /// The number of rows changed since the start. If it is equal later, nothing was written in
    /// between.
    pub(crate) fn rows_changed(&self) -> u64 {
        self.writer.lock().total_changes()
    }

    /// Reads a snapshot of the file on a connection of its own, for long work that must not block
    /// others.
    pub(crate) fn read_snapshot<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T>,
    ) -> Result<T> {
        let mut reader = connections::open_reader(&self.path)?;
        let tx = reader.transaction().map_err(|error| error_from_sqlite(&error, &self.path))?;
        work(&tx)
    }

    /// # Errors
    /// `DatabaseMoved`.
    pub(crate) fn require_not_moved(&self) -> Result<()> {
        let is_replaced = FileIdentity::of(&self.path) != self.identity;
        if self.is_replaced.swap(is_replaced, Ordering::Relaxed) != is_replaced {
            self.was_moved.notify_one();
        }
        if is_replaced { Err(self.moved()) } else { Ok(()) }
    }

    /// # Errors
    /// `Storage`.
    fn require_not_stopped(&self) -> Result<()> {
        if self.is_stopped.load(Ordering::Relaxed) {
            return Err(Error::Storage { detail: "an earlier database is being put back".into() });
        }
        Ok(())
    }

    pub(crate) fn moved(&self) -> Error {
        Error::DatabaseMoved { path: self.path.display().to_string() }
    }
}

/// The durability of a write when its future resolves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Survives a crash of the program.
    Process,
    /// Survives a power cut as well: for the user's own text.
    Power,
}

impl Store {
    /// The version of the content: it grows with every write. All that was read since is as it was if the
    /// version is still the same.
    pub fn version(&self) -> u64 {
        self.inner.version.load(Ordering::Acquire)
    }

    /// Runs work on the blocking pool.
    pub(crate) async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&StoreInner) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let inner = Arc::clone(&self.inner);
        run_blocking("the work of the store", move || work(&inner)).await?
    }

    /// Runs a transaction on the writer.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        self.write_as(Durability::Process, work).await
    }

    /// Runs a transaction and syncs it to the disk before returning.
    pub(crate) async fn write_durably<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        self.write_as(Durability::Power, work).await
    }

    pub(crate) async fn write_as<T: Send + 'static>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        self.off_thread(move |inner| {
            let mut writer = inner.writer.lock();
            inner.require_not_moved()?;
            inner.require_not_stopped()?;
            let done = transact(&mut writer, durability, work);
            inner.version.fetch_add(1, Ordering::Release);
            inner.write_committed.notify_one();
            done.map_err(|error| error.into_error(&inner.path))
        })
        .await
    }

    /// Runs reads on one snapshot of the file. They are interrupted when the future is dropped.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        let _turn = self.inner.reader_permits.acquire().await;
        let caller = Arc::new(());
        let is_abandoned = {
            let caller = Arc::downgrade(&caller);
            move || caller.strong_count() == 0
        };
        self.off_thread(move |inner| {
            let idle = inner.readers.lock().pop();
            let read_on = |connection: &mut Connection| {
                let result = read_unless(is_abandoned, connection, work);
                result.map_err(|error| error.into_error(&inner.path))
            };
            let mut reader = match idle {
                Some(reader) => reader,
                // The file at this path may be another one by now.
                None if inner.require_not_moved().is_err() => {
                    return read_on(&mut inner.writer.lock());
                }
                None => connections::open_reader(&inner.path)?,
            };
            let result = read_on(&mut reader);
            inner.readers.lock().push(reader);
            result
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
    let result = connection.transaction().map_err(StoreError::from).and_then(|tx| work(&tx));
    connection.progress_handler(0, None::<fn() -> bool>)?;
    result
}

fn transact<T>(
    writer: &mut Connection,
    durability: Durability,
    work: impl FnOnce(&Transaction) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let synchronous = match durability {
        Durability::Process => "NORMAL",
        Durability::Power => "FULL",
    };
    writer.pragma_update(None, "synchronous", synchronous)?;
    // For macOS alone, where a sync otherwise leaves data in the drive's cache.
    writer.pragma_update(None, "fullfsync", durability == Durability::Power)?;
    let tx = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = work(&tx)?;
    tx.commit()?;
    Ok(done)
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
        for (durability, synchronous) in
            [(Durability::Power, 2), (Durability::Process, 1), (Durability::Power, 2)]
        {
            transact(&mut writer, durability, |_| Ok(())).unwrap();
            let pragma = |name: &str| -> i64 {
                writer.pragma_query_value(None, name, |row| row.get(0)).unwrap()
            };
            let full = i64::from(durability == Durability::Power);
            assert_eq!((pragma("synchronous"), pragma("fullfsync")), (synchronous, full));
        }
    }
}
