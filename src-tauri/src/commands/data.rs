//! The person's data: where it is, copied, brought in and taken out.

use skein_app::view::{DataLocations, ImportStatus};
use skein_domain::ids::SessionId;
use skein_store::{
    BackupContent, ContactedHost, QuarantineDecision, QuarantineEntry, QuarantineId,
};
use skein_transfer::{ExportFormat, ExportLabels};
use tauri::AppHandle;

use crate::commands::{AppState, Result};

/// Where everything is kept.
#[tauri::command]
#[specta::specta]
pub async fn places(host: AppState<'_>) -> Result<DataLocations> {
    host.maintenance.data_locations().await
}

/// Copies the database; where to.
#[tauri::command]
#[specta::specta]
pub async fn back_up(host: AppState<'_>) -> Result<String> {
    host.maintenance.back_up().await
}

/// Copies everything into a file of its own, also where the database was moved or deleted.
#[tauri::command]
#[specta::specta]
pub async fn save_copy(host: AppState<'_>, path: String) -> Result<()> {
    host.maintenance.save_copy(path).await
}

/// Writes the replies that could not be stored into a file.
#[tauri::command]
#[specta::specta]
pub async fn save_unstored(host: AppState<'_>, path: String) -> Result<()> {
    host.unstored.save(path).await
}

/// What a file holds that is to become the database.
#[tauri::command]
#[specta::specta]
pub async fn examine_backup(host: AppState<'_>, path: String) -> Result<BackupContent> {
    host.maintenance.examine_backup(path).await
}

/// Starts the program over with this copy; the database of before becomes a copy.
#[tauri::command]
#[specta::specta]
pub async fn restore(app: AppHandle, host: AppState<'_>, path: String) -> Result<()> {
    host.maintenance.restore(path).await?;
    app.request_restart();
    Ok(())
}

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

/// Writes every session into one archive; how many.
#[tauri::command]
#[specta::specta]
pub async fn export_all(host: AppState<'_>, path: String) -> Result<u32> {
    host.exports.export_all(path).await
}

/// Brings in every conversation of a file, or none.
#[tauri::command]
#[specta::specta]
pub async fn import_file(host: AppState<'_>, path: String) -> Result<()> {
    host.imports.import(path).await
}

/// How far an import is.
#[tauri::command]
#[specta::specta]
pub async fn import_status(host: AppState<'_>) -> Result<ImportStatus> {
    host.imports.status().await
}

/// Stops an import; what came of the file is taken back.
#[tauri::command]
#[specta::specta]
pub async fn cancel_import(host: AppState<'_>) -> Result<()> {
    host.imports.cancel().await
}

/// Every host ever contacted.
#[tauri::command]
#[specta::specta]
pub async fn hosts(host: AppState<'_>) -> Result<Vec<ContactedHost>> {
    host.maintenance.hosts().await
}

/// What a database from elsewhere would allow, and is not decided on.
#[tauri::command]
#[specta::specta]
pub async fn quarantine(host: AppState<'_>) -> Result<Vec<QuarantineEntry>> {
    host.quarantine.list().await
}

/// Decides on it, on all of these at once.
#[tauri::command]
#[specta::specta]
pub async fn decide_quarantine(
    host: AppState<'_>,
    ids: Vec<QuarantineId>,
    decision: QuarantineDecision,
) -> Result<()> {
    host.quarantine.decide(ids, decision).await
}
