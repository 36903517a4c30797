//! Whether the database is still where it was opened. A file that was deleted, moved or replaced is
//! written on
//! without an error for as long as it is open, and all of that is gone with the program.
//!
//! Windows lets nobody delete or move an open file, so there is nothing to notice there.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::Backup;
use skein_domain::error::{Error, Result};
use tokio::sync::Notify;

use super::error::error_from_sqlite;
use crate::{Store, StoreInner, off_thread};

/// Pages that are copied at once; between two steps nothing else is written.
const PAGES: i32 = 1_024;

/// What tells a file from another at the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code))]
pub(crate) struct FileIdentity {
    device: u64,
    number: u64,
}

impl FileIdentity {
    /// `None`: nothing is there, or the system has no such thing.
    #[cfg(unix)]
    pub fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let file = std::fs::metadata(path).ok()?;
        Some(Self { device: file.dev(), number: file.ino() })
    }

    /// The same.
    #[cfg(not(unix))]
    pub fn of(_path: &Path) -> Option<Self> {
        None
    }
}

impl StoreInner {
    /// # Errors
    /// `DatabaseMoved`.
    pub(crate) fn require_not_moved(&self) -> Result<()> {
        let is_moved = FileIdentity::of(&self.path) != self.identity;
        if self.is_moved.swap(is_moved, Ordering::Relaxed) != is_moved {
            self.was_moved.notify_one();
        }
        if is_moved { Err(self.moved()) } else { Ok(()) }
    }

    fn moved(&self) -> Error {
        Error::DatabaseMoved { path: self.path.display().to_string() }
    }
}

impl Store {
    /// That the last write found the database no longer in its place; `None`: it is there.
    pub fn moved_error(&self) -> Option<Error> {
        self.inner.is_moved.load(Ordering::Relaxed).then(|| self.inner.moved())
    }

    /// Is notified when it is no longer there, and when it is there again. Holds no store open.
    pub fn moved_notify(&self) -> Arc<Notify> {
        Arc::clone(&self.inner.was_moved)
    }

    /// Copies everything into a file of its own, from what is open: also where the database was deleted.
    pub async fn copy_to(&self, path: PathBuf) -> Result<()> {
        let inner = Arc::clone(&self.inner);
        off_thread(move || {
            File::create(&path).map_err(|error| Error::from_io(&path, &error))?;
            let writer = inner.writer.lock().unwrap_or_else(PoisonError::into_inner);
            copy(&writer, &path).map_err(|error| error_from_sqlite(&error, &path))
        })
        .await
    }
}

fn copy(from: &Connection, path: &Path) -> rusqlite::Result<()> {
    let mut into = Connection::open(path)?;
    Backup::new(from, &mut into)?.run_to_completion(PAGES, Duration::ZERO, None)
}
