//! The person's data: where it is, and copied.

use skein_runtime::store::Host as ContactedHost;
use skein_runtime::view::PlacesView;

use crate::commands::{Host, Result};

/// Where everything is kept.
#[tauri::command]
#[specta::specta]
pub async fn places(host: Host<'_>) -> Result<PlacesView> {
    host.places().await
}

/// Copies the database; where to.
#[tauri::command]
#[specta::specta]
pub async fn back_up(host: Host<'_>) -> Result<String> {
    host.back_up().await
}

/// Every host ever contacted.
#[tauri::command]
#[specta::specta]
pub async fn hosts(host: Host<'_>) -> Result<Vec<ContactedHost>> {
    host.hosts().await
}
