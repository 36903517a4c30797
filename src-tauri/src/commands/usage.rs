//! Usage and costs.

use skein_store::{UsageGrouping, UsageTotal};

use crate::commands::{AppState, Result};

/// Totals of usage since a time, in milliseconds since the epoch.
#[tauri::command]
#[specta::specta]
pub async fn usage_totals(
    host: AppState<'_>,
    by: UsageGrouping,
    since: i64,
) -> Result<Vec<UsageTotal>> {
    host.costs.totals(by, since).await
}

/// Writes every entry into a file that the user chose, as CSV.
#[tauri::command]
#[specta::specta]
pub async fn export_usage(host: AppState<'_>, path: String) -> Result<()> {
    host.costs.export(path).await
}
