//! P04: a full thread as a file, complete on the disk or not there at all.

use std::{fs, io};

use serde::Serialize;
use skein_context::compaction::CompactionPoint;
use skein_context::message::Message;
use skein_context::session::{Session, Thread};

use crate::error::{Error, Result};
use crate::files;
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
pub fn write(places: &Places, archived: &ArchivedThread<'_>) -> Result<String> {
    let folder = places.archive();
    fs::create_dir_all(&folder).map_err(|error| Error::of_file(&folder, &error))?;
    let name = format!("{}_{}.json", archived.session.id.0, archived.archived_at);
    let content = serde_json::to_vec_pretty(archived)
        .map_err(|error| Error::Storage { detail: error.to_string() })?;
    files::write_bytes(&folder.join(&name), &content)?;
    Ok(name)
}
