//! The person's data: where it is, copied and brought back.

use skein_app::view::{DataLocations, QuarantineView};
use skein_store::{BackupContent, ContactedHost, QuarantineDecision, QuarantineId};
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

/// Every host ever contacted.
#[tauri::command]
#[specta::specta]
pub async fn hosts(host: AppState<'_>) -> Result<Vec<ContactedHost>> {
    host.maintenance.hosts().await
}

/// What a database from elsewhere would allow, and is not decided on.
#[tauri::command]
#[specta::specta]
pub async fn quarantine(host: AppState<'_>) -> Result<Vec<QuarantineView>> {
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
