//! Backups that the user or an update asks for, and which of them are deleted again.
//!
//! Not here: the daily backup (`daily_backup`), and restoring one (`restore`).

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::Connection;
use skein_domain::error::Result;
use skein_platform::paths::AppPaths;

use super::backup_files::{BackupReason, backup_name, backups};
use super::daily_backup;
use super::unfinished_backup::UnfinishedBackup;
use crate::db::store::{Store, off_thread};

/// Backups from before a migration that are kept.
const FROM_UPDATES: usize = 3;

impl Store {
    /// A copy of the database, complete when this returns. It stays until the user removes it.
    pub async fn back_up(&self, places: &AppPaths, now: i64) -> Result<PathBuf> {
        self.copy(places, BackupReason::Person, now).await
    }

    /// Beside those who read and write: it takes a while, and nobody waits for it.
    async fn copy(&self, places: &AppPaths, reason: BackupReason, now: i64) -> Result<PathBuf> {
        let (inner, places) = (Arc::clone(&self.inner), places.clone());
        off_thread(move || {
            let mut copied = inner.newest_backup_writes.lock();
            let written = inner.written();
            let copy = inner.as_it_is(|tx| copy(tx, &places, reason, now))?;
            *copied = Some(written);
            Ok(copy)
        })
        .await
    }
}

/// Drops the copies that newer ones of their kind have made superfluous. Only while the database is
/// known to be whole: the oldest may be the last one that is.
pub fn prune_backups(places: &AppPaths) {
    let copies = backups(places);
    let updates = copies.iter().filter(|it| it.reason == BackupReason::Update);
    // Where the disk does not say how much is free, their number alone bounds them.
    let free = daily_backup::free_bytes(places).unwrap_or(u64::MAX);
    for old in updates.skip(FROM_UPDATES).chain(daily_backup::prunable_backups(&copies, free)) {
        if let Err(error) = fs::remove_file(&old.path) {
            tracing::warn!(%error, file = %old.path, "an old copy stays");
        }
    }
}

/// Copies the database under its version, the time and the reason.
pub(crate) fn copy(
    from: &Connection,
    places: &AppPaths,
    reason: BackupReason,
    now: i64,
) -> Result<PathBuf> {
    UnfinishedBackup::from_connection(from, places)?
        .publish(places, &(backup_name(from, now)? + reason.file_suffix()))
}
