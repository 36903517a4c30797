//! Compacting, and taking it back.

use skein_app::view::{
    CompactionPreview, CompactionStatus, Compactions, Comparison, Extent, MessageLine,
};
use skein_domain::ids::{MessageId, PointId, SessionId, ThreadId};

use crate::commands::{Host, Result};

/// What a compaction would do.
#[tauri::command]
#[specta::specta]
pub async fn preview_compaction(
    host: Host<'_>,
    session_id: SessionId,
) -> Result<CompactionPreview> {
    host.preview_compaction(session_id).await
}

/// Begins one, and answers when it has begun; `keep` steers the summary.
#[tauri::command]
#[specta::specta]
pub async fn compact(host: Host<'_>, session_id: SessionId, keep: Option<String>) -> Result<()> {
    host.compact(session_id, keep).await.map(drop)
}

/// Stops the one that runs; nothing changes.
#[tauri::command]
#[specta::specta]
pub async fn cancel_compaction(host: Host<'_>, session_id: SessionId) -> Result<()> {
    host.cancel_compaction(session_id).await
}

/// What it is doing.
#[tauri::command]
#[specta::specta]
pub async fn compaction_status(host: Host<'_>, session_id: SessionId) -> Result<CompactionStatus> {
    host.compaction_status(session_id).await
}

/// What was compacted, what of it is stale, what can be put back, and what pins take.
#[tauri::command]
#[specta::specta]
pub async fn compactions(host: Host<'_>, session_id: SessionId) -> Result<Compactions> {
    host.compactions(session_id).await
}

/// Takes back the latest point.
#[tauri::command]
#[specta::specta]
pub async fn undo_compaction(host: Host<'_>, thread_id: ThreadId) -> Result<()> {
    host.undo_compaction(thread_id).await
}

/// Puts back the point undone last.
#[tauri::command]
#[specta::specta]
pub async fn redo_compaction(host: Host<'_>, thread_id: ThreadId) -> Result<()> {
    host.redo_compaction(thread_id).await
}

/// The person's own words for a summary.
#[tauri::command]
#[specta::specta]
pub async fn edit_summary(host: Host<'_>, message_id: MessageId, text: String) -> Result<()> {
    host.edit_summary(message_id, text).await
}

/// Begins to write a stale summary anew, and answers when it has begun.
#[tauri::command]
#[specta::specta]
pub async fn renew_summary(host: Host<'_>, session_id: SessionId) -> Result<()> {
    host.renew_summary(session_id).await.map(drop)
}

/// What was covered beside what is kept.
#[tauri::command]
#[specta::specta]
pub async fn compare(host: Host<'_>, point_id: PointId, thread_id: ThreadId) -> Result<Comparison> {
    host.compare(point_id, thread_id).await
}

/// What messages of a list say, for those that are looked at.
#[tauri::command]
#[specta::specta]
pub async fn message_lines(
    host: Host<'_>,
    ids: Vec<MessageId>,
    extent: Extent,
) -> Result<Vec<MessageLine>> {
    host.message_lines(ids, extent).await
}
