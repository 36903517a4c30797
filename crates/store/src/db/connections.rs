//! Opens connections with their settings, and locks the database for one program.
//!
//! Not here: preparing a file for use (`file::open`).

use std::fs::File;
use std::fs::TryLockError;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::trace::{TraceEvent, TraceEventCodes};
use rusqlite::{Connection, OpenFlags};
use skein_domain::error::{Error, Result};
use skein_platform::paths::AppPaths;

use super::error::error_from_sqlite;
use super::schema;

/// The log target of statements.
const STATEMENTS: &str = "skein_store::statements";

/// The time that a statement waits for another program's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// Opens a read-only connection.
pub(crate) fn open_reader(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.set_prepared_statement_cache_capacity(64);
        schema::harden(&connection)?;
        trace_statements(&connection);
        Ok(connection)
    };
    open().map_err(|error| error_from_sqlite(&error, path))
}

pub(crate) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(128);
    schema::harden(&connection)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
    // macOS otherwise leaves written data in the drive's cache for a while.
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    trace_statements(&connection);
    Ok(connection)
}

/// Logs each statement at the level `TRACE`, if that is enabled when the connection opens. Values
/// appear as `?`.
fn trace_statements(connection: &Connection) {
    if tracing::enabled!(target: STATEMENTS, tracing::Level::TRACE) {
        connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(log_statement));
    }
}

fn log_statement(event: TraceEvent<'_>) {
    if let TraceEvent::Stmt(_, sql) = event {
        tracing::trace!(target: STATEMENTS, sql);
    }
}

/// The schema version of a database.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

pub(crate) fn run_check_pragma(connection: &Connection, pragma: &str, path: &Path) -> Result<()> {
    let verdict = connection.query_row(pragma, [], |row| row.get::<_, String>(0));
    match verdict {
        Ok(verdict) if verdict == "ok" => Ok(()),
        Ok(problem) => {
            tracing::error!(%problem, "the database does not pass its check");
            Err(Error::DatabaseDamaged { path: path.display().to_string(), backup: None })
        }
        Err(error) => Err(error_from_sqlite(&error, path)),
    }
}

/// Waits briefly for the lock, because a program that restarts may still be ending.
pub(crate) fn lock_database(places: &AppPaths) -> Result<File> {
    let path = places.data.join("skein.lock");
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| Error::from_io(&path, &error))?;
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if began.elapsed() < BUSY_TIMEOUT => {
                thread::sleep(Duration::from_millis(50));
            }
            Err(TryLockError::WouldBlock) => {
                let path = places.database().display().to_string();
                return Err(Error::DatabaseLocked { path });
            }
            Err(TryLockError::Error(error)) => return Err(Error::from_io(&path, &error)),
        }
    }
}
