//! Information about the program itself.

use tauri::State;

use crate::commands::Result;
use crate::startup::Startup;

/// The version of this build, like `0.1.0`.
#[tauri::command]
#[specta::specta]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Versions, the platform and the end of the log as text for a report, without keys, text of
/// conversations, or the path of the home folder.
#[tauri::command]
#[specta::specta]
pub async fn diagnostics(start: State<'_, Startup>) -> Result<String> {
    Ok(start.diagnostics())
}
