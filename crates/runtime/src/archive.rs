//! P04: a full thread as a file, complete on the disk or not there at all. Not here: what it holds,
//! which is what an export does (`transfer`), so that it can be imported.

use std::path::Path;
use std::{fs, io};

use skein_context::session::SessionId;

use crate::error::{Error, Result};
use crate::files;
use crate::places::Places;

/// Removes what was half written when the program was killed. Before anything is archived: the
/// database is this program's alone, and so is the folder.
pub fn clean(places: &Places) {
    match files::remove_halves(&places.archive()) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => tracing::warn!(%error, "the archive was not cleaned"),
    }
}

/// Writes `archive/{session_id}_{timestamp}.json` beside the database and returns its name. When
/// this returns the file is complete and on the disk.
///
/// # Errors
/// [`Error::DiskFull`], [`Error::Storage`]; nothing is left behind then.
pub fn write(places: &Places, session: SessionId, at: i64, content: &str) -> Result<String> {
    let folder = places.archive();
    fs::create_dir_all(&folder).map_err(|error| Error::of_file(&folder, &error))?;
    let name = format!("{}_{at}.json", session.0);
    files::write_bytes(&folder.join(&name), content.as_bytes())?;
    Ok(name)
}

/// Removes the files of sessions that are deleted for good.
pub fn remove(places: &Places, sessions: &[SessionId]) -> io::Result<()> {
    let entries = match fs::read_dir(places.archive()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        if session_of(&path).is_some_and(|session| sessions.contains(&session)) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn session_of(path: &Path) -> Option<SessionId> {
    let (session, time) = path.file_name()?.to_str()?.strip_suffix(".json")?.split_once('_')?;
    time.parse::<i64>().ok()?;
    session.parse().ok().map(SessionId)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_session_go_with_it_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let places = Places::in_one(folder.path());
        remove(&places, &[SessionId(1)]).unwrap();
        let kept = write(&places, SessionId(11), 5, "{}").unwrap();
        for at in [5, 6] {
            write(&places, SessionId(1), at, "{}").unwrap();
        }
        fs::write(places.archive().join("1_mine.json"), "{}").unwrap();
        remove(&places, &[SessionId(1), SessionId(2)]).unwrap();
        let left = fs::read_dir(places.archive()).unwrap();
        let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [kept.as_str(), "1_mine.json"]);
    }
}
