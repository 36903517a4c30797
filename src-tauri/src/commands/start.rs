//! What the window asks before there is a program behind it.

use skein_app::view::StartFault;
use tauri::{AppHandle, State};

use crate::commands::Result;
use crate::start::Start;

/// What is in the way; `None` where nothing is.
#[tauri::command]
#[specta::specta]
pub async fn start_fault(start: State<'_, Start>) -> Result<Option<StartFault>> {
    Ok(start.fault())
}

/// Tries again.
#[tauri::command]
#[specta::specta]
pub async fn start_again(app: AppHandle, start: State<'_, Start>) -> Result<()> {
    start.attempt(&app).map(drop)
}

/// Begins with a copy; the database of before becomes one.
#[tauri::command]
#[specta::specta]
pub async fn start_with_backup(
    app: AppHandle,
    start: State<'_, Start>,
    path: String,
) -> Result<()> {
    start.with_backup(&app, &path)
}

/// Begins with nothing; the database of before becomes a copy.
#[tauri::command]
#[specta::specta]
pub async fn start_anew(app: AppHandle, start: State<'_, Start>) -> Result<()> {
    start.anew(&app)
}
