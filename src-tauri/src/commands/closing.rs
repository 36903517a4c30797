//! Closing a window while something is running or unsaved.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use skein_app::app::App;
use skein_app::view::ActiveWork;
use skein_domain::ids::SessionId;
use specta::Type;
use tauri::{Manager, State, WebviewWindow};

use crate::app_window::close_guard::{self, CloseDecision, CloseGuard};
use crate::app_window::{self, MAIN, QUICK_ASK};

/// A question to the user before a window closes. In the window of a session only text in that window is in
/// danger, and all fields are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CloseRequest {
    /// The work that would end with the program.
    pub running: ActiveWork,
    /// The sessions with unsaved text in windows of their own.
    pub unsaved_sessions: Vec<SessionId>,
    /// True if the window for quick questions holds a question or an answer.
    pub unsaved_quick_ask: bool,
}

/// The question that this window is to ask; `None` if it is not being closed.
#[tauri::command]
#[specta::specta]
pub fn closing(window: WebviewWindow, guard: State<'_, CloseGuard>) -> Option<CloseRequest> {
    if !guard.is_asked(window.label()) {
        return None;
    }
    if window.label() != MAIN {
        return Some(CloseRequest::default());
    }
    let running = window.try_state::<Arc<App>>().map(|skein| skein.active_work());
    let unsaved = guard.unsaved_windows();
    let sessions = unsaved.iter().filter_map(|label| app_window::session_of_label(label));
    Some(CloseRequest {
        running: running.unwrap_or_default(),
        unsaved_sessions: sessions.collect(),
        unsaved_quick_ask: unsaved.iter().any(|label| label == QUICK_ASK),
    })
}

/// Sets if this window has text that is stored nowhere else.
#[tauri::command]
#[specta::specta]
pub fn note_unsaved(window: WebviewWindow, guard: State<'_, CloseGuard>, unsaved: bool) {
    guard.set_unsaved(window.label(), unsaved);
}

/// Applies the user's decision about this window.
#[tauri::command]
#[specta::specta]
pub fn answer_closing(window: WebviewWindow, answer: CloseDecision) {
    close_guard::apply_decision(&window, answer);
}
