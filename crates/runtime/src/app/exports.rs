//! Conversations and attachments leaving as files that the person chose.

use std::path::PathBuf;

use skein_context::message::BlobId;
use skein_context::session::SessionId;

use super::App;
use crate::error::{Error, Result};
use crate::files;
use crate::transfer::{self, ExportFormat, ExportWords};

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
        blocking(move || files::write_bytes(&PathBuf::from(path), text.as_bytes())).await
    }

    /// Writes an attachment into a file, byte for byte as it was taken in.
    pub async fn save_attachment(&self, id: BlobId, path: String) -> Result<()> {
        let bytes = self.store.blob(id).await?;
        blocking(move || files::write_bytes(&PathBuf::from(path), &bytes)).await
    }

    /// Writes every session into one archive that can be imported; returns how many.
    pub async fn export_all(&self, path: String) -> Result<u32> {
        let sessions: Vec<_> =
            self.store.sessions().await?.into_iter().map(|session| session.id).collect();
        let count = u32::try_from(sessions.len()).unwrap_or(u32::MAX);
        let (store, runtime, now) = (self.store.clone(), self.runtime.clone(), self.now());
        blocking(move || {
            files::write(&PathBuf::from(path), |file| {
                transfer::export_all(&store, &runtime, &sessions, now, file)
            })
        })
        .await?;
        Ok(count)
    }
}

async fn blocking(work: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|broken| Error::Storage { detail: broken.to_string() })?
}
