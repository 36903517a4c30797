//! Threads that begin, and that are gone on with.

use skein_domain::ids::{SessionId, ThreadId};

use crate::commands::{AppState, Result};

/// A fresh thread; the old one stays readable.
#[tauri::command]
#[specta::specta]
pub async fn new_thread(host: AppState<'_>, session_id: SessionId) -> Result<ThreadId> {
    host.threads.begin(session_id).await
}

/// D15, by the person: a fresh thread, the reminders stay.
#[tauri::command]
#[specta::specta]
pub async fn clear_mind(host: AppState<'_>, session_id: SessionId) -> Result<ThreadId> {
    host.threads.clear_mind(session_id).await
}

/// Back to the thread before, if the new one is still empty.
#[tauri::command]
#[specta::specta]
pub async fn undo_clear(host: AppState<'_>, session_id: SessionId) -> Result<ThreadId> {
    host.threads.undo_clear(session_id).await
}

/// On in a thread that has ended; the one that was current ends.
#[tauri::command]
#[specta::specta]
pub async fn resume_thread(host: AppState<'_>, thread_id: ThreadId) -> Result<()> {
    host.threads.resume(thread_id).await
}
