//! Closing the app window while something is running or unsaved.

use std::sync::Arc;

use skein_app::app::App;
use skein_app::view::ActiveWork;
use tauri::{AppHandle, Manager, State};

use crate::close_guard::{self, CloseDecision, CloseGuard};

/// The running work to ask the user about; `None` if the window is not being closed.
#[tauri::command]
#[specta::specta]
pub fn closing(app: AppHandle, closing: State<'_, CloseGuard>) -> Option<ActiveWork> {
    let running = || app.try_state::<Arc<App>>().map(|skein| skein.active_work());
    closing.is_asked().then(|| running().unwrap_or_default())
}

/// Sets if the window has text that is stored nowhere else.
#[tauri::command]
#[specta::specta]
pub fn note_unsaved(closing: State<'_, CloseGuard>, unsaved: bool) {
    closing.set_unsaved(unsaved);
}

/// Applies the user's decision.
#[tauri::command]
#[specta::specta]
pub fn answer_closing(app: AppHandle, answer: CloseDecision) {
    close_guard::apply_decision(&app, answer);
}
