//! Sessions and their threads, and what is written in the box.

use skein_app::view::{DeletedSession, SessionItem, SessionView, SwitchPreview};
use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::FolderError;
use skein_domain::ids::{MessageId, SessionId};
use skein_domain::message::queued_message::WaitingId;
use skein_domain::model::ModelRef;
use skein_domain::session::SessionOverride;
use skein_store::MessageEdit;

use crate::commands::{AppState, Result};

/// The sidebar: pinned first, then the latest.
#[tauri::command]
#[specta::specta]
pub async fn sessions(host: AppState<'_>) -> Result<Vec<SessionItem>> {
    host.sessions.list().await
}

/// An open session.
#[tauri::command]
#[specta::specta]
pub async fn session(host: AppState<'_>, session_id: SessionId) -> Result<SessionView> {
    host.sessions.get(session_id).await
}

/// The window shows a session from now on, and no other.
#[tauri::command]
#[specta::specta]
pub async fn open_session(host: AppState<'_>, session_id: SessionId) -> Result<()> {
    host.sessions.open(session_id).await
}

/// An empty session with the default model.
#[tauri::command]
#[specta::specta]
pub async fn create_session(host: AppState<'_>) -> Result<SessionId> {
    host.sessions.create().await
}

/// The first session of the sidebar; where there is none, an empty one.
#[tauri::command]
#[specta::specta]
pub async fn first_session(host: AppState<'_>) -> Result<SessionId> {
    host.sessions.first().await
}

/// A session with a link's words, or a file that was opened, for its box: one that nobody has used yet, or
/// a new one.
#[tauri::command]
#[specta::specta]
pub async fn new_chat(
    host: AppState<'_>,
    prompt: String,
    attachments: Vec<Attachment>,
    model: Option<ModelRef>,
) -> Result<SessionId> {
    host.sessions.new_chat(prompt, attachments, model).await
}

/// The person's own title.
#[tauri::command]
#[specta::specta]
pub async fn rename_session(
    host: AppState<'_>,
    session_id: SessionId,
    title: String,
) -> Result<()> {
    host.sessions.rename(session_id, title).await
}

/// To the top of the sidebar, or back.
#[tauri::command]
#[specta::specta]
pub async fn pin_session(host: AppState<'_>, session_id: SessionId, pinned: bool) -> Result<()> {
    host.sessions.pin(session_id, pinned).await
}

/// Out of sight, all at once; `restore_sessions` brings them back.
#[tauri::command]
#[specta::specta]
pub async fn delete_sessions(host: AppState<'_>, session_ids: Vec<SessionId>) -> Result<()> {
    host.sessions.delete(session_ids).await
}

/// Undoes a deletion.
#[tauri::command]
#[specta::specta]
pub async fn restore_sessions(host: AppState<'_>, session_ids: Vec<SessionId>) -> Result<()> {
    host.sessions.restore(session_ids).await
}

/// What was deleted and can be had back, the latest first.
#[tauri::command]
#[specta::specta]
pub async fn deleted_sessions(host: AppState<'_>) -> Result<Vec<DeletedSession>> {
    host.sessions.deleted().await
}

/// A deleted session goes for good.
#[tauri::command]
#[specta::specta]
pub async fn purge_session(host: AppState<'_>, session_id: SessionId) -> Result<()> {
    host.sessions.purge(session_id).await
}

/// The model of the next message.
#[tauri::command]
#[specta::specta]
pub async fn set_model(host: AppState<'_>, session_id: SessionId, model: ModelRef) -> Result<()> {
    host.sessions.set_model(session_id, model).await
}

/// US-5: what that model would make of this conversation.
#[tauri::command]
#[specta::specta]
pub async fn preview_model(
    host: AppState<'_>,
    session_id: SessionId,
    model: ModelRef,
) -> Result<SwitchPreview> {
    host.sessions.preview_model(session_id, model).await
}

/// One thing this session decides otherwise than the global settings, or no longer.
#[tauri::command]
#[specta::specta]
pub async fn set_override(
    host: AppState<'_>,
    session_id: SessionId,
    decided: SessionOverride,
) -> Result<()> {
    host.sessions.set_override(session_id, decided).await
}

/// What is in the way of this session's folder; `None` where nothing is.
#[tauri::command]
#[specta::specta]
pub async fn folder_fault(
    host: AppState<'_>,
    session_id: SessionId,
) -> Result<Option<FolderError>> {
    host.sessions.folder_fault(session_id).await
}

/// What is written in the box; what it has taken in waits no longer.
#[tauri::command]
#[specta::specta]
pub async fn save_draft(
    host: AppState<'_>,
    session_id: SessionId,
    draft: Draft,
    taken: Option<WaitingId>,
) -> Result<()> {
    host.sessions.save_draft(session_id, draft, taken).await
}

/// What is changed of a message that is being edited; nothing: it is sent or put away.
#[tauri::command]
#[specta::specta]
pub async fn save_edit(
    host: AppState<'_>,
    message_id: skein_domain::ids::MessageId,
    edit: MessageEdit,
) -> Result<()> {
    host.sessions.save_edit(message_id, edit).await
}

/// Makes what leads to a message a session of its own.
#[tauri::command]
#[specta::specta]
pub async fn fork(host: AppState<'_>, message_id: MessageId) -> Result<SessionId> {
    host.sessions.fork(message_id).await
}
