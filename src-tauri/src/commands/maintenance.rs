//! The user's data: folders, backups and restoring.

use skein_app::view::{DataLocations, QuarantineView};
use skein_store::{BackupContent, ContactedHost, QuarantineDecision, QuarantineId};
use tauri::AppHandle;

use crate::commands::{AppState, Result};

/// The folders of all data.
#[tauri::command]
#[specta::specta]
pub async fn places(host: AppState<'_>) -> Result<DataLocations> {
    host.maintenance.data_locations().await
}

/// Makes a backup; returns its path.
#[tauri::command]
#[specta::specta]
pub async fn back_up(host: AppState<'_>) -> Result<String> {
    host.maintenance.back_up().await
}

/// Copies everything into a file, also after the database was moved or deleted.
#[tauri::command]
#[specta::specta]
pub async fn save_copy(host: AppState<'_>, path: String) -> Result<()> {
    host.maintenance.save_copy(path).await
}

/// Writes replies that could not be stored into a file.
#[tauri::command]
#[specta::specta]
pub async fn save_unstored(host: AppState<'_>, path: String) -> Result<()> {
    host.unstored.save(path).await
}

/// The content of a file that is to replace the database.
#[tauri::command]
#[specta::specta]
pub async fn examine_backup(host: AppState<'_>, path: String) -> Result<BackupContent> {
    host.maintenance.examine_backup(path).await
}

/// Restarts the program with this backup; the present database becomes a backup.
#[tauri::command]
#[specta::specta]
pub async fn restore(app: AppHandle, host: AppState<'_>, path: String) -> Result<()> {
    host.maintenance.restore(path).await?;
    app.request_restart();
    Ok(())
}

/// Every host ever contacted.
#[tauri::command]
#[specta::specta]
pub async fn hosts(host: AppState<'_>) -> Result<Vec<ContactedHost>> {
    host.maintenance.hosts().await
}

/// The undecided permissions of a foreign database.
#[tauri::command]
#[specta::specta]
pub async fn quarantine(host: AppState<'_>) -> Result<Vec<QuarantineView>> {
    host.quarantine.list().await
}

/// Decides on several of them at once.
#[tauri::command]
#[specta::specta]
pub async fn decide_quarantine(
    host: AppState<'_>,
    ids: Vec<QuarantineId>,
    decision: QuarantineDecision,
) -> Result<()> {
    host.quarantine.decide(ids, decision).await
}
