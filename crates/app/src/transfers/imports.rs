//! Imports conversations from a file: one file at a time, with progress, and cancellable.

use std::path::Path;

use parking_lot::Mutex;
use skein_domain::error::{Error, FileError, Result};
use skein_store::Store;

use crate::clock::now;
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;
use crate::view::ImportStatus;

/// The running or last import.
#[derive(Default)]
struct ImportTask {
    inner: Mutex<ImportState>,
}

#[derive(Default)]
struct ImportState {
    status: ImportStatus,
    /// True if the user cancelled it.
    stopped: bool,
}

impl ImportState {
    fn is_running(&self) -> bool {
        match self.status {
            ImportStatus::Reading { .. } | ImportStatus::Adding { .. } => true,
            ImportStatus::Idle {} | ImportStatus::Ended { .. } => false,
        }
    }
}

impl ImportTask {
    fn with<T>(&self, work: impl FnOnce(&mut ImportState) -> T) -> T {
        work(&mut self.inner.lock())
    }

    fn start(&self, name: &str) -> Result<()> {
        self.with(|inner| {
            if inner.is_running() {
                return Err(Error::Invalid { detail: "an import is running".into() });
            }
            let status = ImportStatus::Reading { name: name.to_owned() };
            *inner = ImportState { status, stopped: false };
            Ok(())
        })
    }

    fn is_running(&self) -> bool {
        self.with(|inner| inner.is_running())
    }

    /// Sets the progress; returns true unless the import is cancelled.
    fn set_progress(&self, name: &str, done: u32, total: u32) -> bool {
        self.with(|inner| {
            inner.status = ImportStatus::Adding { name: name.to_owned(), done, total };
            !inner.stopped
        })
    }
}

/// Imports conversations from files.
pub struct Imports {
    store: Store,
    notifier: Notifier,
    import: ImportTask,
}

impl Imports {
    pub(crate) fn new(shared: &SharedState) -> Self {
        let (store, notifier) = (shared.store.clone(), shared.notifier.clone());
        Self { store, notifier, import: ImportTask::default() }
    }

    /// True if an import is running.
    pub(crate) fn is_running(&self) -> bool {
        self.import.is_running()
    }

    /// Imports all conversations of a file, or none: an invalid file, a full disk or [`Imports::cancel`]
    /// leave nothing. The progress and the results are in [`Imports::status`].
    pub async fn import(&self, path: String) -> Result<()> {
        let path = Path::new(&path);
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.import.start(&name)?;
        self.notifier.changed([Topic::Import {}]);
        let ended = self.import_file(path, &name).await;
        let (status, result) = match ended {
            Ok(Some(reports)) => (ImportStatus::Ended { name, reports }, Ok(())),
            Ok(None) => (ImportStatus::Idle {}, Ok(())),
            Err(error) => (ImportStatus::Idle {}, Err(error)),
        };
        self.import.with(|inner| inner.status = status);
        self.notifier.changed([Topic::Import {}, Topic::Sessions {}, Topic::Closing {}]);
        result
    }

    async fn import_file(
        &self,
        path: &Path,
        name: &str,
    ) -> Result<Option<Vec<skein_transfer::ImportReport>>> {
        let file = tokio::fs::File::open(path).await.map_err(|_| Error::BadFile {
            name: name.to_owned(),
            fault: FileError::Unreadable {},
        })?;
        let file = file.into_std().await;
        super::import(&self.store, name, file, now(), |done, total| {
            let continues = self.import.set_progress(name, done, total);
            self.notifier.changed([Topic::Import {}]);
            continues
        })
        .await
    }

    /// The progress of the import.
    pub async fn status(&self) -> Result<ImportStatus> {
        Ok(self.import.with(|inner| inner.status.clone()))
    }

    /// Cancels an import before its next conversation; added conversations are removed.
    pub async fn cancel(&self) -> Result<()> {
        self.import.with(|inner| inner.stopped = true);
        Ok(())
    }
}
