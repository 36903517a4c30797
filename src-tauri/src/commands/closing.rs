//! The window being closed while something runs.

use tauri::{AppHandle, State};

use crate::closing::{self, Closing, ClosingAnswer};

/// Whether the person wants it closed, and is to be asked.
#[tauri::command]
#[specta::specta]
pub fn closing(closing: State<'_, Closing>) -> bool {
    closing.is_asked()
}

/// Does what they answered.
#[tauri::command]
#[specta::specta]
pub fn answer_closing(app: AppHandle, answer: ClosingAnswer) {
    closing::answer(&app, answer);
}
