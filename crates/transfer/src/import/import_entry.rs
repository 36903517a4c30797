//! A conversation as it was found in a file.

use skein_domain::conversation::Conversation;
use skein_domain::error::{FileError, Result};

/// A conversation found in a file.
#[derive(Debug)]
pub struct ImportEntry {
    /// As it is called there.
    pub title: Option<String>,
    /// The conversation, or why it cannot be read.
    pub conversation: Result<ImportedConversation, FileError>,
}

impl ImportEntry {
    /// One that is not built as its program builds them.
    pub(crate) fn malformed(title: Option<String>, detail: &str) -> Self {
        Self { title, conversation: Err(FileError::Misbuilt { detail: detail.to_owned() }) }
    }
}

/// A conversation that was read.
#[derive(Debug)]
pub struct ImportedConversation {
    /// Ready for the store.
    pub conversation: Conversation,
    /// Attachments that the file names without holding them.
    pub missing: u32,
    /// Branches whose place the file does not hold.
    pub unplaced: u32,
}
