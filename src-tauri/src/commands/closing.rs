//! The window being closed while something runs, or is written in it.

use std::sync::Arc;

use skein_app::app::App;
use skein_app::view::Running;
use tauri::{AppHandle, Manager, State};

use crate::closing::{self, Closing, ClosingAnswer};

/// What runs where the person wants it closed, and is to be asked; `None`: they do not.
#[tauri::command]
#[specta::specta]
pub fn closing(app: AppHandle, closing: State<'_, Closing>) -> Option<Running> {
    let running = || app.try_state::<Arc<App>>().map(|skein| skein.running());
    closing.is_asked().then(|| running().unwrap_or_default())
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
