//! Pictures and files for a message.

use std::path::Path;

use skein_context::message::{BlobId, ContentPart, Picture};

use super::App;
use crate::attach::{self, MAX_BYTES, Shown};
use crate::error::{Error, Result};
use crate::tools::mcp::McpResourceContent;

impl App {
    /// Takes in a file by its path.
    pub async fn attach_file(&self, path: String) -> Result<ContentPart> {
        let file = Path::new(&path);
        let name = file.file_name().map_or_else(|| path.clone(), |it| it.to_string_lossy().into());
        let refuse = |detail: &str| Error::BadFile { name: name.clone(), detail: detail.into() };
        let size = tokio::fs::metadata(file).await.map_err(|_| refuse("unreadable"))?.len();
        if size > MAX_BYTES as u64 {
            return Err(refuse("tooLarge"));
        }
        let bytes = tokio::fs::read(file).await.map_err(|_| refuse("unreadable"))?;
        self.attach_bytes(name, bytes).await
    }

    /// Takes in what was pasted or dropped.
    pub async fn attach_bytes(&self, name: String, bytes: Vec<u8>) -> Result<ContentPart> {
        let taken = attach::take(&name, &bytes)?;
        let size = bytes.len();
        let blob = self.store.put_blob(bytes, self.now()).await?;
        Ok(attach::part(taken, blob, name, size))
    }

    /// Keeps what a tool showed.
    pub(crate) async fn keep_shown(&self, shown: Shown, name: String) -> Result<Picture> {
        let blob = self.store.put_blob(shown.bytes.clone(), self.now()).await?;
        Ok(shown.kept(blob, name))
    }

    /// Takes in a resource of an MCP server: a part for each of its pieces, under its name.
    pub async fn attach_resource(&self, server: String, uri: String) -> Result<Vec<ContentPart>> {
        let name = self.hub.resource_name(&server, &uri);
        let pieces = self.hub.resource(&server, &uri).await?;
        let several = pieces.len() > 1;
        let mut parts = Vec::with_capacity(pieces.len());
        for (at, piece) in pieces.into_iter().enumerate() {
            let name = if several { format!("{name} ({})", at + 1) } else { name.clone() };
            let bytes = match piece.content {
                McpResourceContent::Text { text } => text.into_bytes(),
                McpResourceContent::Bytes { bytes } => bytes,
            };
            parts.push(self.attach_bytes(name, bytes).await?);
        }
        Ok(parts)
    }

    /// The bytes of an attachment, for a thumbnail.
    pub async fn blob(&self, id: BlobId) -> Result<Vec<u8>> {
        self.store.blob(id).await
    }
}
