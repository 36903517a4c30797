//! Checkpoints: the latest writes are in `skein.db-wal` until a checkpoint copies them into the
//! database. A user who copies `skein.db` alone must find everything in it.
//!
//! Not here: when a checkpoint is due (`app::maintenance`).

use std::sync::Arc;

use rusqlite::Connection;
use skein_domain::error::Result;
use tokio::sync::Notify;

use crate::db::error::error_from_sqlite;
use crate::db::store::Store;

impl Store {
    /// Notified of every transaction. Does not keep the store open.
    pub fn write_notify(&self) -> Arc<Notify> {
        Arc::clone(&self.inner.write_committed)
    }

    /// Copies the log into the database as far as no reader needs it. Does not wait.
    pub async fn checkpoint(&self) -> Result<()> {
        self.run_checkpoint("PRAGMA wal_checkpoint(PASSIVE)").await
    }

    /// The checkpoint at the end of the program: waits for readers and empties the log.
    pub async fn checkpoint_at_close(&self) -> Result<()> {
        self.run_checkpoint("PRAGMA wal_checkpoint(TRUNCATE)").await
    }

    async fn run_checkpoint(&self, pragma: &'static str) -> Result<()> {
        self.off_thread(move |inner| {
            let writer = inner.writer.lock();
            run(&writer, pragma).map_err(|error| error_from_sqlite(&error, &inner.path))
        })
        .await
    }
}

fn run(writer: &Connection, pragma: &str) -> rusqlite::Result<()> {
    // Syncs the log before the copy, whatever durability the last write had.
    writer.pragma_update(None, "synchronous", "FULL")?;
    let busy: bool = writer.query_row(pragma, [], |row| row.get(0))?;
    if busy {
        tracing::info!("a reader still needs the log of the database");
    }
    Ok(())
}
