//! Backup files: their names, which tell why each was made, and the list of them.
//!
//! Only a file with exactly the name of an automatic backup counts as one: what the user made or named is
//! never deleted.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;
use skein_platform::paths::AppPaths;
use specta::Type;

use crate::db::error::error_from_sqlite;

/// A copy of the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Backup {
    /// Path of the file.
    pub path: String,
    /// Why it was made.
    pub reason: BackupReason,
    /// Time of the last write, in milliseconds since the epoch.
    pub at: i64,
    /// Its size.
    pub bytes: u64,
}

impl Backup {
    /// Whether it was made as a copy: what was replaced may have been damaged.
    pub(crate) fn is_backup(&self) -> bool {
        self.reason != BackupReason::Replaced
    }
}

/// Why a copy was made. The end of its name says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum BackupReason {
    /// A new version was about to change the format. The oldest of these are dropped.
    Update,
    /// The user asked for it, or put it there.
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
        if daily_number(name).is_some() {
            return Some(Self::Daily);
        }
        match after_time(name) {
            Some(rest) if rest == Self::Update.file_suffix() => Some(Self::Update),
            _ if name.ends_with(Self::Replaced.file_suffix()) => Some(Self::Replaced),
            _ => name.ends_with(".db").then_some(Self::Person),
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

/// File name of a new backup: schema version and time, without an ending.
pub(crate) fn backup_name(from: &Connection, now: i64) -> Result<String> {
    let sql = "SELECT 'skein-v' || user_version
                      || strftime('-%Y%m%dT%H%M%SZ', ?1 / 1000, 'unixepoch')
               FROM pragma_user_version";
    from.query_row(sql, [now], |row| row.get(0))
        .map_err(|error| error_from_sqlite(&error, Path::new(from.path().unwrap_or_default())))
}

/// The rest of a backup's name behind its version and time; `None`: no name that [`name`] begins.
pub(crate) fn after_time(name: &str) -> Option<&str> {
    let (version, rest) = name.strip_prefix("skein-v")?.split_once('-')?;
    let (date, rest) = rest.split_once('T')?;
    let (time, rest) = rest.split_once('Z')?;
    let is_number = |part: &str| part.bytes().all(|it| it.is_ascii_digit());
    let are_there = !version.is_empty() && date.len() == 8 && time.len() == 6;
    (are_there && [version, date, time].into_iter().all(is_number)).then_some(rest)
}

/// Number of a daily backup, counted from the first one ever made, by its name; `None`: any other file, or
/// a renamed one.
pub(crate) fn daily_number(name: &str) -> Option<u64> {
    let number = after_time(name)?.strip_suffix(BackupReason::Daily.file_suffix())?;
    let number = number.strip_prefix('-')?;
    // What it parses to may have been written otherwise: with a sign.
    number.bytes().all(|it| it.is_ascii_digit()).then(|| number.parse().ok())?
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
}
