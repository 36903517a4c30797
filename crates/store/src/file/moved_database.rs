//! Detects that the open database was deleted, moved or replaced. The system keeps writing into the
//! old file without an error, and its content is lost when the program ends.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::Backup;
use skein_domain::error::{Error, Result};
use tokio::sync::Notify;

use crate::db::error::error_from_sqlite;
use crate::db::store::Store;

/// Pages copied at once. Other writes wait for one such step at most.
const PAGES: i32 = 1_024;

impl Store {
    /// The error that the last write found the database gone; `None` if it is in its place.
    pub fn moved_error(&self) -> Option<Error> {
        self.inner.is_replaced.load(Ordering::Relaxed).then(|| self.inner.moved())
    }

    /// Notified when the database is gone, and when it is back. Does not keep the store open.
    pub fn moved_notify(&self) -> Arc<Notify> {
        Arc::clone(&self.inner.was_moved)
    }

    /// Copies everything into another file, from the open connection: also after the database was
    /// deleted.
    pub async fn copy_to(&self, path: PathBuf) -> Result<()> {
        self.off_thread(move |inner| {
            File::create(&path).map_err(|error| Error::from_io(&path, &error))?;
            let writer = inner.writer.lock();
            copy(&writer, &path).map_err(|error| error_from_sqlite(&error, &path))
        })
        .await
    }
}

fn copy(from: &Connection, path: &Path) -> rusqlite::Result<()> {
    let mut into = Connection::open(path)?;
    Backup::new(from, &mut into)?.run_to_completion(PAGES, Duration::ZERO, None)
}
