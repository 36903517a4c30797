//! Opened links.

use skein_app::deep_links::DeepLink;

use crate::commands::AppState;

/// The links opened since the last call, in order.
#[tauri::command]
#[specta::specta]
pub fn take_links(host: AppState<'_>) -> Vec<DeepLink> {
    host.links.take()
}
