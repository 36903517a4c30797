//! P04: a full thread as a file, complete on the disk or not there at all.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use serde::Serialize;
use skein_context::compaction::CompactionPoint;
use skein_context::message::Message;
use skein_context::session::{Session, Thread};

use crate::error::{Error, Result};
use crate::places::Places;

/// Everything of a thread.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArchivedThread<'a> {
    /// The session it belongs to.
    pub session: &'a Session,
    /// The thread.
    pub thread: &'a Thread,
    /// Every message on whatever branch, oldest first.
    pub messages: Vec<Message>,
    /// Its compaction points.
    pub points: Vec<CompactionPoint>,
    /// Milliseconds since the epoch.
    pub archived_at: i64,
}

/// Writes `archive/{session_id}_{timestamp}.json` beside the database and returns its name. When
/// this returns the file is complete and on the disk.
///
/// # Errors
/// [`Error::DiskFull`], [`Error::Storage`]; nothing is left behind then.
pub fn write(places: &Places, archived: &ArchivedThread<'_>) -> Result<String> {
    let folder = places.archive();
    let name = format!("{}_{}.json", archived.session.id.0, archived.archived_at);
    let content = serde_json::to_vec_pretty(archived)
        .map_err(|error| Error::Storage { detail: error.to_string() })?;
    let path = folder.join(&name);
    let unfinished = folder.join(format!("{name}.part"));
    let written = fs::create_dir_all(&folder)
        .and_then(|()| fill(&unfinished, &content))
        .and_then(|()| fs::rename(&unfinished, &path))
        .and_then(|()| sync_folder(&folder));
    match written {
        Ok(()) => Ok(name),
        Err(error) => {
            // Best effort: what matters is that no half file carries the final name.
            let _ = fs::remove_file(&unfinished);
            Err(told(&error, &path))
        }
    }
}

fn fill(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// A rename is on the disk only when its folder is. Windows has no such thing as a folder's sync.
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    if cfg!(windows) { Ok(()) } else { File::open(folder)?.sync_all() }
}

fn told(error: &std::io::Error, path: &Path) -> Error {
    let path = path.display().to_string();
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::ReadOnlyFilesystem => {
            Error::DiskFull { path }
        }
        _ => Error::Storage { detail: format!("{path}: {error}") },
    }
}
