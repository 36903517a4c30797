//! Exports conversations to files and imports them.
//!
//! An export contains the conversation and never a key. An import is foreign data: every
//! conversation in it is reported with its outcome.
mod code_fence;
mod export;
mod import;
mod message_path;
mod skein_format;

use serde::{Deserialize, Serialize};
use skein_domain::conversation::Conversation;
use skein_domain::error::{FileError, Result};
use skein_domain::ids::SessionId;
use specta::Type;

pub use export::export_labels::ExportLabels;
pub use import::detect::{CONVERSATIONS, read};
pub use import::import_entry::{ImportEntry, ImportedConversation};
pub use skein_format::VERSION;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ExportFormat {
    /// The current thread, for reading.
    Markdown,
    /// The current thread as one self-contained page, for reading.
    Html,
    /// The whole session, for importing again.
    Json,
}

/// The report on one conversation of an imported file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// The title of the conversation in the file.
    pub title: Option<String>,
    pub outcome: ImportOutcome,
}

/// The outcome of importing one conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ImportOutcome {
    /// Imported as a session.
    Imported {
        /// The new session.
        session_id: SessionId,
        /// The number of messages, on all branches and in the queue.
        messages: u32,
        /// Attachments that the file names but does not contain.
        missing: u32,
        /// Branches left out because the message they begin at is not in the file.
        unplaced: u32,
    },
    /// The conversation has no messages.
    Empty {},
    /// The conversation cannot be read.
    Unreadable {
        /// The reason.
        fault: FileError,
    },
}

/// The text of an export file. `name` is the title of the conversation in it.
///
/// # Errors
/// [`skein_domain::error::Error::Storage`] if it cannot be written as JSON.
pub fn render(
    conversation: Conversation,
    format: ExportFormat,
    name: &str,
    labels: &ExportLabels,
    now: i64,
) -> Result<String> {
    match format {
        ExportFormat::Markdown => Ok(export::markdown::render(&conversation, name, labels)),
        ExportFormat::Html => Ok(export::html::render(&conversation, name, labels)),
        ExportFormat::Json => crate::export::skein_json::render(conversation, now),
    }
}

/// A conversation in Skein's own JSON. [`read`] imports it.
///
/// # Errors
/// As of [`render`].
pub fn render_json(conversation: Conversation, now: i64) -> Result<String> {
    crate::export::skein_json::render(conversation, now)
}

/// A Markdown text as HTML for other programs, without raw HTML and external references.
pub fn markdown_to_html(markdown: &str) -> String {
    export::html::formatted(markdown)
}
