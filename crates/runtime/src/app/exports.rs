//! Conversations and attachments leaving as files that the person chose.

use std::path::PathBuf;

use skein_context::message::BlobId;
use skein_context::session::SessionId;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::App;
use crate::error::{Error, Result};
use crate::events::Topic;
use crate::files;
use crate::transfer::{self, ExportFormat, ExportWords};

/// The files that are being written. A program that ended amid one would leave half of it, hidden.
#[derive(Default)]
pub(super) struct Exports {
    writing: TaskTracker,
    /// What takes minutes leaves nothing instead.
    end: CancellationToken,
}

impl Exports {
    async fn write(&self, work: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
        let done = self.writing.spawn_blocking(work).await;
        done.map_err(|broken| Error::Storage { detail: broken.to_string() })?
    }

    /// Whether any is.
    pub(super) fn is_writing(&self) -> bool {
        !self.writing.is_empty()
    }

    /// Returns once nothing is being written any more.
    pub(super) async fn end(&self) {
        self.end.cancel();
        self.writing.close();
        self.writing.wait().await;
    }
}

impl App {
    /// Writes a session into a file, whole or not at all.
    pub async fn export_session(
        &self,
        session: SessionId,
        format: ExportFormat,
        words: ExportWords,
        path: String,
    ) -> Result<()> {
        let text = transfer::export(&self.store, session, format, &words, self.now()).await?;
        self.write(move || files::write_bytes(&PathBuf::from(path), text.as_bytes())).await
    }

    /// Writes an attachment into a file, byte for byte as it was taken in.
    pub async fn save_attachment(&self, id: BlobId, path: String) -> Result<()> {
        let bytes = self.store.blob(id).await?;
        self.write(move || files::write_bytes(&PathBuf::from(path), &bytes)).await
    }

    /// Writes every session into one archive that can be imported, whole or not at all; returns how many.
    pub async fn export_all(&self, path: String) -> Result<u32> {
        let sessions: Vec<_> =
            self.store.sessions().await?.into_iter().map(|session| session.id).collect();
        let count = u32::try_from(sessions.len()).unwrap_or(u32::MAX);
        let (store, runtime, now) = (self.store.clone(), self.runtime.clone(), self.now());
        let end = self.exports.end.clone();
        let write = move || {
            files::write(&PathBuf::from(path), |file| {
                transfer::export_all(&store, &runtime, &sessions, now, file, || !end.is_cancelled())
            })
        };
        self.write(write).await?;
        Ok(count)
    }

    /// Whoever is asked whether the program may end hears of the end of this.
    async fn write(&self, work: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
        let written = self.exports.write(work).await;
        self.changed([Topic::Closing {}]);
        written
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[tokio::test]
    async fn what_is_being_written_is_told_until_it_is_there() {
        let exports = Exports::default();
        assert!(!exports.is_writing());
        let (begun, begin) = channel();
        let (finish, finished) = channel();
        let write = exports.write(move || {
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
    }
}
