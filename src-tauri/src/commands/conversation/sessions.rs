//! Sessions, and the drafts of their composers.

use skein_app::view::{SessionItem, SessionView, SwitchPreview};
use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::FolderError;
use skein_domain::ids::{MessageId, SessionId};
use skein_domain::message::queued_message::WaitingId;
use skein_domain::model::ModelRef;
use skein_domain::session::SessionOverride;
use skein_store::{DeletedSession, MessageEdit};

use crate::commands::{AppState, Result};

/// The sessions of the sidebar: pinned ones first, then the latest.
#[tauri::command]
#[specta::specta]
pub async fn sessions(host: AppState<'_>) -> Result<Vec<SessionItem>> {
    host.sessions.list().await
}

/// A session in full.
#[tauri::command]
#[specta::specta]
pub async fn session(host: AppState<'_>, session_id: SessionId) -> Result<SessionView> {
    host.sessions.get(session_id).await
}

/// Marks a session as the one that is shown.
#[tauri::command]
#[specta::specta]
pub async fn open_session(host: AppState<'_>, session_id: SessionId) -> Result<()> {
    host.sessions.open(session_id).await
}

/// Creates an empty session with the default model.
#[tauri::command]
#[specta::specta]
pub async fn create_session(host: AppState<'_>) -> Result<SessionId> {
    host.sessions.create().await
}

/// An unused session, or a new one. Its model stays.
#[tauri::command]
#[specta::specta]
pub async fn unused_session(host: AppState<'_>) -> Result<SessionId> {
    host.sessions.unused().await
}

/// The first session of the sidebar; creates one if there is none.
#[tauri::command]
#[specta::specta]
pub async fn first_session(host: AppState<'_>) -> Result<SessionId> {
    host.sessions.first().await
}

/// A session with the prompt of a link, or with opened files, in its composer: an unused one, or a
/// new one.
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

/// Sets the user's title.
#[tauri::command]
#[specta::specta]
pub async fn rename_session(
    host: AppState<'_>,
    session_id: SessionId,
    title: String,
) -> Result<()> {
    host.sessions.rename(session_id, title).await
}

/// Pins a session to the top of the sidebar, or unpins it.
#[tauri::command]
#[specta::specta]
pub async fn pin_session(host: AppState<'_>, session_id: SessionId, pinned: bool) -> Result<()> {
    host.sessions.pin(session_id, pinned).await
}

/// Deletes sessions, all at once; `restore_sessions` undoes it.
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

/// Deleted sessions that can be restored, latest first.
#[tauri::command]
#[specta::specta]
pub async fn deleted_sessions(host: AppState<'_>) -> Result<Vec<DeletedSession>> {
    host.sessions.deleted().await
}

/// Deletes a deleted session for good.
#[tauri::command]
#[specta::specta]
pub async fn purge_session(host: AppState<'_>, session_id: SessionId) -> Result<()> {
    host.sessions.purge(session_id).await
}

/// Sets the model of the next message.
#[tauri::command]
#[specta::specta]
pub async fn set_model(host: AppState<'_>, session_id: SessionId, model: ModelRef) -> Result<()> {
    host.sessions.set_model(session_id, model).await
}

/// A preview of a switch to another model (US-5).
#[tauri::command]
#[specta::specta]
pub async fn preview_model(
    host: AppState<'_>,
    session_id: SessionId,
    model: ModelRef,
) -> Result<SwitchPreview> {
    host.sessions.preview_model(session_id, model).await
}

/// Sets or removes an override of a global setting.
#[tauri::command]
#[specta::specta]
pub async fn set_override(
    host: AppState<'_>,
    session_id: SessionId,
    decided: SessionOverride,
) -> Result<()> {
    host.sessions.set_override(session_id, decided).await
}

/// The reason why this session's folder cannot be used; `None` if it can.
#[tauri::command]
#[specta::specta]
pub async fn folder_fault(
    host: AppState<'_>,
    session_id: SessionId,
) -> Result<Option<FolderError>> {
    host.sessions.folder_fault(session_id).await
}

/// Saves the draft of the composer. The queued message `taken` into it leaves the queue.
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

/// Saves the changes of a message that is being edited; an empty edit is deleted.
#[tauri::command]
#[specta::specta]
pub async fn save_edit(
    host: AppState<'_>,
    message_id: skein_domain::ids::MessageId,
    edit: MessageEdit,
) -> Result<()> {
    host.sessions.save_edit(message_id, edit).await
}

/// Copies the path to a message into a session of its own.
#[tauri::command]
#[specta::specta]
pub async fn fork(host: AppState<'_>, message_id: MessageId) -> Result<SessionId> {
    host.sessions.fork(message_id).await
}
