//! Pictures and files for a message, and the message they make.

use std::mem;
use std::path::Path;

use skein_context::message::{BlobId, ContentPart, Picture};
use tokio::task::{JoinError, spawn_blocking};

use super::App;
use crate::attach::{self, MAX_BYTES, Shown, Taken};
use crate::error::{Error, FileFault, Result};
use crate::store::{Attachment, Draft};
use crate::tools::mcp::McpResourceContent;

impl App {
    /// Takes in a file by its path.
    pub async fn attach_file(&self, path: String) -> Result<Attachment> {
        let file = Path::new(&path);
        let name = file.file_name().map_or_else(|| path.clone(), |it| it.to_string_lossy().into());
        let refuse = |fault| Error::BadFile { name: name.clone(), fault };
        let unreadable = |_| refuse(FileFault::Unreadable {});
        let size = tokio::fs::metadata(file).await.map_err(unreadable)?.len();
        if size > u64::from(MAX_BYTES) {
            return Err(refuse(FileFault::TooLarge { limit: MAX_BYTES }));
        }
        let bytes = tokio::fs::read(file).await.map_err(unreadable)?;
        self.attach_bytes(name, bytes).await
    }

    /// Takes in what was pasted or dropped. A document is read to its end: one that cannot be is refused
    /// before it is sent.
    pub async fn attach_bytes(&self, name: String, bytes: Vec<u8>) -> Result<Attachment> {
        let looking = spawn_blocking(move || {
            let taken = attach::take(&name, &bytes)?;
            Ok::<_, Error>((taken, name, bytes))
        });
        let (mut taken, name, bytes) = looking.await.map_err(broke_off)??;
        let size = bytes.len();
        let blob = self.store.put_blob(bytes, self.now()).await?;
        if let Taken::File { says, .. } = &mut taken {
            self.said.hold(blob, mem::take(says));
        }
        Ok(attach::attachment(taken, blob, name, size))
    }

    /// Keeps what a tool showed.
    pub(crate) async fn keep_shown(&self, shown: Shown, name: String) -> Result<Picture> {
        let blob = self.store.put_blob(shown.bytes.clone(), self.now()).await?;
        Ok(shown.kept(blob, name))
    }

    /// Takes in a resource of an MCP server: each of its pieces, under its name.
    pub async fn attach_resource(&self, server: String, uri: String) -> Result<Vec<Attachment>> {
        let name = self.hub.resource_name(&server, &uri);
        let pieces = self.hub.resource(&server, &uri).await?;
        let several = pieces.len() > 1;
        let mut attached = Vec::with_capacity(pieces.len());
        for (at, piece) in pieces.into_iter().enumerate() {
            let name = if several { format!("{name} ({})", at + 1) } else { name.clone() };
            let bytes = match piece.content {
                McpResourceContent::Text { text } => text.into_bytes(),
                McpResourceContent::Bytes { bytes } => bytes,
            };
            attached.push(self.attach_bytes(name, bytes).await?);
        }
        Ok(attached)
    }

    /// What stands in a box as a message holds it.
    pub(crate) async fn parts_of(&self, draft: Draft) -> Result<Vec<ContentPart>> {
        let mut parts = words_of(draft.text);
        for attachment in draft.attachments {
            let text = match &attachment {
                Attachment::Image(_) => String::new(),
                Attachment::File { blob, name, .. } => {
                    self.attached_text(*blob, name.clone()).await?
                }
            };
            parts.push(attachment.part(text));
        }
        Ok(parts)
    }

    /// The bytes of an attachment, for a thumbnail.
    pub async fn blob(&self, id: BlobId) -> Result<Vec<u8>> {
        self.store.blob(id).await
    }
}

/// The words of a message; none where nothing is said.
pub(super) fn words_of(text: String) -> Vec<ContentPart> {
    let said = Some(text).filter(|text| !text.trim().is_empty());
    said.map(|text| ContentPart::Text { text }).into_iter().collect()
}

pub(super) fn broke_off(error: JoinError) -> Error {
    Error::Storage { detail: format!("an attachment was not read to its end: {error}") }
}
