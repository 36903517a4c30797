//! Errors within a transaction, and their conversion to public errors.

use std::fs;
use std::path::Path;

use rusqlite::ErrorCode;
use skein_domain::error::Error;
use skein_platform::atomic_file;

use super::file_suffix::with_suffix;

/// A database error, or an error kind that the caller handles.
#[derive(Debug)]
pub(crate) enum StoreError {
    Sqlite(rusqlite::Error),
    Domain(Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        Self::Domain(error)
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Domain(Error::Storage { detail: error.to_string() })
    }
}

impl StoreError {
    /// The public error; `path` is the file it names.
    pub(crate) fn into_error(self, path: &Path) -> Error {
        match self {
            Self::Domain(error) => error,
            Self::Sqlite(error) => error_from_sqlite(&error, path),
        }
    }
}

/// The kind of a SQLite error, by its result code.
pub(crate) fn error_from_sqlite(error: &rusqlite::Error, path: &Path) -> Error {
    let path = path.display().to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::DatabaseLocked { path },
        Some(ErrorCode::DiskFull | ErrorCode::ReadOnly) => Error::DiskFull { path },
        Some(ErrorCode::SystemIoFailure) if !is_out_of_memory(error) => {
            disk_error(Path::new(&path))
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            Error::DatabaseDamaged { path, backup: None }
        }
        Some(_) | None => Error::Storage { detail: error.to_string() },
    }
}

/// True for an out-of-memory error that SQLite reports as an IO error.
fn is_out_of_memory(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|it| it.extended_code == rusqlite::ffi::SQLITE_IOERR_NOMEM)
}

/// The error for a failing disk. SQLite has one code for a quota, a file size limit and a failing
/// disk, so a file of the same length is written beside the database to get the system's error.
fn disk_error(database: &Path) -> Error {
    let length = |suffix| fs::metadata(with_suffix(database, suffix)).map_or(0, |it| it.len());
    let failed = || Error::DiskFailing { path: database.display().to_string() };
    match atomic_file::check_writable(database, length("").max(length("-wal"))) {
        Err(error @ Error::DiskFull { .. }) => error,
        Ok(()) | Err(_) => failed(),
    }
}

/// A result without the error for a missing row: `None`.
pub(crate) fn if_found<T>(found: Result<T, StoreError>) -> Option<Result<T, StoreError>> {
    match found {
        Err(StoreError::Domain(Error::NotFound { .. })) => None,
        found => Some(found),
    }
}

/// The error for a missing row.
pub(crate) fn not_found(what: &str) -> StoreError {
    StoreError::Domain(Error::NotFound { what: what.to_owned() })
}
