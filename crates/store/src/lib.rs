//! Everything that is kept: one SQLite file, one writer, a few read-only readers.
//!
//! One file per table; SQL is nowhere else. Every operation is one transaction: it happened or it
//! did not. Times are passed in. Not here: deciding anything about a context, or settings and keys,
//! which are files of their own.

mod arrivals;
mod automatic;
mod backups;
mod beginnings;
mod blobs;
mod checkpoint;
mod chunks;
mod conversation;
mod copies;
mod counter;
mod counts;
mod daily;
mod deletions;
mod drafts;
mod edits;
mod excerpt;
mod fault;
mod found;
mod generations;
mod grants;
mod hosts;
mod index;
mod learned;
mod lineage;
mod messages;
mod names;
mod open;
mod opened;
mod outputs;
mod parts;
mod path;
mod points;
mod presence;
mod proposals;
mod quarantine;
mod ranking;
mod reminders;
mod row;
mod schema;
mod search;
mod sessions;
mod terms;
mod threads;
mod waiting;

use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use skein_domain::error::{Error, Result};
use tokio::sync::{Notify, Semaphore};

pub use arrivals::CutImport;
pub use automatic::{AutomaticEvent, LogEntry};
pub use backups::{
    Backup, BackupContent, BackupReason, backups, begin_anew, drop_old, examine, newest, stage,
};
pub use beginnings::Beginning;
pub use chunks::{Chunk, ChunkKind};
pub use deletions::{DeletedEntry, DeletionId};
pub use edits::{Edit, UnsentEdit};
pub use excerpt::Piece;
pub use grants::Grant;
pub use hosts::Host;
pub use learned::Learned;
pub use messages::{NewMessage, Parent};
pub use opened::Opened;
pub use path::{Page, PathMessage};
pub use points::{NewPoint, OutdatedFacts, Replaced};
pub use quarantine::{Permit, QuarantineDecision, QuarantineEntry, QuarantineId};
pub use reminders::NewReminder;
pub use search::{Hit, Matching, Place, Query, Reader};
pub use sessions::{Deleted, NewSession};
pub use threads::NewThread;

use fault::Fault;

/// How many readers may read at once.
const READERS: usize = 3;

/// The open database. Cheap to clone; the file is closed with the last clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    /// Whether the file was looked through as it was opened.
    checked: bool,
    /// What the start has taken out of an import that was cut off.
    cut_import: Option<CutImport>,
    /// What this program had written by its newest copy. Held while one is made: two would write into the
    /// same half one.
    copied: Mutex<Option<u64>>,
    /// Closed before the writer: only a writer that closes last folds the log into the file.
    readers: Mutex<Vec<Connection>>,
    writer: Mutex<Connection>,
    turns: Semaphore,
    /// Of the file as it was opened.
    identity: Option<presence::Identity>,
    /// Whether the last write found another file in its place, or none.
    is_moved: AtomicBool,
    /// See [`Store::was_moved`].
    was_moved: Arc<Notify>,
    /// See [`Store::written`].
    written: Arc<Notify>,
    /// Held while the store is open: a second program would mark this one's replies interrupted.
    _lock: File,
}

impl Inner {
    /// How many rows this program has changed: the same number later says that nothing was written since.
    fn written(&self) -> u64 {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).total_changes()
    }

    /// Reads one state of the file for as long as it takes, in nobody's way.
    fn as_it_is<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let mut reader = open::reader(&self.path)?;
        let tx = reader.transaction().map_err(|error| fault::told(&error, &self.path))?;
        work(&tx)
    }
}

/// How sure a write must be when its promise resolves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Surety {
    /// Survives the program's death.
    Process,
    /// Survives a power cut too: what a person wrote.
    Power,
}

impl Store {
    /// Runs one transaction on the writer.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T> {
        self.write_as(Surety::Process, work).await
    }

    /// The same, on the disk before it returns.
    async fn write_surely<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T> {
        self.write_as(Surety::Power, work).await
    }

    async fn write_as<T: Send + 'static>(
        &self,
        surety: Surety,
        work: impl FnOnce(&Transaction) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T> {
        let inner = Arc::clone(&self.inner);
        off_thread(move || {
            let mut writer = inner.writer.lock().unwrap_or_else(PoisonError::into_inner);
            inner.refuse_moved()?;
            let done = transact(&mut writer, surety, work);
            inner.written.notify_one();
            done.map_err(|fault| fault.told(&inner.path))
        })
        .await
    }

    /// Runs reads that see one state of the file.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T> {
        let inner = Arc::clone(&self.inner);
        let _turn = self.inner.turns.acquire().await;
        off_thread(move || {
            let idle = inner.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let look = |connection: &mut Connection| {
                let found = connection.transaction().map_err(Fault::from).and_then(|tx| work(&tx));
                found.map_err(|fault| fault.told(&inner.path))
            };
            let mut reader = match idle {
                Some(reader) => reader,
                // Another file may be there by now.
                None if inner.refuse_moved().is_err() => {
                    return look(&mut inner.writer.lock().unwrap_or_else(PoisonError::into_inner));
                }
                None => open::reader(&inner.path)?,
            };
            let found = look(&mut reader);
            inner.readers.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
            found
        })
        .await
    }
}

fn transact<T>(
    writer: &mut Connection,
    surety: Surety,
    work: impl FnOnce(&Transaction) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let synchronous = match surety {
        Surety::Process => "NORMAL",
        Surety::Power => "FULL",
    };
    writer.pragma_update(None, "synchronous", synchronous)?;
    // On macOS alone: there a write that was synced may else stand in the drive's own memory for a while.
    writer.pragma_update(None, "fullfsync", surety == Surety::Power)?;
    let tx = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = work(&tx)?;
    tx.commit()?;
    Ok(done)
}

async fn off_thread<T: Send + 'static>(
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

    use super::*;

    #[test]
    fn only_what_a_person_wrote_is_on_the_disk_itself_before_it_counts_as_written() {
        let mut writer = Connection::open_in_memory().unwrap();
        for (surety, synchronous) in [(Surety::Power, 2), (Surety::Process, 1), (Surety::Power, 2)]
        {
            transact(&mut writer, surety, |_| Ok(())).unwrap();
            let pragma = |name: &str| -> i64 {
                writer.pragma_query_value(None, name, |row| row.get(0)).unwrap()
            };
            let full = i64::from(surety == Surety::Power);
            assert_eq!((pragma("synchronous"), pragma("fullfsync")), (synchronous, full));
        }
    }
}
