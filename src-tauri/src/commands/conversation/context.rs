//! The use of the context window.

use skein_app::view::{
    CacheReport, ContextEstimate, DraftSize, HealthPoint, HealthView, StrategyNumbers,
};
use skein_context::health::breakdown::Breakdown;
use skein_context::health::superseded_reads::SupersededRead;
use skein_context::savings::ContextSaving;
use skein_domain::draft::Draft;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_store::{ActivityLogEntry, PromptView};

use crate::commands::{AppState, Result};

/// The numbers beside the composer.
#[tauri::command]
#[specta::specta]
pub async fn estimate(
    host: AppState<'_>,
    session_id: SessionId,
    draft: Draft,
) -> Result<ContextEstimate> {
    host.context.estimate(session_id, draft).await
}

/// The tokens of a draft alone.
#[tauri::command]
#[specta::specta]
pub async fn draft_size(
    host: AppState<'_>,
    session_id: SessionId,
    draft: Draft,
) -> Result<DraftSize> {
    host.context.draft_size(session_id, draft).await
}

/// The rows that add up to the context window (Q01).
#[tauri::command]
#[specta::specta]
pub async fn breakdown(
    host: AppState<'_>,
    session_id: SessionId,
    draft: Draft,
) -> Result<Breakdown> {
    host.context.breakdown(session_id, draft).await
}

/// The parts of the next request that may not be needed, the largest first.
#[tauri::command]
#[specta::specta]
pub async fn context_savings(
    host: AppState<'_>,
    session_id: SessionId,
) -> Result<Vec<ContextSaving>> {
    host.context.savings(session_id).await
}

/// The reads whose outputs later reads of the same file replace in the next request.
#[tauri::command]
#[specta::specta]
pub async fn superseded_reads(
    host: AppState<'_>,
    session_id: SessionId,
) -> Result<Vec<SupersededRead>> {
    host.context.superseded_reads(session_id).await
}

/// The use of the provider's cache by the session.
#[tauri::command]
#[specta::specta]
pub async fn cache_report(host: AppState<'_>, session_id: SessionId) -> Result<CacheReport> {
    host.context.cache_report(session_id).await
}

/// The next request, part by part.
#[tauri::command]
#[specta::specta]
pub async fn seen_by_model(
    host: AppState<'_>,
    session_id: SessionId,
    draft: Draft,
) -> Result<PromptView> {
    host.context.seen_by_model(session_id, draft).await
}

/// The request that a reply answered, part by part.
#[tauri::command]
#[specta::specta]
pub async fn seen_by_reply(
    host: AppState<'_>,
    message_id: MessageId,
) -> Result<Option<PromptView>> {
    host.context.seen_by_reply(message_id).await
}

/// The health of the context (D16).
#[tauri::command]
#[specta::specta]
pub async fn health(host: AppState<'_>, session_id: SessionId) -> Result<HealthView> {
    host.context.health(session_id).await
}

/// The health of a thread's latest replies, for the chart (D16).
#[tauri::command]
#[specta::specta]
pub async fn health_history(
    host: AppState<'_>,
    thread_id: ThreadId,
    limit: u32,
) -> Result<Vec<HealthPoint>> {
    host.context.health_history(thread_id, limit).await
}

/// The numbers of each strategy, for the session's model or the model of new sessions.
#[tauri::command]
#[specta::specta]
pub async fn strategies(
    host: AppState<'_>,
    session_id: Option<SessionId>,
) -> Result<StrategyNumbers> {
    host.context.strategies(session_id).await
}

/// Posts the breakdown as a card that is never sent (`/context`).
#[tauri::command]
#[specta::specta]
pub async fn post_context(host: AppState<'_>, session_id: SessionId) -> Result<()> {
    host.context.post_context(session_id).await
}

/// The log of automatic events, oldest first.
#[tauri::command]
#[specta::specta]
pub async fn automatic_log(
    host: AppState<'_>,
    thread_id: ThreadId,
) -> Result<Vec<ActivityLogEntry>> {
    host.context.automatic_log(thread_id).await
}
