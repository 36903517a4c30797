//! Changes to existing messages.

use skein_app::view::{ExcerptLength, TranscriptPosition, TranscriptView};
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::Inclusion;
use skein_platform::blocking::run_blocking;
use skein_store::{DeletedMessage, DeletionId, MessageLine, SearchHit};

use crate::commands::{AppState, Result, commands};

commands! {
    /// Deletes a message from its path; `restore_message` undoes it.
    fn delete_message(message_id: MessageId) -> DeletionId => messages.delete;

    /// Undoes a deletion.
    fn restore_message(deletion_id: DeletionId) -> () => messages.restore;

    /// Deleted messages that can be restored, latest first.
    fn deleted_messages() -> Vec<DeletedMessage> => messages.deleted;

    /// Pins a message into the context, excludes it, or neither.
    fn include_message(message_id: MessageId, inclusion: Inclusion) -> () => messages.include;

    /// Switches the path to this alternative.
    fn switch_branch(message_id: MessageId) -> () => messages.switch_branch;

    /// Shows a message that was found: switches to its branch if necessary.
    fn reveal_message(message_id: MessageId) -> () => messages.reveal;

    /// Makes this message the end of the path, so that the next one begins a branch. Returns the
    /// previous end, to which the path can return.
    fn continue_from(message_id: MessageId) -> Option<MessageId> => messages.set_leaf;
}

/// Renders a Markdown text as HTML for other programs. HTML in the text is never passed on.
#[tauri::command]
#[specta::specta]
pub async fn formatted(markdown: String) -> Result<String> {
    run_blocking("formatting a text", move || skein_transfer::markdown_to_html(&markdown)).await
}

commands! {
    /// A page of the visible path.
    fn transcript(thread_id: ThreadId, place: TranscriptPosition, limit: u32) -> TranscriptView
        => messages.transcript;

    /// Searches everything, or one thread. `number` names the search for `cancel_search`.
    fn search(query: String, thread_id: Option<ThreadId>, number: u32) -> Vec<SearchHit>
        => messages.search;
}

/// Cancels a running search.
#[tauri::command]
#[specta::specta]
pub fn cancel_search(host: AppState<'_>, number: u32) {
    host.messages.cancel_search(number);
}

commands! {
    /// Excerpts of messages, for the visible part of a list.
    fn message_lines(ids: Vec<MessageId>, extent: ExcerptLength) -> Vec<MessageLine>
        => messages.lines;
}
