//! When the daily question for a newer version is due.

use std::fs;
use std::path::PathBuf;

use skein_platform::atomic_file;
use skein_platform::paths::AppPaths;

/// The interval, in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// True if a day has passed since the last question. One that is noted ahead of `now` is ignored, because the
/// clock was set back since.
pub fn is_due(places: &AppPaths, now: i64) -> bool {
    let last = fs::read_to_string(file(places)).ok().and_then(|text| text.parse::<i64>().ok());
    last.is_none_or(|last| now < last || now.saturating_sub(last) >= DAY)
}

/// Notes a question, also one that will fail.
pub fn note_check(places: &AppPaths, now: i64) {
    if let Err(error) = atomic_file::write_private(&file(places), now.to_string().as_bytes()) {
        tracing::warn!(%error, "the time of the question for updates was not noted");
    }
}

fn file(places: &AppPaths) -> PathBuf {
    places.cache.join("update-check")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_due_after_a_day_and_after_the_clock_was_set_back() {
        let folder = tempfile::tempdir().unwrap();
        let places = AppPaths::in_folder(folder.path());
        let last = 1_800_000_000_000;
        assert!(is_due(&places, last), "it was never asked");
        note_check(&places, last);
        for (later, due) in [(0, false), (DAY - 1, false), (DAY, true), (-1, true)] {
            assert_eq!(is_due(&places, last + later), due, "{later} ms later");
        }
    }
}
