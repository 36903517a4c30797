//! Compacting, and taking it back.

use skein_app::view::{CompactionPreview, CompactionStatus, Compactions, SummaryComparison};
use skein_domain::ids::{MessageId, PointId, SessionId, ThreadId};

use crate::commands::{AppState, Result};

/// What a compaction would do.
#[tauri::command]
#[specta::specta]
pub async fn preview_compaction(
    host: AppState<'_>,
    session_id: SessionId,
) -> Result<CompactionPreview> {
    host.compactions.preview(session_id).await
}

/// Begins one, and answers when it has begun; `keep` steers the summary.
#[tauri::command]
#[specta::specta]
pub async fn compact(
    host: AppState<'_>,
    session_id: SessionId,
    keep: Option<String>,
) -> Result<()> {
    host.compactions.compact(session_id, keep).await.map(drop)
}

/// Stops the one that runs; nothing changes.
#[tauri::command]
#[specta::specta]
pub async fn cancel_compaction(host: AppState<'_>, session_id: SessionId) -> Result<()> {
    host.compactions.cancel(session_id).await
}

/// What it is doing.
#[tauri::command]
#[specta::specta]
pub async fn compaction_status(
    host: AppState<'_>,
    session_id: SessionId,
) -> Result<CompactionStatus> {
    host.compactions.status(session_id).await
}

/// What was compacted, what of it is stale, what can be put back, and what pins take.
#[tauri::command]
#[specta::specta]
pub async fn compactions(host: AppState<'_>, session_id: SessionId) -> Result<Compactions> {
    host.compactions.list(session_id).await
}

/// Takes back the latest point.
#[tauri::command]
#[specta::specta]
pub async fn undo_compaction(host: AppState<'_>, thread_id: ThreadId) -> Result<()> {
    host.compactions.undo(thread_id).await
}

/// Puts back the point undone last.
#[tauri::command]
#[specta::specta]
pub async fn redo_compaction(host: AppState<'_>, thread_id: ThreadId) -> Result<()> {
    host.compactions.redo(thread_id).await
}

/// The person's own words for a summary.
#[tauri::command]
#[specta::specta]
pub async fn edit_summary(host: AppState<'_>, message_id: MessageId, text: String) -> Result<()> {
    host.compactions.edit_summary(message_id, text).await
}

/// Begins to write a stale summary anew, and answers when it has begun.
#[tauri::command]
#[specta::specta]
pub async fn renew_summary(host: AppState<'_>, session_id: SessionId) -> Result<()> {
    host.compactions.renew_summary(session_id).await.map(drop)
}

/// What was covered beside what is kept.
#[tauri::command]
#[specta::specta]
pub async fn compare(
    host: AppState<'_>,
    point_id: PointId,
    thread_id: ThreadId,
) -> Result<SummaryComparison> {
    host.compactions.compare(point_id, thread_id).await
}
