//! Pictures and files of a message.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use skein_domain::draft::Attachment;
use skein_domain::error::{Error, FileError};
use skein_domain::ids::BlobId;
use tauri::AppHandle;

use crate::app_window;
use crate::commands::{AppState, Result, commands};

commands! {
    fn attach_file(path: String) -> Attachment => attachments.attach_file;

    /// Attaches a resource of an MCP server.
    fn attach_resource(server: String, uri: String) -> Vec<Attachment>
        => attachments.attach_resource;

    /// Attaches a text that is too long for the composer.
    fn attach_text(name: String, text: String) -> Attachment
        => attachments.attach_bytes(name, text.into_bytes());
}

/// Attaches a pasted file: its bytes in Base64.
#[tauri::command]
#[specta::specta]
pub async fn attach_bytes(host: AppState<'_>, name: String, data: String) -> Result<Attachment> {
    match BASE64.decode(data) {
        Ok(bytes) => host.attachments.attach_bytes(name, bytes).await,
        Err(_) => Err(Error::BadFile { name, fault: FileError::Unreadable {} }),
    }
}

/// Attaches the picture on the clipboard under this name; `None` if there is none.
#[tauri::command]
#[specta::specta]
pub async fn attach_copied_picture(
    app: AppHandle,
    host: AppState<'_>,
    name: String,
) -> Result<Option<Attachment>> {
    match app_window::copied_picture(app).await {
        Some(bytes) => Ok(Some(host.attachments.attach_bytes(name, bytes).await?)),
        None => Ok(None),
    }
}

commands! {
    /// The text of an attached file.
    fn attached_text(blob_id: BlobId, name: String) -> String => attachments.attached_text;

    /// The number of pages, sheets or slides of an attached file; `None` if its kind has none.
    fn attached_pages(blob_id: BlobId, name: String) -> Option<u32> => attachments.attached_pages;
}

/// The bytes of a picture in the size that the UI shows, in Base64.
#[tauri::command]
#[specta::specta]
pub async fn picture(host: AppState<'_>, blob_id: BlobId) -> Result<String> {
    Ok(BASE64.encode(host.attachments.picture(blob_id).await?))
}

commands! {
    /// Loads a picture from the network, at the user's request, as a `data:` address.
    fn load_picture(url: String) -> String => attachments.load_picture;
}
