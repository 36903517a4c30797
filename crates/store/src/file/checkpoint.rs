//! The write-ahead log: what was written last stands in `skein.db-wal` beside the database until a
//! checkpoint copies it there. Whoever copies `skein.db` alone must find everything in it.
//!
//! Not here: when a checkpoint is due (`app::maintenance`).

use std::sync::Arc;

use rusqlite::Connection;
use skein_domain::error::Result;
use tokio::sync::Notify;

use crate::db::error::error_from_sqlite;
use crate::db::store::{Store, off_thread};

impl Store {
    /// Is notified of every transaction. Holds no store open.
    pub fn write_notify(&self) -> Arc<Notify> {
        Arc::clone(&self.inner.written)
    }

    /// Copies the log into the database as far as no reader still needs it, waiting for nobody.
    pub async fn checkpoint(&self) -> Result<()> {
        self.run_checkpoint("PRAGMA wal_checkpoint(PASSIVE)").await
    }

    /// Like a checkpoint, at the end of the program: waits for readers and empties the log.
    pub async fn checkpoint_at_close(&self) -> Result<()> {
        self.run_checkpoint("PRAGMA wal_checkpoint(TRUNCATE)").await
    }

    async fn run_checkpoint(&self, pragma: &'static str) -> Result<()> {
        let inner = Arc::clone(&self.inner);
        off_thread(move || {
            let writer = inner.writer.lock();
            run(&writer, pragma).map_err(|error| error_from_sqlite(&error, &inner.path))
        })
        .await
    }
}

fn run(writer: &Connection, pragma: &str) -> rusqlite::Result<()> {
    // The log is synced before anything of it is copied, whatever the last write asked for.
    writer.pragma_update(None, "synchronous", "FULL")?;
    let busy: bool = writer.query_row(pragma, [], |row| row.get(0))?;
    if busy {
        tracing::info!("a reader still needs the log of the database");
    }
    Ok(())
}
