//! P04: writes an archived thread to a file, atomically. Not here: its contents, which are those of an export
//! (`transfer`), so that it can be imported.

use std::{fs, io};

use skein_domain::error::Result;
use skein_domain::ids::SessionId;
use skein_platform::atomic_file;
use skein_platform::paths::AppPaths;

/// Writes `archive/{session_id}_{timestamp}.json` beside the database and returns its name. The file is
/// complete and on disk then.
///
/// # Errors
/// [`Error::DiskFull`], [`Error::Storage`]; no file is left then.
pub fn write_archive(
    places: &AppPaths,
    session: SessionId,
    at: i64,
    content: &str,
) -> Result<String> {
    let folder = places.archive();
    let name = format!("{}_{at}.json", session.0);
    atomic_file::write_private(&folder.join(&name), content.as_bytes())?;
    Ok(name)
}

/// Removes a file that a thread of this session names. A file of another session's name stays: an imported
/// session names foreign files, and a restored backup reuses the ids of sessions whose files still exist.
pub fn remove_archive(places: &AppPaths, session: SessionId, name: &str) -> io::Result<()> {
    if session_of(name) != Some(session) {
        return Ok(());
    }
    match fs::remove_file(places.archive().join(name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

fn session_of(name: &str) -> Option<SessionId> {
    let (session, time) = name.strip_suffix(".json")?.split_once('_')?;
    time.parse::<i64>().ok()?;
    session.parse().ok().map(SessionId)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_file_goes_only_with_the_session_that_wrote_it() {
        let folder = tempfile::tempdir().unwrap();
        let places = AppPaths::in_folder(folder.path());
        let name = write_archive(&places, SessionId(1), 5, "{}").unwrap();
        let of_another = write_archive(&places, SessionId(11), 5, "{}").unwrap();
        let outside = folder.path().join("1_5.json");
        fs::write(&outside, "{}").unwrap();
        for name in [of_another.as_str(), "../1_5.json", "1_mine.json", ""] {
            remove_archive(&places, SessionId(1), name).unwrap();
        }
        remove_archive(&places, SessionId(1), &name).unwrap();
        remove_archive(&places, SessionId(1), &name).unwrap();
        let left = fs::read_dir(places.archive()).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, [of_another.as_str()]);
        assert!(outside.exists());
    }
}
