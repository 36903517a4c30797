//! Everything that is kept: one SQLite file, one writer, a few read-only readers.
//!
//! One file per table; SQL is nowhere else. Every operation is one transaction: it happened or it
//! did not. Times are passed in. Not here: deciding anything about a context, or settings and keys,
//! which are files of their own.
mod content;
mod db;
mod file;
mod import;
mod log;
mod messages;
mod search;
mod sessions;

use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, Transaction, TransactionBehavior};
use skein_domain::error::{Error, Result};
use tokio::sync::{Notify, Semaphore};

pub use content::stream_chunks::{StreamChunk, StreamChunkKind};
pub use file::backups::{
    Backup, BackupContent, BackupReason, backups, inspect_backup, newest_backup, prune_backups,
    reset_database, stage_restore,
};
pub use file::quarantine::{QuarantineDecision, QuarantineEntry, QuarantineId, QuarantinedItem};
pub use import::import_staging::InterruptedImport;
pub use log::activity_log::{ActivityLogEntry, AutomaticEvent};
pub use log::grants::Grant;
pub use log::hosts::ContactedHost;
pub use log::learned_limits::LearnedModel;
pub use messages::branch_path::{PathMessage, TranscriptPage};
pub use messages::compactions::{NewCompaction, OutdatedFacts, PointVersion};
pub use messages::deletions::{DeletedEntry, DeletionId};
pub use messages::edits::{MessageEdit, UnsentEdit};
pub use messages::message_previews::MessagePreview;
pub use messages::message_rows::{MessageParent, NewMessage};
pub use search::full_text_search::{
    MatchMode, MessageLocation, ReadAccess, SearchHit, SearchQuery,
};
pub use search::search_snippet::SnippetPiece;
pub use sessions::recent_sessions::SessionReadState;
pub use sessions::reminders::NewReminder;
pub use sessions::session_rows::{DeletedSessionRecord, NewSession};
pub use sessions::threads::NewThread;

use db::error::StoreError;

/// How many readers may read at once.
const READERS: usize = 3;

/// The open database. Cheap to clone; the file is closed with the last clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<StoreInner>,
}

struct StoreInner {
    path: PathBuf,
    /// Whether the file was looked through as it was opened.
    checked: bool,
    /// What the start has taken out of an import that was cut off.
    cut_import: Option<InterruptedImport>,
    /// What this program had written by its newest copy. Held while one is made: two would write into the
    /// same half one.
    newest_backup_writes: Mutex<Option<u64>>,
    /// Closed before the writer: only a writer that closes last folds the log into the file.
    readers: Mutex<Vec<Connection>>,
    writer: Mutex<Connection>,
    reader_permits: Semaphore,
    /// Of the file as it was opened.
    identity: Option<db::file_identity::FileIdentity>,
    /// Whether the last write found another file in its place, or none.
    is_moved: AtomicBool,
    /// See [`Store::was_moved`].
    was_moved: Arc<Notify>,
    /// See [`Store::written`].
    written: Arc<Notify>,
    /// Held while the store is open: a second program would mark this one's replies interrupted.
    _lock: File,
}

impl StoreInner {
    /// How many rows this program has changed: the same number later says that nothing was written since.
    fn written(&self) -> u64 {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).total_changes()
    }

    /// Reads one state of the file for as long as it takes, in nobody's way.
    fn as_it_is<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let mut reader = file::open::open_reader(&self.path)?;
        let tx = reader
            .transaction()
            .map_err(|error| db::error::error_from_sqlite(&error, &self.path))?;
        work(&tx)
    }
}

/// How sure a write must be when its promise resolves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Durability {
    /// Survives the program's death.
    Process,
    /// Survives a power cut too: what a person wrote.
    Power,
}

impl Store {
    /// Runs one transaction on the writer.
    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        self.write_as(Durability::Process, work).await
    }

    /// The same, on the disk before it returns.
    async fn write_surely<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        self.write_as(Durability::Power, work).await
    }

    async fn write_as<T: Send + 'static>(
        &self,
        surety: Durability,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        let inner = Arc::clone(&self.inner);
        off_thread(move || {
            let mut writer = inner.writer.lock().unwrap_or_else(PoisonError::into_inner);
            inner.require_not_moved()?;
            let done = transact(&mut writer, surety, work);
            inner.written.notify_one();
            done.map_err(|fault| fault.into_error(&inner.path))
        })
        .await
    }

    /// Runs reads that see one state of the file.
    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T> {
        let inner = Arc::clone(&self.inner);
        let _turn = self.inner.reader_permits.acquire().await;
        off_thread(move || {
            let idle = inner.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let look = |connection: &mut Connection| {
                let found =
                    connection.transaction().map_err(StoreError::from).and_then(|tx| work(&tx));
                found.map_err(|fault| fault.into_error(&inner.path))
            };
            let mut reader = match idle {
                Some(reader) => reader,
                // Another file may be there by now.
                None if inner.require_not_moved().is_err() => {
                    return look(&mut inner.writer.lock().unwrap_or_else(PoisonError::into_inner));
                }
                None => file::open::open_reader(&inner.path)?,
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
