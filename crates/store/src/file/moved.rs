//! A database that is deleted, moved or replaced while it is open: the system goes on writing into the old
//! file without an error, and its content is gone when the program ends.

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
use crate::db::store::{Store, off_thread};

/// Pages that are copied at once; between two steps nothing else is written.
const PAGES: i32 = 1_024;

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
