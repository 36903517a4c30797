//! Links that were opened.

use skein_app::links::Link;

use crate::commands::Host;

/// Those that came since the last time, in order.
#[tauri::command]
#[specta::specta]
pub fn take_links(host: Host<'_>) -> Vec<Link> {
    host.take_links()
}
