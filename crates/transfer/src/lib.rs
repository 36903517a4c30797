//! Conversations leaving and arriving as files.
//!
//! What leaves holds what was said and never a key. What arrives is read as foreign data and
//! reported conversation by conversation: nothing imported is never called a success.
mod export;
mod import;
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

/// What a conversation is exported as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ExportFormat {
    /// The current thread, for reading.
    Markdown,
    /// The current thread as one page that needs nothing else, for reading.
    Html,
    /// Everything, for importing again.
    Json,
}

/// What became of one conversation of an imported file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// As it is called in the file.
    pub title: Option<String>,
    /// What became of it.
    pub outcome: ImportOutcome,
}

/// What became of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ImportOutcome {
    /// It is a session now.
    Imported {
        /// Which.
        session_id: SessionId,
        /// How many messages came, on all branches and of those that wait to be sent.
        messages: u32,
        /// Attachments that the file names without holding them.
        missing: u32,
        /// Branches left out: the message they begin at is not in the file.
        unplaced: u32,
    },
    /// Nobody said or wrote anything in it.
    Empty {},
    /// It cannot be read.
    Unreadable {
        /// Why.
        fault: FileError,
    },
}

/// A conversation as the text of a file. `name` is what it is called there.
///
/// # Errors
/// [`skein_domain::error::Error::Storage`] where it cannot be written as JSON.
pub fn render(
    conversation: Conversation,
    format: ExportFormat,
    name: &str,
    words: &ExportLabels,
    now: i64,
) -> Result<String> {
    match format {
        ExportFormat::Markdown => Ok(export::markdown::render(&conversation, name, words)),
        ExportFormat::Html => Ok(export::html::render(&conversation, name, words)),
        ExportFormat::Json => crate::export::skein_json::render(conversation, now),
    }
}

/// A conversation in Skein's own JSON: [`read`] reads it back.
///
/// # Errors
/// As of [`render`].
pub fn render_json(conversation: Conversation, now: i64) -> Result<String> {
    crate::export::skein_json::render(conversation, now)
}

/// A text in Markdown as HTML for other programs: of HTML in it only the letters, and nothing that reaches
/// out.
pub fn markdown_to_html(markdown: &str) -> String {
    export::html::formatted(markdown)
}
