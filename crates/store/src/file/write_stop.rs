//! Stops all writes while the database is about to be replaced: a write would be lost.

use std::sync::atomic::Ordering;

use skein_domain::error::Result;

use crate::db::store::Store;

impl Store {
    /// The number of rows changed since the start. It is compared by [`Store::stop_writes`].
    pub async fn written_rows(&self) -> Result<u64> {
        self.off_thread(|inner| Ok(inner.rows_changed())).await
    }

    /// Refuses all writes from now on, unless rows changed since [`Store::written_rows`] was `written`;
    /// false: rows changed, and writes go on.
    pub async fn stop_writes(&self, written: u64) -> Result<bool> {
        self.off_thread(move |inner| {
            let writer = inner.writer.lock();
            let is_equal = writer.total_changes() == written;
            inner.is_stopped.store(is_equal, Ordering::Relaxed);
            Ok(is_equal)
        })
        .await
    }

    /// Allows writes again.
    pub fn resume_writes(&self) {
        self.inner.is_stopped.store(false, Ordering::Relaxed);
    }
}
