//! Compactions and their undo.

use skein_app::view::{CompactionPreview, CompactionStatus, Compactions, SummaryComparison};
use skein_context::compaction::ChosenRange;
use skein_context::cost::estimate::CostEstimate;
use skein_domain::draft::Draft;
use skein_domain::ids::{MessageId, PointId, SessionId, ThreadId};

use crate::commands::{AppState, Result};

/// A preview of a compaction; without `range`, of the older messages.
#[tauri::command]
#[specta::specta]
pub async fn preview_compaction(
    host: AppState<'_>,
    session_id: SessionId,
    range: Option<ChosenRange>,
) -> Result<CompactionPreview> {
    host.compactions.preview(session_id, range).await
}

/// The cost of a compaction and of the next message after it, where a long conversation has left the
/// provider's cache.
#[tauri::command]
#[specta::specta]
pub async fn compact_first_cost(
    host: AppState<'_>,
    session_id: SessionId,
    draft: Draft,
) -> Result<Option<CostEstimate>> {
    host.compactions.compact_first_cost(session_id, draft).await
}

/// Starts a compaction and returns; `keep` is the user's instruction for the summary.
#[tauri::command]
#[specta::specta]
pub async fn compact(
    host: AppState<'_>,
    session_id: SessionId,
    range: Option<ChosenRange>,
    keep: Option<String>,
) -> Result<()> {
    host.compactions.compact(session_id, range, keep).await.map(drop)
}

/// Cancels the running compaction; nothing changes.
#[tauri::command]
#[specta::specta]
pub async fn cancel_compaction(host: AppState<'_>, session_id: SessionId) -> Result<()> {
    host.compactions.cancel(session_id).await
}

/// The status of the running compaction.
#[tauri::command]
#[specta::specta]
pub async fn compaction_status(
    host: AppState<'_>,
    session_id: SessionId,
) -> Result<CompactionStatus> {
    host.compactions.status(session_id).await
}

/// All compaction points, with stale ones, those that can be redone, and the tokens of pinned
/// messages.
#[tauri::command]
#[specta::specta]
pub async fn compactions(host: AppState<'_>, session_id: SessionId) -> Result<Compactions> {
    host.compactions.list(session_id).await
}

/// Undoes a compaction whose summary is sent; without `point_id`, the newest.
#[tauri::command]
#[specta::specta]
pub async fn undo_compaction(
    host: AppState<'_>,
    thread_id: ThreadId,
    point_id: Option<PointId>,
) -> Result<()> {
    host.compactions.undo(thread_id, point_id).await
}

/// Redoes the compaction that was undone last, and returns its point.
#[tauri::command]
#[specta::specta]
pub async fn redo_compaction(host: AppState<'_>, thread_id: ThreadId) -> Result<PointId> {
    host.compactions.redo(thread_id).await
}

/// Replaces the text of a summary by the user's.
#[tauri::command]
#[specta::specta]
pub async fn edit_summary(host: AppState<'_>, message_id: MessageId, text: String) -> Result<()> {
    host.compactions.edit_summary(message_id, text).await
}

/// Starts rewriting a stale summary and returns.
#[tauri::command]
#[specta::specta]
pub async fn renew_summary(
    host: AppState<'_>,
    session_id: SessionId,
    point_id: Option<PointId>,
) -> Result<()> {
    host.compactions.renew_summary(session_id, point_id).await.map(drop)
}

/// A comparison of a summary with the messages it covers.
#[tauri::command]
#[specta::specta]
pub async fn compare(
    host: AppState<'_>,
    point_id: PointId,
    thread_id: ThreadId,
) -> Result<SummaryComparison> {
    host.compactions.compare(point_id, thread_id).await
}
