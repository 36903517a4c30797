//! What the window asks before there is a program behind it.

use skein_app::view::StartupError;
use tauri::{AppHandle, State};

use crate::commands::Result;
use crate::startup::Startup;

/// What is in the way; `None` where nothing is.
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

/// Begins with a copy; the database of before becomes one.
#[tauri::command]
#[specta::specta]
pub async fn start_with_backup(
    app: AppHandle,
    start: State<'_, Startup>,
    path: String,
) -> Result<()> {
    start.restart_with_backup(&app, &path)
}

/// Begins with nothing; the database of before becomes a copy.
#[tauri::command]
#[specta::specta]
pub async fn start_anew(app: AppHandle, start: State<'_, Startup>) -> Result<()> {
    start.restart_empty(&app)
}
