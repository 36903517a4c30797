//! Images and files of messages and drafts, and the message parts made of them.
//!
//! A draft names its files by blob id; their text is read when the message is made, and counted once
//! (`draft_tokens`). A PDF or Office document that cannot be read is refused when it is attached.

mod document_cache;
pub(crate) mod draft_tokens;
mod image_resize;
mod remote_images;

use std::collections::HashMap;
use std::mem;
use std::path::Path;
use std::sync::Arc;

use skein_context::window::Prompt;
use skein_documents::attachment::{self, IngestedFile, MAX_BYTES};
use skein_documents::image_info::{ImageFile, image_type};
use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::{Error, FileError, Result};
use skein_domain::ids::BlobId;
use skein_domain::message::image_scaling::FORMATS;
use skein_domain::message::{ContentPart, ImageRef};
use skein_platform::blocking::run_blocking;
use skein_platform::http::HttpClient;
use skein_providers::EncodedImage;
use skein_store::Store;
use skein_tools::mcp::McpResourceContent;
use skein_tools::mcp::hub::Hub;

use crate::clock::now;
use crate::shared_state::SharedState;
use document_cache::DocumentCache;
use draft_tokens::FileTokenCache;
use image_resize::encode_scaled_copy;

/// The files of messages and drafts, with a cache of their text.
pub struct Attachments {
    store: Store,
    hub: Arc<Hub>,
    http: HttpClient,
    documents: DocumentCache,
    file_tokens: FileTokenCache,
}

impl Attachments {
    pub(crate) fn new(shared: &SharedState) -> Self {
        Self {
            store: shared.store.clone(),
            hub: Arc::clone(&shared.hub),
            http: shared.http.clone(),
            documents: DocumentCache::default(),
            file_tokens: FileTokenCache::default(),
        }
    }

    /// Reads a file whole and attaches it.
    ///
    /// # Errors
    /// [`Error::BadFile`]: it cannot be read or is too large, or its content cannot be attached.
    pub async fn attach_file(&self, path: String) -> Result<Attachment> {
        let file = Path::new(&path);
        let name = file.file_name().map_or_else(|| path.clone(), |it| it.to_string_lossy().into());
        let bad_file = |fault| Error::BadFile { name: name.clone(), fault };
        let unreadable = |_| bad_file(FileError::Unreadable {});
        let size = tokio::fs::metadata(file).await.map_err(unreadable)?.len();
        if size > u64::from(MAX_BYTES) {
            return Err(bad_file(FileError::TooLarge { limit: MAX_BYTES }));
        }
        let bytes = tokio::fs::read(file).await.map_err(unreadable)?;
        self.attach_bytes(name, bytes).await
    }

    /// Attaches pasted or dropped bytes. A document is parsed at once, so that an unreadable one is refused
    /// before it is sent.
    pub async fn attach_bytes(&self, name: String, bytes: Vec<u8>) -> Result<Attachment> {
        let looking = run_blocking("looking at a file", move || {
            let ingested = attachment::ingest(&name, &bytes)?;
            Ok::<_, Error>((ingested, name, bytes))
        });
        let (mut ingested, name, bytes) = looking.await??;
        let size = bytes.len();
        let blob = self.store.put_blob(bytes, now()).await?;
        if let IngestedFile::File { document, .. } = &mut ingested {
            self.documents.insert(blob, mem::take(document));
        }
        let attachment = attachment::attachment(ingested, blob, name, size);
        if let Attachment::Image(picture) = &attachment {
            // An image that cannot be sent is refused at once.
            self.picture_to_send(picture, 1).await?;
        }
        Ok(attachment)
    }

    /// Stores an image of a tool result.
    pub(crate) async fn store_image(&self, shown: ImageFile, name: String) -> Result<ImageRef> {
        let blob = self.store.put_blob(shown.bytes.clone(), now()).await?;
        Ok(shown.to_picture(blob, name))
    }

    /// Attaches a resource of an MCP server: each of its parts, under its name.
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

    /// The parts of a message: the draft's text, then its attachments, a document as its text.
    pub(crate) async fn message_parts(&self, draft: Draft) -> Result<Vec<ContentPart>> {
        let mut parts = text_parts(draft.text);
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

    /// The bytes of an image for the UI: those of its copy if its format is not supported by every webview.
    pub async fn picture(&self, id: BlobId) -> Result<Vec<u8>> {
        let bytes = self.store.blob(id).await?;
        match image_type(&bytes) {
            Some(_) => Ok(bytes),
            None => self.reduced(id, String::new()).await,
        }
    }

    /// The image as it is sent in a request with `many` images.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is gone, [`Error::BadFile`] if a copy is needed and cannot be made.
    async fn picture_to_send(&self, picture: &ImageRef, many: usize) -> Result<EncodedImage> {
        let own = FORMATS.into_iter().find(|format| *format == picture.media_type);
        if let Some(media_type) = own.filter(|_| !picture.is_downscaled_among(many)) {
            let bytes = self.store.blob(picture.blob).await?.into();
            return Ok(EncodedImage { media_type, bytes });
        }
        let copy = self.reduced(picture.blob, picture.name.clone()).await?;
        let media_type = image_type(&copy).unwrap_or("image/jpeg");
        Ok(EncodedImage { media_type, bytes: copy.into() })
    }

    /// The images of a prompt as they are sent. A missing one is skipped, and the provider code mentions it.
    pub(crate) async fn prompt_images(&self, prompt: &Prompt) -> HashMap<BlobId, EncodedImage> {
        let mut blobs = HashMap::new();
        let many = prompt.images().count();
        for picture in prompt.images() {
            if let Ok(sent) = self.picture_to_send(picture, many).await {
                blobs.insert(picture.blob, sent);
            }
        }
        blobs
    }

    /// The scaled copy of an image. It is made once, when the image is attached, or when it is first needed
    /// if an older version or an import stored the image.
    async fn reduced(&self, id: BlobId, name: String) -> Result<Vec<u8>> {
        if let Some(copy) = self.store.scaled_image(id).await? {
            return Ok(copy);
        }
        let bytes = self.store.blob(id).await?;
        let made = run_blocking("reducing a picture", move || encode_scaled_copy(&bytes)).await?;
        let copy = made.ok_or(Error::BadFile { name, fault: FileError::OtherPicture {} })?;
        self.store.put_scaled_image(id, copy.clone()).await?;
        Ok(copy)
    }
}

/// The text of a message as parts; none if it is blank.
fn text_parts(text: String) -> Vec<ContentPart> {
    let text = Some(text).filter(|text| !text.trim().is_empty());
    text.map(|text| ContentPart::Text { text }).into_iter().collect()
}
