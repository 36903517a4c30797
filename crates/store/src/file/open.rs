//! Opens the file: locked for one program, checked, backed up before a migration, and cleaned up
//! after a crash.
//!
//! Not here: repairing or replacing a damaged file, which needs the user's decision.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use parking_lot::Mutex;
use rusqlite::Connection;
use skein_domain::error::{Error, Result};
use skein_platform::atomic_file;
use skein_platform::paths::AppPaths;
use tokio::sync::Semaphore;

use super::backup_files::{BackupReason, newest_backup};
use super::backups;
use super::id_range;
use super::quarantine::{self, DatabaseOrigin};
use super::restore::apply_staged_restore;
use super::unfinished_backup::remove_unfinished;
use crate::content::stream_chunks;
use crate::db::connections::{connect, lock_database, open_reader, run_check_pragma, version};
use crate::db::error::{StoreError, error_from_sqlite};
use crate::db::file_identity::FileIdentity;
use crate::db::interrupted_import::InterruptedImport;
use crate::db::schema;
use crate::db::store::{READERS, Store, StoreInner};
use crate::import::import_staging;
use crate::sessions::running_turns;

/// The size above which the integrity check would delay the start;
/// [`Store::finish_integrity_check`] runs it later. In bytes.
const MAX_CHECK_AT_START: u64 = 256 << 20;

impl Store {
    /// Opens the database, creating or migrating it if needed. Blocks; `now` in milliseconds since
    /// the epoch.
    ///
    /// # Errors
    /// `DatabaseNewer`, `DatabaseDamaged`, `DatabaseForeign`, `DatabaseLocked`, `DiskFull`,
    /// `Storage`. Each leaves the file unchanged.
    pub fn open(places: &AppPaths, now: i64) -> Result<Self> {
        let path = places.database();
        let folder = &places.data;
        atomic_file::create_private_folder(folder)
            .map_err(|error| Error::from_io(folder, &error))?;
        let lock = lock_database(places)?;
        remove_unfinished(places);
        let was_staged = apply_staged_restore(places, now)?;
        if was_emptied(&path, &lock) {
            let path = path.display().to_string();
            return Err(with_backup(Error::DatabaseDamaged { path, backup: None }, places));
        }
        // SQLite gives the files beside it the same mode.
        atomic_file::create_private_file(&path).map_err(|error| Error::from_io(&path, &error))?;
        let mut writer = connect(&path)
            .map_err(|error| with_backup(error_from_sqlite(&error, &path), places))?;
        // A restored file was never open in this folder.
        let was_open = was_used(&lock) && !was_staged;
        let Preparation { checked, cut_import } = prepare(&mut writer, places, was_open, now)
            .map_err(|error| with_backup(error, places))?;
        let identity = FileIdentity::of(&path);
        lock.set_len(1).map_err(|error| Error::from_io(&path, &error))?;
        Ok(Self {
            inner: Arc::new(StoreInner {
                path,
                checked,
                cut_import,
                newest_backup_writes: Mutex::default(),
                writer: Mutex::new(writer),
                readers: Mutex::new(Vec::new()),
                reader_permits: Semaphore::new(READERS),
                identity,
                is_replaced: AtomicBool::new(false),
                is_stopped: AtomicBool::new(false),
                was_moved: Arc::default(),
                version: AtomicU64::default(),
                write_committed: Arc::default(),
                _lock: lock,
            }),
        })
    }

    /// The integrity check that the start skipped because the file is large. Runs in the
    /// background.
    ///
    /// # Errors
    /// `DatabaseDamaged`.
    pub async fn finish_integrity_check(&self) -> Result<()> {
        if self.inner.checked { Ok(()) } else { self.check_integrity().await }
    }

    /// The full integrity check, on a connection of its own.
    ///
    /// # Errors
    /// `DatabaseDamaged`.
    pub async fn check_integrity(&self) -> Result<()> {
        self.off_thread(|StoreInner { path, .. }| {
            run_check_pragma(&open_reader(path)?, "PRAGMA integrity_check(1)", path)
        })
        .await
    }
}

/// Prepares a database file before it is opened for use.
struct Preparation {
    /// True if the integrity check ran.
    checked: bool,
    cut_import: Option<InterruptedImport>,
}

fn prepare(
    writer: &mut Connection,
    places: &AppPaths,
    was_open: bool,
    now: i64,
) -> Result<Preparation> {
    let path = places.database();
    let migrations = schema::migrations()?;
    let pending = migrations.pending_migrations(writer).map_err(|error| migrated(error, &path))?;
    let version = version(writer).map_err(|error| error_from_sqlite(&error, &path))?;
    if pending < 0 {
        let path = path.display().to_string();
        return Err(Error::DatabaseNewer { path, found: version, known: schema::newest_version() });
    }
    // Before the first statement, which could run foreign code.
    if let Some(object) =
        schema::unknown_object(writer, version).map_err(|error| error.into_error(&path))?
    {
        return Err(Error::DatabaseForeign { path: path.display().to_string(), object });
    }
    let from_elsewhere = || {
        let before = DatabaseOrigin { version, has_id: quarantine::has_id(writer)?, was_open };
        quarantine::is_from_elsewhere(writer, places, &before)
    };
    let from_elsewhere = from_elsewhere().map_err(|error| error_from_sqlite(&error, &path))?;
    let size = fs::metadata(&path).map_or(0, |file| file.len());
    let checked = from_elsewhere || size <= MAX_CHECK_AT_START;
    if from_elsewhere {
        check_foreign(writer, &path)?;
    } else if checked {
        run_check_pragma(writer, "PRAGMA quick_check(1)", &path)?;
    }
    if pending > 0 && version > 0 {
        backups::copy(writer, places, BackupReason::Update, now)?;
    }
    let installation = quarantine::installation_id(writer, places);
    let installation = installation.map_err(|error| error.into_error(&path))?;
    migrations.to_latest(writer).map_err(|error| migrated(error, &path))?;
    let mut recover = || -> Result<_, StoreError> {
        let tx = writer.transaction()?;
        quarantine::adopt_database(&tx, &installation, from_elsewhere)?;
        stream_chunks::interrupt_unfinished(&tx)?;
        running_turns::mark_cut_turns(&tx)?;
        let cut_import = import_staging::discard_interrupted(&tx, now)?;
        import_staging::add_missing_threads(&tx)?;
        tx.commit()?;
        Ok(cut_import)
    };
    let cut_import = recover().map_err(|error| error.into_error(&path))?;
    Ok(Preparation { checked, cut_import })
}

/// Runs the full integrity check of a foreign database, however large: overlapping pages or missing
/// index rows could hide grants from the quarantine.
fn check_foreign(connection: &Connection, path: &Path) -> Result<()> {
    run_check_pragma(connection, "PRAGMA integrity_check(1)", path)?;
    match id_range::has_room(connection) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Error::DatabaseDamaged { path: path.display().to_string(), backup: None }),
        Err(error) => Err(error_from_sqlite(&error, path)),
    }
}

/// True if a database that had content is empty now. SQLite would take it for a new one.
fn was_emptied(path: &Path, lock: &File) -> bool {
    was_used(lock) && fs::metadata(path).is_ok_and(|file| file.len() == 0)
}

/// True if a database was open in this folder before.
fn was_used(lock: &File) -> bool {
    lock.metadata().is_ok_and(|lock| lock.len() > 0)
}

fn with_backup(error: Error, places: &AppPaths) -> Error {
    match error {
        Error::DatabaseDamaged { path, backup: _ } => {
            Error::DatabaseDamaged { path, backup: newest_backup(places).map(|backup| backup.path) }
        }
        other => other,
    }
}

fn migrated(error: rusqlite_migration::Error, path: &Path) -> Error {
    match error {
        rusqlite_migration::Error::RusqliteError { err, query: _ } => error_from_sqlite(&err, path),
        other => Error::Storage { detail: other.to_string() },
    }
}
