//! Writes conversations and attachments into files that the user chose.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{BlobId, SessionId};
use skein_platform::atomic_file;
use skein_store::Store;
use skein_transfer::{ExportFormat, ExportLabels};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::now;
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;

/// The running exports. Their paths are listed in a file, so that the next start removes the incomplete
/// hidden files of a killed program.
struct ExportTasks {
    unfinished: Unfinished,
    writing: TaskTracker,
    /// Cancels long exports, which leave no file then.
    end: CancellationToken,
}

/// The list of unfinished exports, by path.
#[derive(Clone)]
struct Unfinished {
    list: PathBuf,
    changing: Arc<Mutex<()>>,
}

impl Unfinished {
    /// Lists a path until the guard is dropped. An error is ignored, because the export matters more than the
    /// list.
    fn add(&self, path: &Path) -> UnfinishedExport {
        self.change(|paths| paths.push(path.to_owned()));
        UnfinishedExport { unfinished: self.clone(), path: path.to_owned() }
    }

    fn change(&self, change: impl FnOnce(&mut Vec<PathBuf>)) {
        let _one = self.changing.lock();
        let mut paths = read_list(&self.list);
        change(&mut paths);
        let written = match paths.is_empty() {
            true => fs::remove_file(&self.list).map_err(|error| Error::from_io(&self.list, &error)),
            false => atomic_file::write_private(
                &self.list,
                &serde_json::to_vec(&paths).unwrap_or_default(),
            ),
        };
        if let Err(error) = written {
            tracing::warn!(%error, "the list of unfinished exports was not written");
        }
    }
}

/// A guard that keeps a path in the list.
struct UnfinishedExport {
    unfinished: Unfinished,
    path: PathBuf,
}

impl Drop for UnfinishedExport {
    fn drop(&mut self) {
        self.unfinished.change(|paths| {
            if let Some(at) = paths.iter().position(|path| *path == self.path) {
                paths.swap_remove(at);
            }
        });
    }
}

fn read_list(list: &Path) -> Vec<PathBuf> {
    let text = fs::read(list).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Removes the incomplete files of a killed program.
pub(crate) fn remove_unfinished(list: &Path) {
    let paths = read_list(list);
    for folder in paths.iter().filter_map(|path| path.parent()) {
        atomic_file::remove_unfinished(folder);
    }
    if let (false, Err(error)) = (paths.is_empty(), fs::remove_file(list)) {
        tracing::warn!(%error, "the list of unfinished exports stays");
    }
}

impl ExportTasks {
    /// Keeps the list in this file.
    fn new(list: PathBuf) -> Self {
        let (writing, end, changing) = Default::default();
        Self { unfinished: Unfinished { list, changing }, writing, end }
    }

    async fn write(
        &self,
        path: PathBuf,
        work: impl FnOnce(&Path) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        let unfinished = self.unfinished.clone();
        let work = move || {
            let _noted = unfinished.add(&path);
            work(&path)
        };
        let done = self.writing.spawn_blocking(work).await;
        done.map_err(|broken| Error::Storage { detail: broken.to_string() })?
    }

    /// True if an export is running.
    fn is_writing(&self) -> bool {
        !self.writing.is_empty()
    }

    /// Cancels long exports, and returns when none is running.
    async fn shut_down(&self) {
        self.end.cancel();
        self.writing.close();
        self.writing.wait().await;
    }
}

/// Exports conversations and attachments.
pub struct Exports {
    store: Store,
    notifier: Notifier,
    runtime: Handle,
    exports: ExportTasks,
}

impl Exports {
    pub(crate) fn new(shared: &SharedState) -> Self {
        Self {
            store: shared.store.clone(),
            notifier: shared.notifier.clone(),
            runtime: shared.runtime.clone(),
            exports: ExportTasks::new(shared.paths.unfinished_exports()),
        }
    }

    /// True if a file is being written.
    pub(crate) fn is_writing(&self) -> bool {
        self.exports.is_writing()
    }

    /// Cancels long exports, and returns when none is running.
    pub(crate) async fn shut_down(&self) {
        self.exports.shut_down().await;
    }

    /// Writes a session into a file, atomically.
    pub async fn export(
        &self,
        session: SessionId,
        format: ExportFormat,
        labels: ExportLabels,
        path: String,
    ) -> Result<()> {
        let text = super::export(&self.store, session, format, &labels, now()).await?;
        self.write(path, move |path| atomic_file::write_bytes(path, text.as_bytes())).await
    }

    /// Writes an attachment into a file, unchanged.
    pub async fn save_attachment(&self, id: BlobId, path: String) -> Result<()> {
        let bytes = self.store.blob(id).await?;
        self.write(path, move |path| atomic_file::write_bytes(path, &bytes)).await
    }

    /// Writes all sessions into one archive that can be imported, atomically. Returns their number.
    pub async fn export_all(&self, path: String) -> Result<u32> {
        let sessions: Vec<_> =
            self.store.sessions().await?.into_iter().map(|session| session.id).collect();
        let count = u32::try_from(sessions.len()).unwrap_or(u32::MAX);
        let (store, runtime, now) = (self.store.clone(), self.runtime.clone(), now());
        let end = self.exports.end.clone();
        let write = move |path: &Path| {
            atomic_file::write(path, |file| {
                super::export_all(&store, &runtime, &sessions, now, file, || !end.is_cancelled())
            })
        };
        self.write(path, write).await?;
        Ok(count)
    }

    /// Writes a file on a blocking thread. The question before the program exits includes this work.
    async fn write(
        &self,
        path: String,
        work: impl FnOnce(&Path) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        let written = self.exports.write(PathBuf::from(path), work).await;
        self.notifier.changed([Topic::Closing {}]);
        written
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[tokio::test]
    async fn what_is_being_written_is_told_until_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("unfinished.json");
        let exports = ExportTasks::new(list.clone());
        assert!(!exports.is_writing());
        let (begun, begin) = channel();
        let (finish, finished) = channel();
        let write = exports.write(folder.path().join("all.zip"), move |_| {
            begun.send(()).unwrap();
            finished.recv().unwrap();
            Ok(())
        });
        let look = async {
            tokio::task::spawn_blocking(move || begin.recv().unwrap()).await.unwrap();
            let is_writing = exports.is_writing();
            finish.send(()).unwrap();
            is_writing
        };
        let (written, was_writing) = tokio::join!(write, look);
        assert_eq!((written, was_writing, exports.is_writing()), (Ok(()), true, false));
        assert!(!list.exists(), "nothing is unfinished");
    }

    #[test]
    fn half_of_an_export_is_removed_by_the_next_start() {
        let (data, chosen) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let list = data.path().join("unfinished.json");
        // Killed: neither the note nor the half file is dropped.
        let begun = ExportTasks::new(list.clone()).unfinished.add(&chosen.path().join("all.zip"));
        std::mem::forget(begun);
        let half = chosen.path().join(".skein-aB3x9Z");
        fs::write(&half, "half").unwrap();
        fs::write(chosen.path().join("mine.txt"), "whole").unwrap();

        remove_unfinished(&list);
        assert!(!half.exists() && chosen.path().join("mine.txt").exists());
        assert!(!list.exists(), "the list is done with");
    }
}
