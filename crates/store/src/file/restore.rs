//! A backup that becomes the database: inspected, staged, and put in its place by the next start.
//!
//! That happens before anything is open, and the former database is then a backup itself. A large database is
//! checked in full only after it is open. A start that fails opens the app window all the same, which says
//! what is in the way.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags};
use skein_domain::error::{Error, Result};
use skein_platform::atomic_file::{create_private_folder, sync_folder};
use skein_platform::paths::AppPaths;

use super::backup_files::BackupReason;
use super::quarantine;
use super::unfinished_backup::{BackupContent, UnfinishedBackup, look_into, settle};
use crate::db::connections;
use crate::db::error::error_from_sqlite;
use crate::db::file_suffix::with_suffix;
use crate::db::schema;

/// Held while a file is copied and looked into: the copy has one name, under which nothing of an
/// earlier one stays.
static LOOKING_INTO: Mutex<()> = Mutex::new(());

/// The content of a file that may replace the database. The file is only read: a copy of it is opened as a
/// start would open it.
///
/// # Errors
/// `BadFile` for anything but an intact database of Skein, `DatabaseNewer`, `DiskFull`, `Storage`.
pub fn inspect_backup(places: &AppPaths, from: &Path) -> Result<BackupContent> {
    let _alone = LOOKING_INTO.lock();
    let half = UnfinishedBackup::of(places, from)?;
    look_into(&half.path, from)
}

/// Has a copy become the database at the next start.
///
/// # Errors
/// Those of [`inspect_backup`]; nothing is changed then.
pub fn stage_restore(places: &AppPaths, from: &Path) -> Result<()> {
    let _alone = LOOKING_INTO.lock();
    let half = UnfinishedBackup::of(places, from)?;
    look_into(&half.path, from)?;
    disown(&half.path).map_err(|error| error_from_sqlite(&error, &half.path))?;
    fold_whole(&half.path)?;
    settle(&half.path, &staged(places))
}

/// Has what it would allow be agreed to once it has become the database.
fn disown(copy: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open(copy)?;
    schema::harden(&connection)?;
    quarantine::clear_installation(&connection)?;
    connection.close().map_err(|(_, error)| error)
}

/// Puts what was staged in the place of the database, and says whether anything was. A start that was cut off
/// here goes on.
pub(crate) fn apply_staged_restore(places: &AppPaths, now: i64) -> Result<bool> {
    let staged = staged(places);
    if !staged.exists() {
        return Ok(false);
    }
    set_aside(places, now)?;
    settle(&staged, &places.database())?;
    Ok(true)
}

/// Moves the database out of the way, so that the next start makes an empty one. Only while no store
/// is open.
pub fn reset_database(places: &AppPaths, now: i64) -> Result<()> {
    let _lock = connections::lock_database(places)?;
    set_aside(places, now)
}

/// The log leaves first: beside another database it would be taken for that one's.
fn set_aside(places: &AppPaths, now: i64) -> Result<()> {
    let (database, folder) = (places.database(), places.backups());
    create_private_folder(&folder).map_err(|error| Error::from_io(&folder, &error))?;
    if let Err(error) = fold_log(&database) {
        tracing::info!(%error, "the log moves beside the database it belongs to");
    }
    let aside = folder.join(format!("skein-{now}{}", BackupReason::Replaced.file_suffix()));
    for suffix in ["-shm", "-wal", ""] {
        match fs::rename(with_suffix(&database, suffix), with_suffix(&aside, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::from_io(&database, &error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    sync_folder(&folder).map_err(|error| Error::from_io(&folder, &error))
}

/// Writes into a database what only its log holds, and takes the log away: a move that is cut off
/// between the two would part them.
fn fold_log(database: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    connection.close().map_err(|(_, error)| error)
}

/// Moves the whole log into the database file, because the log is not moved with it.
fn fold_whole(database: &Path) -> Result<()> {
    fold_log(database).map_err(|error| error_from_sqlite(&error, database))?;
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
        assert!(fold_whole(&file).is_err());

        drop(reader);
        fold_whole(&file).unwrap();
        fs::copy(&file, folder.path().join("moved.db")).unwrap();
        let moved = Connection::open(folder.path().join("moved.db")).unwrap();
        let all: i64 = moved.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        assert_eq!(all, 2);
    }
}
