//! Copies of the database: made, listed, looked into, and put in its place.
//!
//! A copy takes the place of the database only at a start, before anything is open, and only after
//! it was looked into; the database of before is then a copy itself. Nothing here deletes what a
//! person made or named: only a file with exactly the name of one that came by itself is dropped. Not
//! here: when a copy is made by itself (`daily_backup`).
//!
//! A large database is checked in full only after it is open. A start that fails opens the app window all the
//! same, which says what is in the way.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use rusqlite::backup::Backup as Copying;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use serde::{Deserialize, Serialize};
use skein_domain::error::{Error, FileError, Result};
use skein_platform::atomic_file::{create_private_file, create_private_folder, sync_folder};
use skein_platform::file_permissions::set_mode;
use skein_platform::paths::AppPaths;
use specta::Type;

use super::{daily_backup, open, quarantine};
use crate::db::error::{StoreError, error_from_sqlite};
use crate::db::schema;
use crate::{Store, off_thread};

/// How many copies from before migrations are kept.
const FROM_UPDATES: usize = 3;

/// The name of a copy that is being made.
const UNFINISHED: &str = "unfinished";

/// Held while a file is copied and looked into: the copy has one name, under which nothing of an
/// earlier one stays.
static LOOKING_INTO: Mutex<()> = Mutex::new(());

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
    /// The person asked for it, or put it there.
    Person,
    /// A day had passed without one. The oldest of these are dropped.
    Daily,
    /// Something else took its place as the database.
    Replaced,
}

impl BackupReason {
    pub(crate) fn file_suffix(self) -> &'static str {
        match self {
            Self::Update => ".db",
            Self::Person => "-kept.db",
            Self::Daily => "-daily.db",
            Self::Replaced => "-replaced.db",
        }
    }

    /// Why the copy of this name was made. Whatever is not named as what comes by itself is somebody's
    /// own; `None`: no copy.
    fn of(name: &str) -> Option<Self> {
        if daily_backup::daily_number(name).is_some() {
            return Some(Self::Daily);
        }
        match after_time(name) {
            Some(rest) if rest == Self::Update.file_suffix() => Some(Self::Update),
            _ if name.ends_with(Self::Replaced.file_suffix()) => Some(Self::Replaced),
            _ => name.ends_with(".db").then_some(Self::Person),
        }
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

impl Backup {
    /// Whether it was made as a copy: what was replaced may have been damaged.
    pub(crate) fn is_backup(&self) -> bool {
        self.reason != BackupReason::Replaced
    }
}

impl Store {
    /// A copy of the database, complete when this returns. It stays until the person removes it.
    pub async fn back_up(&self, places: &AppPaths, now: i64) -> Result<PathBuf> {
        self.copy(places, BackupReason::Person, now).await
    }

    /// Beside those who read and write: it takes a while, and nobody waits for it.
    async fn copy(&self, places: &AppPaths, reason: BackupReason, now: i64) -> Result<PathBuf> {
        let (inner, places) = (Arc::clone(&self.inner), places.clone());
        off_thread(move || {
            let mut copied =
                inner.newest_backup_writes.lock().unwrap_or_else(PoisonError::into_inner);
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

/// Copies of the database, the newest first.
pub fn backups(places: &AppPaths) -> Vec<Backup> {
    let Ok(folder) = fs::read_dir(places.backups()) else { return Vec::new() };
    let mut found: Vec<_> = folder.filter_map(|entry| listed(&entry.ok()?.path())).collect();
    found.sort_by(|a, b| (b.at, &b.path).cmp(&(a.at, &a.path)));
    found
}

/// The newest copy that was made as one.
pub fn newest_backup(places: &AppPaths) -> Option<Backup> {
    backups(places).into_iter().find(Backup::is_backup)
}

fn listed(path: &Path) -> Option<Backup> {
    let reason = BackupReason::of(path.file_name()?.to_str()?)?;
    let file = fs::metadata(path).ok()?;
    // A clock that was never set says that it is before everything.
    let at = file.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let at = i64::try_from(at.as_millis()).ok()?;
    Some(Backup { path: path.display().to_string(), reason, at, bytes: file.len() })
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

/// How the name of a copy begins.
pub(crate) fn backup_name(from: &Connection, now: i64) -> Result<String> {
    from.query_row(
        "SELECT 'skein-v' || user_version || strftime('-%Y%m%dT%H%M%SZ', ?1 / 1000, 'unixepoch')
         FROM pragma_user_version",
        [now],
        |row| row.get(0),
    )
    .map_err(|error| error_from_sqlite(&error, Path::new(from.path().unwrap_or_default())))
}

/// What follows the version and the time that [`name`] begins the name of a copy with; `None` where it
/// does not begin so.
pub(crate) fn after_time(name: &str) -> Option<&str> {
    let (version, rest) = name.strip_prefix("skein-v")?.split_once('-')?;
    let (date, rest) = rest.split_once('T')?;
    let (time, rest) = rest.split_once('Z')?;
    let is_number = |part: &str| part.bytes().all(|it| it.is_ascii_digit());
    let are_there = !version.is_empty() && date.len() == 8 && time.len() == 6;
    (are_there && [version, date, time].into_iter().all(is_number)).then_some(rest)
}

/// Removes what a program that was ended left of a copy. Only while nobody makes one.
pub(crate) fn remove_unfinished(places: &AppPaths) {
    drop(UnfinishedBackup::at(places.backups().join(UNFINISHED)));
}

/// What a file holds that might become the database. It is copied and the copy looked into, so that
/// a start would find what is found here; the file itself is only read.
///
/// # Errors
/// `BadFile` for what is no whole database of Skein's, `DatabaseNewer`, `DiskFull`, `Storage`.
pub fn inspect_backup(places: &AppPaths, from: &Path) -> Result<BackupContent> {
    let _alone = LOOKING_INTO.lock().unwrap_or_else(PoisonError::into_inner);
    let half = UnfinishedBackup::of(places, from)?;
    look_into(&half.path, from)
}

/// Has a copy become the database at the next start.
///
/// # Errors
/// Those of [`examine`]; nothing is changed then.
pub fn stage_restore(places: &AppPaths, from: &Path) -> Result<()> {
    let _alone = LOOKING_INTO.lock().unwrap_or_else(PoisonError::into_inner);
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
    let _lock = open::lock_database(places)?;
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

/// The same, where all of the log must be in the database: the log does not move along.
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

/// A copy that does not count yet, gone with this unless it was settled.
pub(crate) struct UnfinishedBackup {
    pub path: PathBuf,
}

impl UnfinishedBackup {
    /// Not there yet, also where one was left.
    fn at(path: PathBuf) -> Self {
        let half = Self { path };
        half.remove();
        half
    }

    /// Of the open database, beside the copies.
    pub fn from_connection(from: &Connection, places: &AppPaths) -> Result<Self> {
        let folder = places.backups();
        let of_folder = |error: io::Error| Error::from_io(&folder, &error);
        create_private_folder(&folder).map_err(of_folder)?;
        let half = Self::at(folder.join(UNFINISHED));
        // The system says better than SQLite why a file cannot be made.
        create_private_file(&half.path).map_err(of_folder)?;
        let write = || {
            let mut to = Connection::open(&half.path)?;
            Copying::new(from, &mut to)?.run_to_completion(4096, Duration::ZERO, None)
        };
        write().map_err(|error| error_from_sqlite(&error, &folder))?;
        Ok(half)
    }

    /// Of a file, with the log of a database that was not closed: what was said last may be in it alone.
    fn of(places: &AppPaths, from: &Path) -> Result<Self> {
        let half = Self::at(places.data.join("skein-restore.part"));
        copy_file(from, &half.path).map_err(|error| unreadable(from, &error))?;
        match copy_file(&with_suffix(from, "-wal"), &with_suffix(&half.path, "-wal")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unreadable(from, &error)),
            Ok(()) | Err(_) => Ok(half),
        }
    }

    /// Whether it could take the place of the database.
    pub fn verify(&self) -> Result<()> {
        look_into(&self.path, &self.path).map(drop)
    }

    /// Has it be one of the copies.
    pub fn publish(self, places: &AppPaths, name: &str) -> Result<PathBuf> {
        let whole = places.backups().join(name);
        settle(&self.path, &whole)?;
        Ok(whole)
    }

    fn remove(&self) {
        for suffix in ["-shm", "-wal", "-journal", ""] {
            // Most are not there.
            let _ = fs::remove_file(with_suffix(&self.path, suffix));
        }
    }
}

impl Drop for UnfinishedBackup {
    fn drop(&mut self) {
        self.remove();
    }
}

fn look_into(copy: &Path, from: &Path) -> Result<BackupContent> {
    let name = name_of(from);
    let bad = |error: rusqlite::Error| {
        tracing::info!(%error, "a copy cannot be looked into");
        let foreign = error.sqlite_error_code() == Some(ErrorCode::NotADatabase);
        bad(&name, if foreign { FileError::NotSkein {} } else { FileError::Damaged {} })
    };
    let connection = Connection::open(copy).map_err(bad)?;
    schema::harden(&connection).map_err(bad)?;
    let version = open::version(&connection).map_err(bad)?;
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
    open::run_check_pragma(&connection, "PRAGMA integrity_check(1)", copy)
        .map_err(|_| self::bad(&name, FileError::Damaged {}))?;
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

fn bad(name: &str, fault: FileError) -> Error {
    Error::BadFile { name: name.to_owned(), fault }
}

fn staged(places: &AppPaths) -> PathBuf {
    places.data.join("skein-restore.db")
}

/// Copies a file, which may be one that others read: the copy is not.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    set_mode(to, 0o600)
}

/// Gives a file that is complete its name, for good.
fn settle(half: &Path, whole: &Path) -> Result<()> {
    let settle = || {
        // Windows syncs only what may be written.
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

/// The file whose name is that of another with something behind it.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_exactly_the_name_of_a_copy_that_came_by_itself_counts_as_one() {
        use BackupReason::{Daily, Person, Replaced, Update};
        for (name, reason) in [
            ("skein-v20-20270115T080000Z.db", Some(Update)),
            ("skein-v20-20270115T080000Z-0012-daily.db", Some(Daily)),
            ("skein-v20-20270115T080000Z-kept.db", Some(Person)),
            ("skein-1800000000000-replaced.db", Some(Replaced)),
            ("skein.db", Some(Person)),
            ("before the move.db", Some(Person)),
            ("skein-v20-20270115T080000Z copy.db", Some(Person)),
            ("skein-v20-20270115T080000Z (2).db", Some(Person)),
            ("my-skein-v20-20270115T080000Z.db", Some(Person)),
            ("skein-v-20270115T080000Z.db", Some(Person)),
            ("skein-v2x-20270115T080000Z.db", Some(Person)),
            ("skein-v20-2027011T080000Z.db", Some(Person)),
            ("skein-v20-20270115T08000Z.db", Some(Person)),
            ("mine-daily.db", Some(Person)),
            ("mine-2026-daily.db", Some(Person)),
            ("skein-v20-20270115T080000Z-+7-daily.db", Some(Person)),
            ("skein-v20-20270115T080000Z-daily.db", Some(Person)),
            ("unfinished", None),
            ("skein.db-wal", None),
        ] {
            assert_eq!(BackupReason::of(name), reason, "{name}");
        }
    }

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
