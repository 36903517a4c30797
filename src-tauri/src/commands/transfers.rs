//! Exporting and importing conversations.

use skein_app::view::ImportStatus;
use skein_domain::ids::{BlobId, SessionId};
use skein_transfer::{ExportFormat, ExportLabels};

use crate::commands::{AppState, Result};

/// Writes a session into a file.
#[tauri::command]
#[specta::specta]
pub async fn export_session(
    host: AppState<'_>,
    session_id: SessionId,
    format: ExportFormat,
    words: ExportLabels,
    path: String,
) -> Result<()> {
    host.exports.export(session_id, format, words, path).await
}

/// Writes every session into one archive; returns their number.
#[tauri::command]
#[specta::specta]
pub async fn export_all(host: AppState<'_>, path: String) -> Result<u32> {
    host.exports.export_all(path).await
}

/// Imports every conversation of a file, or none.
#[tauri::command]
#[specta::specta]
pub async fn import_file(host: AppState<'_>, path: String) -> Result<()> {
    host.imports.import(path).await
}

/// The progress of an import.
#[tauri::command]
#[specta::specta]
pub async fn import_status(host: AppState<'_>) -> Result<ImportStatus> {
    host.imports.status().await
}

/// Cancels an import and removes what was imported.
#[tauri::command]
#[specta::specta]
pub async fn cancel_import(host: AppState<'_>) -> Result<()> {
    host.imports.cancel().await
}

/// Writes an attachment into a file that the user chose.
#[tauri::command]
#[specta::specta]
pub async fn save_attachment(host: AppState<'_>, blob_id: BlobId, path: String) -> Result<()> {
    host.exports.save_attachment(blob_id, path).await
}
