//! What can be done with a message that is there.

use skein_app::view::{
    DeletedMessage, ExcerptLength, MessageLine, TranscriptPosition, TranscriptView,
};
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::Inclusion;
use skein_store::{DeletionId, SearchHit};

use crate::commands::{AppState, Result};

/// Out of the path; `restore_message` brings it back.
#[tauri::command]
#[specta::specta]
pub async fn delete_message(host: AppState<'_>, message_id: MessageId) -> Result<DeletionId> {
    host.messages.delete(message_id).await
}

/// Undoes a deletion.
#[tauri::command]
#[specta::specta]
pub async fn restore_message(host: AppState<'_>, deletion_id: DeletionId) -> Result<()> {
    host.messages.restore(deletion_id).await
}

/// The messages that were deleted and can be had back, the latest first.
#[tauri::command]
#[specta::specta]
pub async fn deleted_messages(host: AppState<'_>) -> Result<Vec<DeletedMessage>> {
    host.messages.deleted().await
}

/// Pinned into the context, left out of it, or neither.
#[tauri::command]
#[specta::specta]
pub async fn include_message(
    host: AppState<'_>,
    message_id: MessageId,
    inclusion: Inclusion,
) -> Result<()> {
    host.messages.include(message_id, inclusion).await
}

/// Shows and sends the path through this alternative.
#[tauri::command]
#[specta::specta]
pub async fn switch_branch(host: AppState<'_>, message_id: MessageId) -> Result<()> {
    host.messages.switch_branch(message_id).await
}

/// Makes a message be seen that was looked for: shows its branch where the path leads elsewhere.
#[tauri::command]
#[specta::specta]
pub async fn reveal_message(host: AppState<'_>, message_id: MessageId) -> Result<()> {
    host.messages.reveal(message_id).await
}

/// Makes this message the end of the path: the next one begins a branch. Returns where it ended until
/// now, from where it can be continued again.
#[tauri::command]
#[specta::specta]
pub async fn continue_from(host: AppState<'_>, message_id: MessageId) -> Result<Option<MessageId>> {
    host.messages.set_leaf(message_id).await
}

/// A text in Markdown as HTML that other programs take, made here from what it means: never what stands in
/// it as HTML.
#[tauri::command]
#[specta::specta]
pub async fn formatted(markdown: String) -> Result<String> {
    Ok(skein_transfer::markdown_to_html(&markdown))
}

/// A page of the path that is seen.
#[tauri::command]
#[specta::specta]
pub async fn transcript(
    host: AppState<'_>,
    thread_id: ThreadId,
    place: TranscriptPosition,
    limit: u32,
) -> Result<TranscriptView> {
    host.messages.transcript(thread_id, place, limit).await
}

/// Over everything, or within a thread. `number` tells it from others under way.
#[tauri::command]
#[specta::specta]
pub async fn search(
    host: AppState<'_>,
    query: String,
    thread_id: Option<ThreadId>,
    number: u32,
) -> Result<Vec<SearchHit>> {
    host.messages.search(query, thread_id, number).await
}

/// Ends a search that is under way.
#[tauri::command]
#[specta::specta]
pub fn cancel_search(host: AppState<'_>, number: u32) {
    host.messages.cancel_search(number);
}

/// What messages of a list say, for those that are looked at.
#[tauri::command]
#[specta::specta]
pub async fn message_lines(
    host: AppState<'_>,
    ids: Vec<MessageId>,
    extent: ExcerptLength,
) -> Result<Vec<MessageLine>> {
    host.messages.lines(ids, extent).await
}
