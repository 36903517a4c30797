//! Backups made by the user or before an update, and the deletion of old ones.
//!
//! Not here: the daily backup (`daily_backup`), and restoring one (`restore`).

use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;
use skein_domain::error::Result;
use skein_platform::paths::AppPaths;

use super::backup_files::{BackupReason, backup_name, backups};
use super::daily_backup;
use super::unfinished_backup::UnfinishedBackup;
use crate::db::store::Store;

/// The number of backups from before migrations that are kept.
const MAX_UPDATE_BACKUPS: usize = 3;

impl Store {
    /// Makes a backup that stays until the user deletes it. It is complete when this returns.
    pub async fn back_up(&self, places: &AppPaths, now: i64) -> Result<PathBuf> {
        self.copy(places, BackupReason::Person, now).await
    }

    /// Makes the backup of this version before an update of the program. It is complete when this returns.
    pub async fn back_up_for_update(&self, places: &AppPaths, now: i64) -> Result<PathBuf> {
        self.copy(places, BackupReason::Update, now).await
    }

    /// Copies on a connection of its own, because it takes a while.
    async fn copy(&self, places: &AppPaths, reason: BackupReason, now: i64) -> Result<PathBuf> {
        let places = places.clone();
        self.off_thread(move |inner| {
            let mut copied = inner.newest_backup_writes.lock();
            let written = inner.rows_changed();
            let copy = inner.read_snapshot(|tx| copy(tx, &places, reason, now))?;
            *copied = Some(written);
            Ok(copy)
        })
        .await
    }
}

/// Deletes backups that newer ones of the same reason replace. Call it only while the database is
/// known to be intact: the oldest backup may be the last intact one.
pub fn prune_backups(places: &AppPaths) {
    let copies = backups(places);
    let updates = copies.iter().filter(|it| it.reason == BackupReason::Update);
    // If the free space is unknown, only their number limits them.
    let free = daily_backup::free_bytes(places).unwrap_or(u64::MAX);
    for old in updates.skip(MAX_UPDATE_BACKUPS).chain(daily_backup::prunable_backups(&copies, free))
    {
        if let Err(error) = fs::remove_file(&old.path) {
            tracing::warn!(%error, file = %old.path, "an old copy stays");
        }
    }
}

/// Copies the database to a file named by version, time and reason.
pub(crate) fn copy(
    from: &Connection,
    places: &AppPaths,
    reason: BackupReason,
    now: i64,
) -> Result<PathBuf> {
    UnfinishedBackup::from_connection(from, places)?
        .publish(places, &(backup_name(from, now)? + reason.file_suffix()))
}
