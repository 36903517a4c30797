//! What the program says about itself.

/// The version of this build, like `0.1.0`.
#[tauri::command]
#[specta::specta]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
