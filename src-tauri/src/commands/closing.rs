//! The window being closed while something runs, or is written in it.

use std::sync::Arc;

use skein_app::app::App;
use skein_app::view::ActiveWork;
use tauri::{AppHandle, Manager, State};

use crate::close_guard::{self, CloseDecision, CloseGuard};

/// What runs where the person wants it closed, and is to be asked; `None`: they do not.
#[tauri::command]
#[specta::specta]
pub fn closing(app: AppHandle, closing: State<'_, CloseGuard>) -> Option<ActiveWork> {
    let running = || app.try_state::<Arc<App>>().map(|skein| skein.active_work());
    closing.is_asked().then(|| running().unwrap_or_default())
}

/// Says whether something is written in the window that is kept nowhere else.
#[tauri::command]
#[specta::specta]
pub fn note_unsaved(closing: State<'_, CloseGuard>, unsaved: bool) {
    closing.set_unsaved(unsaved);
}

/// Does what they answered.
#[tauri::command]
#[specta::specta]
pub fn answer_closing(app: AppHandle, answer: CloseDecision) {
    close_guard::apply_decision(&app, answer);
}
