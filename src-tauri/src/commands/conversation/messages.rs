//! Changes to existing messages.

use skein_app::known_texts::KnownText;
use skein_app::view::{ExcerptLength, TranscriptPosition, TranscriptView};
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::Inclusion;
use skein_store::{DeletedMessage, DeletionId, MessageLine, SearchHit};

use crate::commands::{AppState, Result};

/// Deletes a message from its path; `restore_message` undoes it.
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

/// Deleted messages that can be restored, latest first.
#[tauri::command]
#[specta::specta]
pub async fn deleted_messages(host: AppState<'_>) -> Result<Vec<DeletedMessage>> {
    host.messages.deleted().await
}

/// Pins a message into the context, excludes it, or neither.
#[tauri::command]
#[specta::specta]
pub async fn include_message(
    host: AppState<'_>,
    message_id: MessageId,
    inclusion: Inclusion,
) -> Result<()> {
    host.messages.include(message_id, inclusion).await
}

/// Switches the path to this alternative.
#[tauri::command]
#[specta::specta]
pub async fn switch_branch(host: AppState<'_>, message_id: MessageId) -> Result<()> {
    host.messages.switch_branch(message_id).await
}

/// Shows a message that was found: switches to its branch if necessary.
#[tauri::command]
#[specta::specta]
pub async fn reveal_message(host: AppState<'_>, message_id: MessageId) -> Result<()> {
    host.messages.reveal(message_id).await
}

/// Makes this message the end of the path, so that the next one begins a branch. Returns the
/// previous end, to which the path can return.
#[tauri::command]
#[specta::specta]
pub async fn continue_from(host: AppState<'_>, message_id: MessageId) -> Result<Option<MessageId>> {
    host.messages.set_leaf(message_id).await
}

/// Renders a Markdown text as HTML for other programs. HTML in the text is never passed on.
#[tauri::command]
#[specta::specta]
pub async fn formatted(markdown: String) -> Result<String> {
    Ok(skein_transfer::markdown_to_html(&markdown))
}

/// A page of the visible path, without the texts that `known` names.
#[tauri::command]
#[specta::specta]
pub async fn transcript(
    host: AppState<'_>,
    thread_id: ThreadId,
    place: TranscriptPosition,
    limit: u32,
    known: Vec<KnownText>,
) -> Result<TranscriptView> {
    Ok(host.messages.transcript(thread_id, place, limit).await?.without(&known))
}

/// Searches everything, or one thread. `number` names the search for `cancel_search`.
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

/// Cancels a running search.
#[tauri::command]
#[specta::specta]
pub fn cancel_search(host: AppState<'_>, number: u32) {
    host.messages.cancel_search(number);
}

/// Excerpts of messages, for the visible part of a list.
#[tauri::command]
#[specta::specta]
pub async fn message_lines(
    host: AppState<'_>,
    ids: Vec<MessageId>,
    extent: ExcerptLength,
) -> Result<Vec<MessageLine>> {
    host.messages.lines(ids, extent).await
}
