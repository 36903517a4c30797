//! The window being closed while something runs, or is written in it.

use tauri::{AppHandle, State};

use crate::closing::{self, Closing, ClosingAnswer};

/// Whether the person wants it closed, and is to be asked.
#[tauri::command]
#[specta::specta]
pub fn closing(closing: State<'_, Closing>) -> bool {
    closing.is_asked()
}

/// Says whether something is written in the window that is kept nowhere else.
#[tauri::command]
#[specta::specta]
pub fn note_unsaved(closing: State<'_, Closing>, unsaved: bool) {
    closing.note_unsaved(unsaved);
}

/// Does what they answered.
#[tauri::command]
#[specta::specta]
pub fn answer_closing(app: AppHandle, answer: ClosingAnswer) {
    closing::answer(&app, answer);
}
