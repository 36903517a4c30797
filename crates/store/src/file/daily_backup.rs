//! The daily backup: when it is due, and how many are kept.
//!
//! Due times come from the files' modification times. A file dated more than a day ahead is
//! ignored, because the clock was set back since. The order of daily backups comes from a growing
//! number in their names.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use fs4::available_space;
use rusqlite::Connection;
use skein_domain::error::{Error, Result};
use skein_platform::paths::AppPaths;

use super::backup_files::{Backup, BackupReason, backup_name, backups, daily_number};
use super::unfinished_backup::UnfinishedBackup;
use crate::db::error::{StoreError, error_from_sqlite};
use crate::db::store::Store;

/// The age of the newest backup at which the next is due, in milliseconds.
const DAY: u64 = 24 * 60 * 60 * 1_000;

/// The number of daily backups that are kept.
const MAX_DAILY_BACKUPS: usize = 7;

/// The share of the free space that daily backups may take, their own space included: one part in
/// this many.
const SPACE_SHARE: u64 = 10;

/// The free space that an automatic backup must leave, in bytes.
const MIN_FREE_BYTES: u64 = 100 << 20;

/// Bytes of two files compared at once.
const BLOCK: u64 = 1 << 20;

impl Store {
    /// Makes a backup if none is younger than a day and something was written since the last one;
    /// `None` otherwise. The copy counts only after a check.
    ///
    /// # Errors
    /// `DiskFull`, also shortly before it is; `Storage`; `BadFile` if the copy is damaged, as the
    /// database then may be.
    pub async fn back_up_daily(&self, places: &AppPaths, now: i64) -> Result<Option<PathBuf>> {
        let places = places.clone();
        self.off_thread(move |inner| {
            let mut copied = inner.newest_backup_writes.lock();
            let written = inner.rows_changed();
            let copies = backups(&places);
            if *copied == Some(written) || !is_due(&copies, now) {
                return Ok(None);
            }
            let copy = inner.read_snapshot(|from| copy(from, &places, &copies, now))?;
            *copied = Some(written);
            Ok(copy)
        })
        .await
    }
}

/// The daily backups to delete, with `free` bytes on the disk: all but the last seven, and those
/// that do not fit into the share of the space beside newer ones. Never the newest.
pub(crate) fn prunable_backups(copies: &[Backup], free: u64) -> impl Iterator<Item = &Backup> {
    let mut daily: Vec<_> = copies.iter().filter_map(|it| Some((number_of(it)?, it))).collect();
    daily.sort_by_key(|(number, _)| *number);
    let all = daily.iter().fold(0_u64, |sum, (_, copy)| sum.saturating_add(copy.bytes));
    let room = free.saturating_add(all) / SPACE_SHARE;
    let mut used_bytes = 0_u64;
    daily.into_iter().rev().enumerate().filter_map(move |(newer, (_, copy))| {
        used_bytes = used_bytes.saturating_add(copy.bytes);
        (newer > 0 && (newer >= MAX_DAILY_BACKUPS || used_bytes > room)).then_some(copy)
    })
}

/// The free bytes on the disk of the backups.
pub(crate) fn free_bytes(places: &AppPaths) -> io::Result<u64> {
    // The folder does not exist before the first backup.
    available_space(places.backups()).or_else(|_| available_space(&places.data))
}

fn is_due(copies: &[Backup], now: i64) -> bool {
    !copies.iter().any(|copy| copy.is_backup() && copy.at.abs_diff(now) < DAY)
}

fn copy(
    from: &Connection,
    places: &AppPaths,
    copies: &[Backup],
    now: i64,
) -> Result<Option<PathBuf>> {
    if is_empty(from).map_err(|error| error.into_error(&places.database()))? {
        return Ok(None);
    }
    check_free_space(from, places)?;
    let half = UnfinishedBackup::from_connection(from, places)?;
    let is_there = |copy: &Backup| copy.is_backup() && is_same(&half.path, Path::new(&copy.path));
    if copies.iter().any(is_there) {
        return Ok(None);
    }
    half.verify()?;
    let number = copies.iter().filter_map(number_of).max().unwrap_or(0).saturating_add(1);
    let name = backup_name(from, now)?;
    half.publish(places, &format!("{name}-{number:04}{}", BackupReason::Daily.file_suffix()))
        .map(Some)
}

fn number_of(copy: &Backup) -> Option<u64> {
    daily_number(Path::new(&copy.path).file_name()?.to_str()?)
}

/// True if the database has no content yet.
fn is_empty(from: &Connection) -> Result<bool, StoreError> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM messages)
               AND NOT EXISTS (SELECT 1 FROM drafts)
               AND NOT EXISTS (SELECT 1 FROM reminders)";
    Ok(from.query_row(sql, [], |row| row.get(0))?)
}

/// Fails if an automatic backup would leave less than `MIN_FREE_BYTES` on the disk.
fn check_free_space(from: &Connection, places: &AppPaths) -> Result<()> {
    let folder = places.backups();
    let sql = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    let size = from.query_row(sql, [], |row| row.get(0));
    let size: i64 = size.map_err(|error| error_from_sqlite(&error, &places.database()))?;
    let size = u64::try_from(size).unwrap_or(u64::MAX);
    match free_bytes(places) {
        Ok(free) if !is_room(size, free) => {
            Err(Error::DiskFull { path: folder.display().to_string() })
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

fn is_room(size: u64, free: u64) -> bool {
    size.saturating_add(MIN_FREE_BYTES) <= free
}

/// True if two backups are of the same state of the database. False if one cannot be read.
fn is_same(one: &Path, other: &Path) -> bool {
    let compare = || -> io::Result<bool> {
        let (mut one, mut other) = (File::open(one)?, File::open(other)?);
        if one.metadata()?.len() != other.metadata()?.len() {
            return Ok(false);
        }
        let (mut here, mut there) = (Vec::new(), Vec::new());
        loop {
            here.clear();
            there.clear();
            let read = one.by_ref().take(BLOCK).read_to_end(&mut here)?;
            other.by_ref().take(BLOCK).read_to_end(&mut there)?;
            if read == 0 || here != there {
                return Ok(here == there);
            }
        }
    };
    compare().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 60 * 60 * 1_000;
    const NOW: i64 = 1_800_000_000_000;

    fn made(reason: BackupReason, at: i64, number: u64) -> Backup {
        let path = format!("skein-v1-20270115T080000Z-{number:04}{}", reason.file_suffix());
        Backup { path, reason, at, bytes: 1 }
    }

    #[test]
    fn a_copy_of_whatever_kind_is_enough_for_a_day_and_one_from_the_future_for_none() {
        for (ago, due) in [(1, false), (23, false), (24, true), (-23, false), (-24, true)] {
            let at = NOW - ago * HOUR;
            for reason in [BackupReason::Update, BackupReason::Person, BackupReason::Daily] {
                assert_eq!(is_due(&[made(reason, at, 1)], NOW), due, "{reason:?} of {ago} h ago");
            }
            assert!(is_due(&[made(BackupReason::Replaced, at, 1)], NOW));
        }
        assert!(is_due(&[], NOW));
    }

    #[test]
    fn a_copy_is_made_where_the_disk_has_room_for_more() {
        assert!(
            is_room(5, MIN_FREE_BYTES + 5)
                && !is_room(6, MIN_FREE_BYTES + 5)
                && !is_room(u64::MAX, u64::MAX - 1)
        );
    }

    #[test]
    fn the_seven_that_were_made_last_stay_whatever_the_clock_said() {
        // The clock was a year ahead for the first five.
        let at = |number: u64| NOW + if number <= 5 { 365 * 24 * HOUR } else { 0 };
        let mut copies: Vec<_> =
            (1..=9).map(|number| made(BackupReason::Daily, at(number), number)).collect();
        copies.push(made(BackupReason::Person, 0, 0));
        copies.push(Backup { path: "mine-daily.db".into(), ..made(BackupReason::Daily, 0, 0) });
        let dropped: Vec<_> = prunable_backups(&copies, u64::MAX).filter_map(number_of).collect();
        assert_eq!(dropped, [2, 1]);
    }

    #[test]
    fn of_a_large_database_fewer_stay_the_newest_always() {
        let dropped = |sizes: &[u64], free| -> Vec<_> {
            let made = |(number, bytes): (u64, &u64)| Backup {
                bytes: *bytes,
                ..made(BackupReason::Daily, NOW, number)
            };
            let copies: Vec<_> = (1..).zip(sizes).map(made).collect();
            prunable_backups(&copies, free).filter_map(number_of).collect()
        };
        // 40 bytes of backups and 360 free: a tenth is 40.
        assert_eq!(dropped(&[10, 10, 10, 10], 360), Vec::<u64>::new());
        assert_eq!(dropped(&[10, 10, 10, 10], 359), [1]);
        assert_eq!(dropped(&[10, 10, 10, 20], 250), [2, 1]);
        // A backup is also deleted if a newer one did not fit.
        assert_eq!(dropped(&[1, 100, 10], 500), [2, 1]);
        assert_eq!(dropped(&[10, 10], 0), [1]);
        assert_eq!(dropped(&[10], 0), Vec::<u64>::new());
    }
}
