//! Pictures and files of a message.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use skein_domain::draft::Attachment;
use skein_domain::error::{Error, FileError};
use skein_domain::ids::BlobId;
use tauri::AppHandle;

use crate::app_window;
use crate::commands::{AppState, Result};

#[tauri::command]
#[specta::specta]
pub async fn attach_file(host: AppState<'_>, path: String) -> Result<Attachment> {
    host.attachments.attach_file(path).await
}

/// Attaches a resource of an MCP server.
#[tauri::command]
#[specta::specta]
pub async fn attach_resource(
    host: AppState<'_>,
    server: String,
    uri: String,
) -> Result<Vec<Attachment>> {
    host.attachments.attach_resource(server, uri).await
}

/// Attaches a text that is too long for the composer.
#[tauri::command]
#[specta::specta]
pub async fn attach_text(host: AppState<'_>, name: String, text: String) -> Result<Attachment> {
    host.attachments.attach_bytes(name, text.into_bytes()).await
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

/// The text of an attached file.
#[tauri::command]
#[specta::specta]
pub async fn attached_text(host: AppState<'_>, blob_id: BlobId, name: String) -> Result<String> {
    host.attachments.attached_text(blob_id, name).await
}

/// The number of pages, sheets or slides of an attached file; `None` if its kind has none.
#[tauri::command]
#[specta::specta]
pub async fn attached_pages(
    host: AppState<'_>,
    blob_id: BlobId,
    name: String,
) -> Result<Option<u32>> {
    host.attachments.attached_pages(blob_id, name).await
}

/// The bytes of a picture in the size that the UI shows, in Base64.
#[tauri::command]
#[specta::specta]
pub async fn picture(host: AppState<'_>, blob_id: BlobId) -> Result<String> {
    Ok(BASE64.encode(host.attachments.picture(blob_id).await?))
}

/// Loads a picture from the network, at the user's request, as a `data:` address.
#[tauri::command]
#[specta::specta]
pub async fn load_picture(host: AppState<'_>, url: String) -> Result<String> {
    host.attachments.load_picture(url).await
}
