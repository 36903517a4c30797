//! Beginning and resuming threads.

use skein_domain::ids::{SessionId, ThreadId};

use crate::commands::{AppState, Result};

/// Begins a new thread; the old one stays readable.
#[tauri::command]
#[specta::specta]
pub async fn new_thread(host: AppState<'_>, session_id: SessionId) -> Result<ThreadId> {
    host.threads.begin(session_id).await
}

/// Begins a new thread at the user's request; the reminders stay (D15).
#[tauri::command]
#[specta::specta]
pub async fn clear_mind(host: AppState<'_>, session_id: SessionId) -> Result<ThreadId> {
    host.threads.clear_mind(session_id).await
}

/// Returns to the previous thread, if the new one is still empty.
#[tauri::command]
#[specta::specta]
pub async fn undo_clear(host: AppState<'_>, session_id: SessionId) -> Result<ThreadId> {
    host.threads.undo_clear(session_id).await
}

/// Resumes a thread that has ended; the current one ends.
#[tauri::command]
#[specta::specta]
pub async fn resume_thread(host: AppState<'_>, thread_id: ThreadId) -> Result<()> {
    host.threads.resume(thread_id).await
}
