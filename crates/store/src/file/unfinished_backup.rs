//! A backup that is being made. It counts only once it is complete and checked.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup as Copying;
use rusqlite::{Connection, ErrorCode};
use serde::{Deserialize, Serialize};
use skein_domain::error::{Error, FileError, Result};
use skein_platform::atomic_file::{
    allow_missing, create_private_file, create_private_folder, sync_folder,
};
use skein_platform::file_permissions::set_mode;
use skein_platform::paths::AppPaths;
use specta::Type;

use super::id_range;
use crate::db::connections;
use crate::db::error::{StoreError, error_from_sqlite};
use crate::db::file_suffix::with_suffix;
use crate::db::schema;

/// The file name of an unfinished backup.
const UNFINISHED: &str = "unfinished";

/// Sessions and messages in a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupContent {
    /// Sessions in the sidebar.
    pub sessions: u32,
    /// Messages on all branches.
    pub messages: u32,
    /// The time of the latest message, in milliseconds since the epoch; `None` if there is none.
    pub last_at: Option<i64>,
}

/// An unfinished backup. Dropping it deletes the file, unless it was published.
pub(crate) struct UnfinishedBackup {
    pub path: PathBuf,
}

impl UnfinishedBackup {
    /// Deletes a leftover of the same name.
    fn at(path: PathBuf) -> Self {
        let half = Self { path };
        half.remove();
        half
    }

    /// Copies the open database into the folder of backups.
    pub fn from_connection(from: &Connection, places: &AppPaths) -> Result<Self> {
        let folder = places.backups();
        let of_folder = |error: io::Error| Error::from_io(&folder, &error);
        create_private_folder(&folder).map_err(of_folder)?;
        let half = Self::at(folder.join(UNFINISHED));
        // The system's error is more precise than SQLite's.
        create_private_file(&half.path).map_err(of_folder)?;
        let write = || {
            let mut to = Connection::open(&half.path)?;
            Copying::new(from, &mut to)?.run_to_completion(4096, Duration::ZERO, None)
        };
        write().map_err(|error| error_from_sqlite(&error, &folder))?;
        Ok(half)
    }

    /// Copies a file, together with the log of a database that was not closed, which may hold the
    /// latest messages.
    pub fn of(places: &AppPaths, from: &Path) -> Result<Self> {
        let half = Self::at(places.data.join("skein-restore.part"));
        copy_file(from, &half.path).map_err(|error| unreadable(from, &error))?;
        let log = copy_file(&with_suffix(from, "-wal"), &with_suffix(&half.path, "-wal"));
        allow_missing(log).map_err(|error| unreadable(from, &error))?;
        Ok(half)
    }

    /// Checks that it could replace the database.
    pub fn verify(&self) -> Result<()> {
        look_into(&self.path, &self.path).map(drop)
    }

    /// Renames the finished file to its name among the backups.
    pub fn publish(self, places: &AppPaths, name: &str) -> Result<PathBuf> {
        let whole = places.backups().join(name);
        rename_synced(&self.path, &whole)?;
        Ok(whole)
    }

    fn remove(&self) {
        for suffix in ["-shm", "-wal", "-journal", ""] {
            // Most of these files do not exist.
            let _ = fs::remove_file(with_suffix(&self.path, suffix));
        }
    }
}

impl Drop for UnfinishedBackup {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Deletes an unfinished backup that a killed program left. Call it only while none is being made.
pub(crate) fn remove_unfinished(places: &AppPaths) {
    drop(UnfinishedBackup::at(places.backups().join(UNFINISHED)));
}

pub(crate) fn look_into(copy: &Path, from: &Path) -> Result<BackupContent> {
    let name = name_of(from);
    let bad = |error: rusqlite::Error| {
        tracing::info!(%error, "a copy cannot be looked into");
        let foreign = error.sqlite_error_code() == Some(ErrorCode::NotADatabase);
        bad(&name, if foreign { FileError::NotSkein {} } else { FileError::Damaged {} })
    };
    let connection = Connection::open(copy).map_err(bad)?;
    schema::harden(&connection).map_err(bad)?;
    let version = connections::version(&connection).map_err(bad)?;
    if version > schema::newest_version() {
        let path = from.display().to_string();
        return Err(Error::DatabaseNewer { path, found: version, known: schema::newest_version() });
    }
    if version == 0 || !is_ours(&connection).map_err(bad)? {
        return Err(self::bad(&name, FileError::NotSkein {}));
    }
    match schema::unknown_object(&connection, version) {
        Ok(None) => {}
        Ok(Some(object)) => return Err(self::bad(&name, FileError::ForeignSchema { object })),
        Err(StoreError::Sqlite(error)) => return Err(bad(error)),
        Err(StoreError::Domain(error)) => return Err(error),
    }
    connections::run_check_pragma(&connection, "PRAGMA integrity_check(1)", copy)
        .map_err(|_| self::bad(&name, FileError::Damaged {}))?;
    if !id_range::has_room(&connection).map_err(bad)? {
        return Err(self::bad(&name, FileError::Damaged {}));
    }
    count(&connection).map_err(bad)
}

fn is_ours(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) = 4 FROM sqlite_schema
               WHERE name IN ('sessions', 'threads', 'messages', 'parts')";
    connection.query_row(sql, [], |row| row.get(0))
}

fn count(connection: &Connection) -> rusqlite::Result<BackupContent> {
    let sql = "SELECT (SELECT count(*) FROM sessions WHERE deleted_at IS NULL) AS sessions,
                      count(*) AS messages, max(created_at) AS last_at
               FROM messages WHERE deleted_at IS NULL";
    connection.query_row(sql, [], |row| {
        let (sessions, messages) = (row.get("sessions")?, row.get("messages")?);
        Ok(BackupContent { sessions, messages, last_at: row.get("last_at")? })
    })
}

fn bad(name: &str, fault: FileError) -> Error {
    Error::BadFile { name: name.to_owned(), fault }
}

/// Copies a file. Only the user can read the copy, whoever can read the original.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    set_mode(to, 0o600)
}

/// Renames a complete file and syncs it.
pub(crate) fn rename_synced(half: &Path, whole: &Path) -> Result<()> {
    let settle = || {
        // Windows syncs only files opened for writing.
        File::options().write(true).open(half)?.sync_all()?;
        fs::rename(half, whole)?;
        whole.parent().map_or(Ok(()), sync_folder)
    };
    settle().map_err(|error| Error::from_io(whole, &error))
}

fn unreadable(file: &Path, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::IsADirectory | io::ErrorKind::InvalidInput => {
            bad(&name_of(file), FileError::Unreadable {})
        }
        _ => Error::from_io(file, error),
    }
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}
