//! A conversation found in an imported file.

use skein_domain::conversation::Conversation;
use skein_domain::error::{FileError, Result};

/// A conversation found in an imported file.
#[derive(Debug)]
pub struct ImportEntry {
    /// The title of the conversation in the file.
    pub title: Option<String>,
    /// The conversation, or the reason why it cannot be read.
    pub conversation: Result<ImportedConversation, FileError>,
}

impl ImportEntry {
    /// An entry that does not have the structure of its program.
    pub(crate) fn malformed(title: Option<String>, detail: &str) -> Self {
        Self { title, conversation: Err(FileError::Misbuilt { detail: detail.to_owned() }) }
    }
}

/// A conversation that was parsed.
#[derive(Debug)]
pub struct ImportedConversation {
    /// Ready for the store.
    pub conversation: Conversation,
    /// Attachments that the file names but does not contain.
    pub missing: u32,
    /// Branches whose parent message the file does not contain.
    pub unplaced: u32,
}
