//! Compactions and their undo.

use skein_app::view::{CompactionPreview, CompactionStatus, Compactions, SummaryComparison};
use skein_context::compaction::ChosenRange;
use skein_context::cost::estimate::CostEstimate;
use skein_domain::draft::Draft;
use skein_domain::ids::{MessageId, PointId, SessionId, ThreadId};

use crate::commands::{AppState, Result, commands};

commands! {
    /// A preview of a compaction; without `range`, of the older messages.
    fn preview_compaction(session_id: SessionId, range: Option<ChosenRange>) -> CompactionPreview
        => compactions.preview;

    /// The cost of a compaction and of the next message after it, where a long conversation has left the
    /// provider's cache.
    fn compact_first_cost(session_id: SessionId, draft: Draft) -> Option<CostEstimate>
        => compactions.compact_first_cost;
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

commands! {
    /// Cancels the running compaction; nothing changes.
    fn cancel_compaction(session_id: SessionId) -> () => compactions.cancel;

    /// The status of the running compaction.
    fn compaction_status(session_id: SessionId) -> CompactionStatus => compactions.status;

    /// All compaction points, with stale ones, those that can be redone, and the tokens of pinned
    /// messages.
    fn compactions(session_id: SessionId) -> Compactions => compactions.list;

    /// Undoes a compaction whose summary is sent; without `point_id`, the newest.
    fn undo_compaction(thread_id: ThreadId, point_id: Option<PointId>) -> () => compactions.undo;

    /// Redoes the compaction that was undone last, and returns its point.
    fn redo_compaction(thread_id: ThreadId) -> PointId => compactions.redo;

    /// Replaces the text of a summary by the user's.
    fn edit_summary(message_id: MessageId, text: String) -> () => compactions.edit_summary;
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

commands! {
    /// A comparison of a summary with the messages it covers.
    fn compare(point_id: PointId, thread_id: ThreadId) -> SummaryComparison => compactions.compare;
}
