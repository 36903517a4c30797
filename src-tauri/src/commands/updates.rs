//! Updates of the program.

use skein_app::view::{UpdateAction, UpdatesView};

use crate::commands::{AppState, Result};

/// The state of updates. Asks no host.
#[tauri::command]
#[specta::specta]
pub async fn updates(host: AppState<'_>) -> Result<UpdatesView> {
    host.updates.view().await
}

/// Starts or ends a step of an update.
#[tauri::command]
#[specta::specta]
pub async fn update_program(host: AppState<'_>, action: UpdateAction) -> Result<()> {
    host.updates.act(action).await
}
