//! Pictures and files for a message, and the message they make.

use std::mem;
use std::path::Path;

use skein_documents::attachment::{self, MAX_BYTES, Taken};
use skein_documents::image_info::{Shown, image_type};
use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::{Error, FileFault, Result};
use skein_domain::ids::BlobId;
use skein_domain::image_scaling::FORMATS;
use skein_domain::message::{ContentPart, Picture};
use skein_platform::blocking::apart;
use skein_providers::SentPicture;
use skein_tools::mcp::McpResourceContent;

use super::App;
use crate::reduced::copy_of;

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
        let looking = apart("looking at a file", move || {
            let taken = attachment::take(&name, &bytes)?;
            Ok::<_, Error>((taken, name, bytes))
        });
        let (mut taken, name, bytes) = looking.await??;
        let size = bytes.len();
        let blob = self.store.put_blob(bytes, self.now()).await?;
        if let Taken::File { says, .. } = &mut taken {
            self.said.hold(blob, mem::take(says));
        }
        let attachment = attachment::attachment(taken, blob, name, size);
        if let Attachment::Image(picture) = &attachment {
            // One that cannot be sent is refused before it is.
            self.sent_picture(picture, 1).await?;
        }
        Ok(attachment)
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

    /// The bytes of a picture as a window shows it: of one in a format that not every window knows, those
    /// of its copy.
    pub async fn picture(&self, id: BlobId) -> Result<Vec<u8>> {
        let bytes = self.store.blob(id).await?;
        match image_type(&bytes) {
            Some(_) => Ok(bytes),
            None => self.reduced(id, String::new()).await,
        }
    }

    /// What is sent of a picture in a request of so many.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it is gone, [`Error::BadFile`] where a copy is needed and cannot be made.
    pub(super) async fn sent_picture(&self, picture: &Picture, many: usize) -> Result<SentPicture> {
        let own = FORMATS.into_iter().find(|format| *format == picture.media_type);
        if let Some(media_type) = own.filter(|_| !picture.is_sent_reduced_among(many)) {
            let bytes = self.store.blob(picture.blob).await?.into();
            return Ok(SentPicture { media_type, bytes });
        }
        let copy = self.reduced(picture.blob, picture.name.clone()).await?;
        let media_type = image_type(&copy).unwrap_or("image/jpeg");
        Ok(SentPicture { media_type, bytes: copy.into() })
    }

    /// The copy of a picture: made once and kept, when it is attached or, where an older Skein or an import
    /// stored it, when it is first needed.
    async fn reduced(&self, id: BlobId, name: String) -> Result<Vec<u8>> {
        if let Some(copy) = self.store.copy_of(id).await? {
            return Ok(copy);
        }
        let bytes = self.store.blob(id).await?;
        let made = apart("reducing a picture", move || copy_of(&bytes)).await?;
        let copy = made.ok_or(Error::BadFile { name, fault: FileFault::OtherPicture {} })?;
        self.store.put_copy(id, copy.clone()).await?;
        Ok(copy)
    }
}

/// The words of a message; none where nothing is said.
pub(super) fn words_of(text: String) -> Vec<ContentPart> {
    let said = Some(text).filter(|text| !text.trim().is_empty());
    said.map(|text| ContentPart::Text { text }).into_iter().collect()
}
