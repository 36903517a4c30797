//! Copies of the database: made, listed, looked into, and put in its place.
//!
//! A copy takes the place of the database only at a start, before anything is open, and only after
//! it was looked into; the database of before is then a copy itself. Nothing here deletes what a
//! person made.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use rusqlite::backup::Backup as Copying;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use serde::{Deserialize, Serialize};
use specta::Type;

use super::fault::told;
use super::{Store, off_thread, open};
use crate::error::{Error, FileFault, Result};
use crate::files::sync_folder;
use crate::places::Places;

/// How many copies from before migrations are kept.
const FROM_UPDATES: usize = 3;

/// A copy of the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Backup {
    /// Where it is.
    pub path: String,
    /// Why it was made.
    pub reason: BackupReason,
    /// When it was last written, in milliseconds since the epoch.
    pub at: i64,
    /// Its size.
    pub bytes: u64,
}

/// Why a copy was made. The end of its name says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum BackupReason {
    /// A new version was about to change the format. The oldest of these are dropped.
    Update,
    /// The person asked for it.
    Person,
    /// Something else took its place as the database.
    Replaced,
}

impl BackupReason {
    fn ending(self) -> &'static str {
        match self {
            Self::Update => ".db",
            Self::Person => "-kept.db",
            Self::Replaced => "-replaced.db",
        }
    }

    fn of(name: &str) -> Option<Self> {
        [Self::Replaced, Self::Person, Self::Update]
            .into_iter()
            .find(|it| name.ends_with(it.ending()))
    }
}

/// What a copy holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupContent {
    /// Sessions in the sidebar.
    pub sessions: u32,
    /// Messages on whatever branch.
    pub messages: u32,
    /// When the last of them was written, in milliseconds since the epoch; `None` without any.
    pub last_at: Option<i64>,
}

impl Store {
    /// A copy of the database, complete when this returns. It stays until the person removes it.
    pub async fn back_up(&self, places: &Places, now: i64) -> Result<PathBuf> {
        self.copy(places, BackupReason::Person, now).await
    }

    /// Beside those who read and write: it takes a while, and nobody waits for it.
    async fn copy(&self, places: &Places, reason: BackupReason, now: i64) -> Result<PathBuf> {
        let (inner, places) = (Arc::clone(&self.inner), places.clone());
        off_thread(move || {
            let _one_at_a_time = inner.copying.lock().unwrap_or_else(PoisonError::into_inner);
            let mut reader = open::reader(&inner.path)?;
            let tx = reader.transaction().map_err(|error| told(&error, &inner.path))?;
            copy(&tx, &places, reason, now)
        })
        .await
    }
}

/// Drops the copies that newer ones of their kind have made superfluous. Only while the database is
/// known to be whole: the oldest may be the last one that is.
pub fn drop_old(places: &Places) {
    let updates = backups(places).into_iter().filter(|it| it.reason == BackupReason::Update);
    for old in updates.skip(FROM_UPDATES) {
        if let Err(error) = fs::remove_file(&old.path) {
            tracing::warn!(%error, file = %old.path, "an old copy stays");
        }
    }
}

/// Copies of the database, the newest first.
pub fn backups(places: &Places) -> Vec<Backup> {
    let Ok(folder) = fs::read_dir(places.backups()) else { return Vec::new() };
    let mut found: Vec<_> = folder.filter_map(|entry| listed(&entry.ok()?.path())).collect();
    found.sort_by(|a, b| (b.at, &b.path).cmp(&(a.at, &a.path)));
    found
}

/// The newest copy that was made as one: what was replaced may have been damaged.
pub fn newest(places: &Places) -> Option<Backup> {
    backups(places).into_iter().find(|backup| backup.reason != BackupReason::Replaced)
}

fn listed(path: &Path) -> Option<Backup> {
    let reason = BackupReason::of(path.file_name()?.to_str()?)?;
    let file = fs::metadata(path).ok()?;
    let at = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let at = i64::try_from(at.as_millis()).ok()?;
    Some(Backup { path: path.display().to_string(), reason, at, bytes: file.len() })
}

/// Copies the database under its version, the time and the reason. The name is there only when the
/// copy is whole.
pub(super) fn copy(
    from: &Connection,
    places: &Places,
    reason: BackupReason,
    now: i64,
) -> Result<PathBuf> {
    let folder = places.backups();
    fs::create_dir_all(&folder).map_err(|error| Error::of_file(&folder, &error))?;
    let half = folder.join("unfinished");
    let name: String = from
        .query_row(
            "SELECT 'skein-v' || user_version || strftime('-%Y%m%dT%H%M%SZ', ?1 / 1000, 'unixepoch')
             FROM pragma_user_version",
            [now],
            |row| row.get(0),
        )
        .map_err(|error| told(&error, &half))?;
    let write = || {
        let mut to = Connection::open(&half)?;
        Copying::new(from, &mut to)?.run_to_completion(4096, Duration::ZERO, None)
    };
    write().map_err(|error| told(&error, &half))?;
    let whole = folder.join(name + reason.ending());
    settle(&half, &whole)?;
    Ok(whole)
}

/// What a file holds that might become the database. It is copied and the copy looked into, so that
/// a start would find what is found here; the file itself is only read.
///
/// # Errors
/// `BadFile` for what is no whole database of Skein's, `DatabaseNewer`, `DiskFull`, `Storage`.
pub fn examine(places: &Places, from: &Path) -> Result<BackupContent> {
    let half = Half::of(places, from)?;
    look_into(&half.path, from)
}

/// Has a copy become the database at the next start.
///
/// # Errors
/// Those of [`examine`]; nothing is changed then.
pub fn stage(places: &Places, from: &Path) -> Result<()> {
    let half = Half::of(places, from)?;
    look_into(&half.path, from)?;
    settle(&half.path, &staged(places))
}

/// Puts what was staged in the place of the database. A start that was cut off here goes on.
pub(super) fn take_staged(places: &Places, now: i64) -> Result<()> {
    let staged = staged(places);
    if !staged.exists() {
        return Ok(());
    }
    set_aside(places, now)?;
    settle(&staged, &places.database())
}

/// Moves the database out of the way, so that the next start makes an empty one. Only while no store
/// is open.
pub fn begin_anew(places: &Places, now: i64) -> Result<()> {
    let _lock = open::lock(places)?;
    set_aside(places, now)
}

/// The log leaves first: beside another database it would be taken for that one's.
fn set_aside(places: &Places, now: i64) -> Result<()> {
    let (database, folder) = (places.database(), places.backups());
    fs::create_dir_all(&folder).map_err(|error| Error::of_file(&folder, &error))?;
    if let Err(error) = fold_log(&database) {
        tracing::info!(%error, "the log moves beside the database it belongs to");
    }
    let aside = folder.join(format!("skein-{now}{}", BackupReason::Replaced.ending()));
    for suffix in ["-shm", "-wal", ""] {
        match fs::rename(beside(&database, suffix), beside(&aside, suffix)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::of_file(&database, &error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    sync_folder(&folder).map_err(|error| Error::of_file(&folder, &error))
}

/// Writes into a database what only its log holds, and takes the log away: a move that is cut off
/// between the two would part them.
fn fold_log(database: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")?;
    connection.close().map_err(|(_, error)| error)
}

/// A copy that is being looked into, gone with this unless it was settled.
struct Half {
    path: PathBuf,
}

impl Half {
    /// With the log of a database that was not closed: what was said last may be in it alone.
    fn of(places: &Places, from: &Path) -> Result<Self> {
        let half = Self { path: places.data.join("skein-restore.part") };
        half.remove();
        fs::copy(from, &half.path).map_err(|error| unreadable(from, &error))?;
        match fs::copy(beside(from, "-wal"), beside(&half.path, "-wal")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unreadable(from, &error)),
            Ok(_) | Err(_) => Ok(half),
        }
    }

    fn remove(&self) {
        for suffix in ["-shm", "-wal", ""] {
            // Most are not there.
            let _ = fs::remove_file(beside(&self.path, suffix));
        }
    }
}

impl Drop for Half {
    fn drop(&mut self) {
        self.remove();
    }
}

fn look_into(copy: &Path, from: &Path) -> Result<BackupContent> {
    let name = name_of(from);
    let bad = |error: rusqlite::Error| {
        tracing::info!(%error, "a copy cannot be looked into");
        let foreign = error.sqlite_error_code() == Some(ErrorCode::NotADatabase);
        bad(&name, if foreign { FileFault::NotSkein {} } else { FileFault::Damaged {} })
    };
    let connection = Connection::open(copy).map_err(bad)?;
    let version = open::version(&connection).map_err(bad)?;
    if version > open::known() {
        let path = from.display().to_string();
        return Err(Error::DatabaseNewer { path, found: version, known: open::known() });
    }
    if version == 0 || !is_ours(&connection).map_err(bad)? {
        return Err(self::bad(&name, FileFault::NotSkein {}));
    }
    open::verify(&connection, "PRAGMA integrity_check(1)", copy)
        .map_err(|_| self::bad(&name, FileFault::Damaged {}))?;
    count(&connection).map_err(bad)
}

fn is_ours(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row(
        "SELECT count(*) = 4 FROM sqlite_schema
         WHERE name IN ('sessions', 'threads', 'messages', 'parts')",
        [],
        |row| row.get(0),
    )
}

fn count(connection: &Connection) -> rusqlite::Result<BackupContent> {
    connection.query_row(
        "SELECT (SELECT count(*) FROM sessions WHERE deleted_at IS NULL) AS sessions,
                count(*) AS messages, max(created_at) AS last_at
         FROM messages WHERE deleted_at IS NULL",
        [],
        |row| {
            Ok(BackupContent {
                sessions: row.get("sessions")?,
                messages: row.get("messages")?,
                last_at: row.get("last_at")?,
            })
        },
    )
}

fn bad(name: &str, fault: FileFault) -> Error {
    Error::BadFile { name: name.to_owned(), fault }
}

fn staged(places: &Places) -> PathBuf {
    places.data.join("skein-restore.db")
}

/// Gives a file that is complete its name, for good.
fn settle(half: &Path, whole: &Path) -> Result<()> {
    let settle = || {
        // Windows syncs only what may be written.
        File::options().write(true).open(half)?.sync_all()?;
        fs::rename(half, whole)?;
        whole.parent().map_or(Ok(()), sync_folder)
    };
    settle().map_err(|error| Error::of_file(whole, &error))
}

fn unreadable(file: &Path, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::IsADirectory | io::ErrorKind::InvalidInput => {
            bad(&name_of(file), FileFault::Unreadable {})
        }
        _ => Error::of_file(file, error),
    }
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
