//! Conversations arriving from a file: one file at a time, seen as they come, stopped at any moment.

use std::path::Path;

use parking_lot::Mutex;
use skein_domain::error::{Error, FileError, Result};
use skein_store::Store;

use crate::clock::now;
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;
use crate::view::ImportStatus;

/// The import that runs or ran last.
#[derive(Default)]
struct ImportTask {
    inner: Mutex<ImportState>,
}

#[derive(Default)]
struct ImportState {
    status: ImportStatus,
    /// Whether the person wants it to stop.
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

    /// Whether it goes on with the next conversation.
    fn adds(&self, name: &str, done: u32, total: u32) -> bool {
        self.with(|inner| {
            inner.status = ImportStatus::Adding { name: name.to_owned(), done, total };
            !inner.stopped
        })
    }
}

/// Brings conversations in from files.
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

    /// Whether a file is being read.
    pub(crate) fn is_running(&self) -> bool {
        self.import.is_running()
    }

    /// Brings in every conversation of a file, or none: a file that cannot be used, a full disk or
    /// [`Imports::cancel`] leave nothing of it. How far it is, and what became of each, is in
    /// [`Imports::status`].
    pub async fn import(&self, path: String) -> Result<()> {
        let path = Path::new(&path);
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.import.start(&name)?;
        self.notifier.changed([Topic::Import {}]);
        let ended = self.bring_in(path, &name).await;
        let (status, result) = match ended {
            Ok(Some(reports)) => (ImportStatus::Ended { name, reports }, Ok(())),
            Ok(None) => (ImportStatus::Idle {}, Ok(())),
            Err(error) => (ImportStatus::Idle {}, Err(error)),
        };
        self.import.with(|inner| inner.status = status);
        self.notifier.changed([Topic::Import {}, Topic::Sessions {}, Topic::Closing {}]);
        result
    }

    async fn bring_in(
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
            let goes_on = self.import.adds(name, done, total);
            self.notifier.changed([Topic::Import {}]);
            goes_on
        })
        .await
    }

    /// How far an import is.
    pub async fn status(&self) -> Result<ImportStatus> {
        Ok(self.import.with(|inner| inner.status.clone()))
    }

    /// Stops an import before its next conversation; what came of the file is taken back.
    pub async fn cancel(&self) -> Result<()> {
        self.import.with(|inner| inner.stopped = true);
        Ok(())
    }
}
