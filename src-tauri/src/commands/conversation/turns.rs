//! Sending messages, stopping, and answering questions of a turn.

use skein_app::events::TurnEvent;
use skein_app::view::TurnEnd;
use skein_domain::draft::Draft;
use skein_domain::ids::{MessageId, SessionId};
use skein_domain::message::queued_message::{QueuedMessage, WaitingId};
use skein_domain::model::ModelRef;
use skein_tools::permission::ApprovalDecision;
use tauri::ipc::Channel;

use crate::commands::{AppState, Result};
use crate::event_channel::event_sink;

/// Sends a message. The promise resolves when the turn ends.
#[tauri::command]
#[specta::specta]
pub async fn send(
    host: AppState<'_>,
    session_id: SessionId,
    message: Draft,
    channel: Channel<TurnEvent>,
) -> Result<TurnEnd> {
    host.turns.send(session_id, message, event_sink(channel)).await
}

/// Sends an edited message as a sibling of the original.
#[tauri::command]
#[specta::specta]
pub async fn resend(
    host: AppState<'_>,
    session_id: SessionId,
    edited: MessageId,
    message: Draft,
    channel: Channel<TurnEvent>,
) -> Result<TurnEnd> {
    host.turns.resend(session_id, edited, message, event_sink(channel)).await
}

/// Requests another reply to the same message, as a sibling of this one, by the session's model or
/// once by another.
#[tauri::command]
#[specta::specta]
pub async fn regenerate(
    host: AppState<'_>,
    session_id: SessionId,
    answer: MessageId,
    by: Option<ModelRef>,
    channel: Channel<TurnEvent>,
) -> Result<TurnEnd> {
    host.turns.regenerate(session_id, answer, by, event_sink(channel)).await
}

/// Continues from the end of the path, after a limit, an interruption or an error.
#[tauri::command]
#[specta::specta]
pub async fn continue_reply(
    host: AppState<'_>,
    session_id: SessionId,
    channel: Channel<TurnEvent>,
) -> Result<TurnEnd> {
    host.turns.continue_reply(session_id, event_sink(channel)).await
}

/// Queues the composer's content behind the running turn; false if none is running.
#[tauri::command]
#[specta::specta]
pub async fn wait_behind(
    host: AppState<'_>,
    session_id: SessionId,
    message: Draft,
) -> Result<bool> {
    host.turns.queue(session_id, message).await
}

/// Sends the queued messages, one after the other.
#[tauri::command]
#[specta::specta]
pub async fn send_waiting(
    host: AppState<'_>,
    session_id: SessionId,
    channel: Channel<TurnEvent>,
) -> Result<TurnEnd> {
    host.turns.send_waiting(session_id, event_sink(channel)).await
}

/// Removes a message from the queue.
#[tauri::command]
#[specta::specta]
pub async fn remove_waiting(
    host: AppState<'_>,
    session_id: SessionId,
    waiting_id: WaitingId,
) -> Result<()> {
    host.turns.remove_waiting(session_id, waiting_id).await
}

/// Puts a removed message back at its place in the queue.
#[tauri::command]
#[specta::specta]
pub async fn restore_waiting(
    host: AppState<'_>,
    session_id: SessionId,
    taken: QueuedMessage,
) -> Result<()> {
    host.turns.restore_waiting(session_id, taken).await
}

/// Watches a running turn until it ends; false at once if none is running.
#[tauri::command]
#[specta::specta]
pub async fn watch(
    host: AppState<'_>,
    session_id: SessionId,
    channel: Channel<TurnEvent>,
) -> Result<bool> {
    host.turns.watch(session_id, event_sink(channel)).await
}

/// Stops the turn; received text is kept.
#[tauri::command]
#[specta::specta]
pub async fn stop(host: AppState<'_>, session_id: SessionId) -> Result<()> {
    host.turns.stop(session_id).await
}

/// Answers the question about a tool call.
#[tauri::command]
#[specta::specta]
pub async fn answer_tool(
    host: AppState<'_>,
    session_id: SessionId,
    call_id: String,
    answer: ApprovalDecision,
) -> Result<()> {
    host.turns.answer_tool(session_id, call_id, answer).await
}

/// Stops one running tool.
#[tauri::command]
#[specta::specta]
pub async fn cancel_tool(host: AppState<'_>, session_id: SessionId, call_id: String) -> Result<()> {
    host.turns.cancel_tool(session_id, call_id).await
}
