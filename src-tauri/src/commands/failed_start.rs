//! Commands for the window after a failed start.

use skein_app::view::StartupError;
use tauri::{AppHandle, State};

use crate::commands::Result;
use crate::startup::Startup;

/// The error of the start; `None` if it succeeded.
#[tauri::command]
#[specta::specta]
pub async fn start_fault(start: State<'_, Startup>) -> Result<Option<StartupError>> {
    Ok(start.error())
}

/// Tries again.
#[tauri::command]
#[specta::specta]
pub async fn start_again(app: AppHandle, start: State<'_, Startup>) -> Result<()> {
    start.attempt(&app).map(drop)
}

/// Starts with a backup; the present database becomes a backup.
#[tauri::command]
#[specta::specta]
pub async fn start_with_backup(
    app: AppHandle,
    start: State<'_, Startup>,
    path: String,
) -> Result<()> {
    start.restart_with_backup(&app, &path)
}

/// Starts with an empty database; the present one becomes a backup.
#[tauri::command]
#[specta::specta]
pub async fn start_anew(app: AppHandle, start: State<'_, Startup>) -> Result<()> {
    start.restart_empty(&app)
}
