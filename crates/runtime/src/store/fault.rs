//! What goes wrong inside a transaction, and how it is told outside.

use std::path::Path;

use rusqlite::ErrorCode;

use crate::error::Error;

/// A fault of the database, or a kind the caller acts on.
#[derive(Debug)]
pub(super) enum Fault {
    Sqlite(rusqlite::Error),
    Kind(Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Kind(error)
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::Kind(Error::Storage { detail: error.to_string() })
    }
}

impl Fault {
    /// What the person is told, naming the file at `path`.
    pub(super) fn told(self, path: &Path) -> Error {
        match self {
            Self::Kind(error) => error,
            Self::Sqlite(error) => told(&error, path),
        }
    }
}

/// The kind of a database error, by SQLite's result code.
pub(super) fn told(error: &rusqlite::Error, path: &Path) -> Error {
    let path = path.display().to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::DatabaseLocked { path },
        Some(ErrorCode::DiskFull | ErrorCode::ReadOnly | ErrorCode::SystemIoFailure) => {
            Error::DiskFull { path }
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            Error::DatabaseDamaged { path, backup: None }
        }
        Some(_) | None => Error::Storage { detail: error.to_string() },
    }
}

/// The error for a row that is not there.
pub(super) fn not_found(what: &str) -> Fault {
    Fault::Kind(Error::NotFound { what: what.to_owned() })
}
