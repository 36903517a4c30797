//! Restores a backup: it is inspected and staged, and the next start puts it in place.
//!
//! That happens before anything is open, and the former database becomes a backup. A large database
//! is checked in full only after it is open. If the start fails, the app window opens all the same
//! and shows the reason.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags};
use skein_domain::error::{Error, Result};
use skein_platform::atomic_file::{allow_missing, create_private_folder, sync_folder};
use skein_platform::paths::AppPaths;

use super::backup_files::BackupReason;
use super::quarantine;
use super::unfinished_backup::{BackupContent, UnfinishedBackup, look_into, rename_synced};
use crate::db::connections;
use crate::db::error::error_from_sqlite;
use crate::db::file_suffix::with_suffix;
use crate::db::schema;

/// Locked while a file is copied and inspected, because the copy has a fixed name.
static INSPECTION: Mutex<()> = Mutex::new(());

/// The content of a file that may replace the database. The file is only read: a copy of it is
/// opened in the same way as at a start.
///
/// # Errors
/// `BadFile` if it is not an intact database of Skein, `DatabaseNewer`, `DiskFull`, `Storage`.
pub fn inspect_backup(places: &AppPaths, from: &Path) -> Result<BackupContent> {
    let _alone = INSPECTION.lock();
    let half = UnfinishedBackup::of(places, from)?;
    look_into(&half.path, from)
}

/// Stages a copy of a file as the database of the next start.
///
/// # Errors
/// Those of [`inspect_backup`]; then nothing is changed.
pub fn stage_restore(places: &AppPaths, from: &Path) -> Result<()> {
    let _alone = INSPECTION.lock();
    let half = UnfinishedBackup::of(places, from)?;
    look_into(&half.path, from)?;
    remove_installation_id(&half.path).map_err(|error| error_from_sqlite(&error, &half.path))?;
    merge_whole_log(&half.path)?;
    rename_synced(&half.path, &staged(places))
}

/// Removes what [`stage_restore`] staged: the next start uses the present database.
pub fn unstage_restore(places: &AppPaths) -> Result<()> {
    let staged = staged(places);
    allow_missing(fs::remove_file(&staged)).map_err(|error| Error::from_io(&staged, &error))
}

/// Removes what an earlier run staged. Call it only while no store is open.
///
/// # Errors
/// `DatabaseLocked`: another program has it open; `Storage`.
pub fn unstage_earlier_restore(places: &AppPaths) -> Result<()> {
    let _lock = connections::lock_database(places)?;
    unstage_restore(places)
}

/// Removes the installation id of a copy, so that its permissions are quarantined.
fn remove_installation_id(copy: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open(copy)?;
    schema::harden(&connection)?;
    quarantine::clear_installation(&connection)?;
    connection.close().map_err(|(_, error)| error)
}

/// Puts the staged file in the place of the database; true if there was one. Continues if an
/// earlier start was interrupted here.
pub(crate) fn apply_staged_restore(places: &AppPaths, now: i64) -> Result<bool> {
    let staged = staged(places);
    if !staged.exists() {
        return Ok(false);
    }
    set_aside(places, now)?;
    rename_synced(&staged, &places.database())?;
    Ok(true)
}

/// Moves the database away, so that the next start creates an empty one. Call it only while no
/// store is open.
pub fn reset_database(places: &AppPaths, now: i64) -> Result<()> {
    let _lock = connections::lock_database(places)?;
    set_aside(places, now)
}

/// Moves the log first: beside another database it would be taken for that one's.
fn set_aside(places: &AppPaths, now: i64) -> Result<()> {
    let (database, folder) = (places.database(), places.backups());
    create_private_folder(&folder).map_err(|error| Error::from_io(&folder, &error))?;
    if let Err(error) = merge_log(&database) {
        tracing::info!(%error, "the log moves beside the database it belongs to");
    }
    let aside = folder.join(format!("skein-{now}{}", BackupReason::Replaced.file_suffix()));
    for suffix in ["-shm", "-wal", ""] {
        let moved = fs::rename(with_suffix(&database, suffix), with_suffix(&aside, suffix));
        allow_missing(moved).map_err(|error| Error::from_io(&database, &error))?;
    }
    sync_folder(&folder).map_err(|error| Error::from_io(&folder, &error))
}

/// Merges the log into a database and deletes it, because an interrupted move could separate the
/// two.
fn merge_log(database: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    connection.close().map_err(|(_, error)| error)
}

/// Moves the whole log into the database file.
fn merge_whole_log(database: &Path) -> Result<()> {
    merge_log(database).map_err(|error| error_from_sqlite(&error, database))?;
    let log = with_suffix(database, "-wal");
    match fs::metadata(&log) {
        Ok(left) if left.len() > 0 => {
            Err(Error::Storage { detail: format!("{} is still in use", log.display()) })
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::from_io(&log, &error)),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn staged(places: &AppPaths) -> PathBuf {
    places.data.join("skein-restore.db")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_whose_log_is_held_takes_the_place_of_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("half.db");
        let writer = Connection::open(&file).unwrap();
        writer.pragma_update(None, "journal_mode", "WAL").unwrap();
        writer.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1)").unwrap();
        let reader = Connection::open(&file).unwrap();
        reader.execute_batch("BEGIN; SELECT * FROM t").unwrap();
        let held: i64 = reader.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        writer.execute_batch("INSERT INTO t VALUES (2)").unwrap();
        drop(writer);
        assert_eq!(held, 1);
        assert!(merge_whole_log(&file).is_err());

        drop(reader);
        merge_whole_log(&file).unwrap();
        fs::copy(&file, folder.path().join("moved.db")).unwrap();
        let moved = Connection::open(folder.path().join("moved.db")).unwrap();
        let all: i64 = moved.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        assert_eq!(all, 2);
    }
}
