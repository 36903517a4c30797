//! The copy of each day: when it is due, and how many stay.
//!
//! The files themselves say when they were made, whatever the clock was then: one that lies further
//! ahead than a day is no reason to make none, for the clock was set back since. Which of two daily
//! copies is the newer is told by a number in their names that only grows.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs4::available_space;
use rusqlite::Connection;
use skein_domain::error::{Error, Result};
use skein_platform::paths::AppPaths;

use super::backup_files::{Backup, BackupReason, backup_name, backups, daily_number};
use super::unfinished_backup::UnfinishedBackup;
use crate::db::error::{StoreError, error_from_sqlite};
use crate::db::store::{Store, off_thread};

/// Age of the newest backup at which the next one is due, in milliseconds.
const DAY: u64 = 24 * 60 * 60 * 1_000;

/// Daily backups that are kept.
const KEPT: usize = 7;

/// Daily backups may take one part in this many of the free space, their own space included.
const SHARE: u64 = 10;

/// Free space that an automatic backup leaves on the disk, in bytes.
const SPARE: u64 = 100 << 20;

/// Bytes of two files that are compared at a time.
const BLOCK: u64 = 1 << 20;

impl Store {
    /// Copies the database where no copy is younger than a day and something was written since the
    /// last one; `None` where that is not so. The copy counts only once it was looked into.
    ///
    /// # Errors
    /// `DiskFull`, also a little before it is; `Storage`; `BadFile` for a copy that is not whole, as the
    /// database may not be either.
    pub async fn back_up_daily(&self, places: &AppPaths, now: i64) -> Result<Option<PathBuf>> {
        let (inner, places) = (Arc::clone(&self.inner), places.clone());
        off_thread(move || {
            let mut copied = inner.newest_backup_writes.lock();
            let written = inner.written();
            let copies = backups(&places);
            if *copied == Some(written) || !is_due(&copies, now) {
                return Ok(None);
            }
            let copy = inner.as_it_is(|from| copy(from, &places, &copies, now))?;
            *copied = Some(written);
            Ok(copy)
        })
        .await
    }
}

/// The daily copies that newer ones have made superfluous, where so many bytes of the disk are free: all
/// but the last seven, and all for which those after them leave no room. The newest is never one of them.
pub(crate) fn prunable_backups(copies: &[Backup], free: u64) -> impl Iterator<Item = &Backup> {
    let mut daily: Vec<_> = copies.iter().filter_map(|it| Some((number_of(it)?, it))).collect();
    daily.sort_by_key(|(number, _)| *number);
    let all = daily.iter().fold(0_u64, |sum, (_, copy)| sum.saturating_add(copy.bytes));
    let room = free.saturating_add(all) / SHARE;
    let mut taken = 0_u64;
    daily.into_iter().rev().enumerate().filter_map(move |(newer, (_, copy))| {
        taken = taken.saturating_add(copy.bytes);
        (newer > 0 && (newer >= KEPT || taken > room)).then_some(copy)
    })
}

/// Bytes that are free on the disk of the copies.
pub(crate) fn free_bytes(places: &AppPaths) -> io::Result<u64> {
    // Before the first copy the folder is not there.
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
    leave_room(from, places)?;
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

/// Whether nobody has written anything yet.
fn is_empty(from: &Connection) -> Result<bool, StoreError> {
    let sql = "SELECT NOT EXISTS (SELECT 1 FROM messages)
               AND NOT EXISTS (SELECT 1 FROM drafts)
               AND NOT EXISTS (SELECT 1 FROM reminders)";
    Ok(from.query_row(sql, [], |row| row.get(0))?)
}

/// Refuses an automatic backup where it would leave less than `SPARE` on the disk.
fn leave_room(from: &Connection, places: &AppPaths) -> Result<()> {
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
    size.saturating_add(SPARE) <= free
}

/// Whether two copies are of one state of the database. What cannot be read is not.
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
            is_room(5, SPARE + 5) && !is_room(6, SPARE + 5) && !is_room(u64::MAX, u64::MAX - 1)
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
        // 40 of theirs and 360 beside them: a tenth is 40.
        assert_eq!(dropped(&[10, 10, 10, 10], 360), Vec::<u64>::new());
        assert_eq!(dropped(&[10, 10, 10, 10], 359), [1]);
        assert_eq!(dropped(&[10, 10, 10, 20], 250), [2, 1]);
        // One that would fit again behind one that does not is older than that.
        assert_eq!(dropped(&[1, 100, 10], 500), [2, 1]);
        assert_eq!(dropped(&[10, 10], 0), [1]);
        assert_eq!(dropped(&[10], 0), Vec::<u64>::new());
    }
}
