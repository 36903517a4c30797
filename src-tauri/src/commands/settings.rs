//! The person's decisions.

use skein_app::settings::Settings;
use skein_app::view::SettingsView;

use crate::commands::{AppState, Result};

/// As they are, and what is wrong with the file.
#[tauri::command]
#[specta::specta]
pub async fn settings(host: AppState<'_>) -> Result<SettingsView> {
    host.settings.view().await
}

/// What of them was changed since they were read.
#[tauri::command]
#[specta::specta]
pub async fn save_settings(host: AppState<'_>, read: Settings, changed: Settings) -> Result<()> {
    host.settings.save(read, changed).await
}

/// Sets a broken file aside, begins with the defaults, and says where the old one is.
#[tauri::command]
#[specta::specta]
pub async fn reset_settings(host: AppState<'_>) -> Result<String> {
    host.settings.reset().await
}
