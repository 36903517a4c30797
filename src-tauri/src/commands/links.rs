//! Links that were opened.

use skein_app::deep_links::DeepLink;

use crate::commands::AppState;

/// Those that came since the last time, in order.
#[tauri::command]
#[specta::specta]
pub fn take_links(host: AppState<'_>) -> Vec<DeepLink> {
    host.links.take()
}
