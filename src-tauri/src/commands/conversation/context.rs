//! How full the window is, and what fills it.

use skein_app::view::{
    ContextEstimate, DraftSize, HealthPoint, HealthView, PromptView, StrategyNumbers,
};
use skein_context::health::breakdown::Breakdown;
use skein_domain::draft::Draft;
use skein_domain::ids::{SessionId, ThreadId};
use skein_store::ActivityLogEntry;

use crate::commands::{AppState, Result};

/// The numbers beside the box.
#[tauri::command]
#[specta::specta]
pub async fn estimate(
    host: AppState<'_>,
    session_id: SessionId,
    draft: Draft,
) -> Result<ContextEstimate> {
    host.context.estimate(session_id, draft).await
}

/// What a draft takes by itself.
#[tauri::command]
#[specta::specta]
pub async fn draft_size(
    host: AppState<'_>,
    session_id: SessionId,
    draft: Draft,
) -> Result<DraftSize> {
    host.context.draft_size(session_id, draft).await
}

/// Q01: rows that sum to the window.
#[tauri::command]
#[specta::specta]
pub async fn breakdown(
    host: AppState<'_>,
    session_id: SessionId,
    draft: Draft,
) -> Result<Breakdown> {
    host.context.breakdown(session_id, draft).await
}

/// The request itself, part by part.
#[tauri::command]
#[specta::specta]
pub async fn seen_by_model(
    host: AppState<'_>,
    session_id: SessionId,
    draft: Draft,
) -> Result<PromptView> {
    host.context.seen_by_model(session_id, draft).await
}

/// D16.
#[tauri::command]
#[specta::specta]
pub async fn health(host: AppState<'_>, session_id: SessionId) -> Result<HealthView> {
    host.context.health(session_id).await
}

/// D16: the latest replies of a thread, for the chart.
#[tauri::command]
#[specta::specta]
pub async fn health_history(
    host: AppState<'_>,
    thread_id: ThreadId,
    limit: u32,
) -> Result<Vec<HealthPoint>> {
    host.context.health_history(thread_id, limit).await
}

/// What each strategy would do, in the numbers of the session's model, or of that of new sessions.
#[tauri::command]
#[specta::specta]
pub async fn strategies(
    host: AppState<'_>,
    session_id: Option<SessionId>,
) -> Result<StrategyNumbers> {
    host.context.strategies(session_id).await
}

/// `/context`: the breakdown as a card that is never sent.
#[tauri::command]
#[specta::specta]
pub async fn post_context(host: AppState<'_>, session_id: SessionId) -> Result<()> {
    host.context.post_context(session_id).await
}

/// Everything that happened by itself, oldest first.
#[tauri::command]
#[specta::specta]
pub async fn automatic_log(
    host: AppState<'_>,
    thread_id: ThreadId,
) -> Result<Vec<ActivityLogEntry>> {
    host.context.automatic_log(thread_id).await
}
