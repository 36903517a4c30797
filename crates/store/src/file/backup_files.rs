//! Backup files: their names, which state the reason, and their list.
//!
//! Only a file with exactly the name of an automatic backup counts as one: a file that the user
//! made or renamed is never deleted.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;
use skein_platform::paths::AppPaths;
use specta::Type;

use crate::db::error::error_from_sqlite;

/// A backup of the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Backup {
    /// The path of the file.
    pub path: String,
    pub reason: BackupReason,
    /// The modification time, in milliseconds since the epoch.
    pub at: i64,
    /// The size of the file.
    pub bytes: u64,
}

impl Backup {
    /// True if the file was made as a backup. A replaced database may have been damaged.
    pub(crate) fn is_backup(&self) -> bool {
        self.reason != BackupReason::Replaced
    }
}

/// The reason of a backup, which the end of its name states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum BackupReason {
    /// Made before an update of the program or a migration. The oldest of these are deleted.
    Update,
    /// Made or put there by the user.
    Person,
    /// Made because a day had passed without one. The oldest of these are deleted.
    Daily,
    /// The former database, replaced by another file.
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

    /// The reason by the file name. A name that is not an automatic one is the user's; `None` if it
    /// is not a backup.
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

/// The backups, newest first.
pub fn backups(places: &AppPaths) -> Vec<Backup> {
    let Ok(folder) = fs::read_dir(places.backups()) else { return Vec::new() };
    let mut backups: Vec<_> = folder.filter_map(|entry| listed(&entry.ok()?.path())).collect();
    backups.sort_by(|a, b| (b.at, &b.path).cmp(&(a.at, &a.path)));
    backups
}

/// The newest file that was made as a backup.
pub fn newest_backup(places: &AppPaths) -> Option<Backup> {
    backups(places).into_iter().find(Backup::is_backup)
}

fn listed(path: &Path) -> Option<Backup> {
    let reason = BackupReason::of(path.file_name()?.to_str()?)?;
    let file = fs::metadata(path).ok()?;
    // A clock that was never set may be before the epoch.
    let at = file.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let at = i64::try_from(at.as_millis()).ok()?;
    Some(Backup { path: path.display().to_string(), reason, at, bytes: file.len() })
}

/// The name of a new backup without its end: schema version and time.
pub(crate) fn backup_name(from: &Connection, now: i64) -> Result<String> {
    let sql = "SELECT 'skein-v' || user_version
                      || strftime('-%Y%m%dT%H%M%SZ', ?1 / 1000, 'unixepoch')
               FROM pragma_user_version";
    from.query_row(sql, [now], |row| row.get(0))
        .map_err(|error| error_from_sqlite(&error, Path::new(from.path().unwrap_or_default())))
}

/// The part of a name after version and time; `None` if it does not begin like [`backup_name`].
pub(crate) fn after_time(name: &str) -> Option<&str> {
    let (version, rest) = name.strip_prefix("skein-v")?.split_once('-')?;
    let (date, rest) = rest.split_once('T')?;
    let (time, rest) = rest.split_once('Z')?;
    let is_number = |part: &str| part.bytes().all(|it| it.is_ascii_digit());
    let are_there = !version.is_empty() && date.len() == 8 && time.len() == 6;
    (are_there && [version, date, time].into_iter().all(is_number)).then_some(rest)
}

/// The number of a daily backup, counted from the first one ever made; `None` for other files and
/// renamed ones.
pub(crate) fn daily_number(name: &str) -> Option<u64> {
    let number = after_time(name)?.strip_suffix(BackupReason::Daily.file_suffix())?;
    let number = number.strip_prefix('-')?;
    // Parsing also accepts other spellings, such as a sign.
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
