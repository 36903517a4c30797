//! The user's settings.

use skein_app::settings::Settings;
use skein_app::view::SettingsView;

use crate::commands::{AppState, Result};

/// The settings, and errors of their file.
#[tauri::command]
#[specta::specta]
pub async fn settings(host: AppState<'_>) -> Result<SettingsView> {
    host.settings.view().await
}

/// Saves the settings that differ between `read` and `changed`.
#[tauri::command]
#[specta::specta]
pub async fn save_settings(host: AppState<'_>, read: Settings, changed: Settings) -> Result<()> {
    host.settings.save(read, changed).await
}

/// Moves a broken file aside, begins with the defaults, and returns the path of the old file.
#[tauri::command]
#[specta::specta]
pub async fn reset_settings(host: AppState<'_>) -> Result<String> {
    host.settings.reset().await
}
