//! Writing Skein's own format.

use skein_domain::conversation::Conversation;
use skein_domain::error::{Error, FileError, Result};

use crate::skein_format::{ConversationFile, FORMAT, MAX_OWN_ENTRY, VERSION, without_folder};

/// Writes a conversation.
///
/// # Errors
/// `BadFile` if the file would exceed the limit of the import.
pub(crate) fn render(conversation: Conversation, now: i64) -> Result<String> {
    let conversation = without_folder(conversation);
    let name = conversation.session.title.clone().unwrap_or_default();
    let file = ConversationFile {
        format: FORMAT.into(),
        version: VERSION,
        exported_at: now,
        conversation,
    };
    let text = serde_json::to_string_pretty(&file)
        .map_err(|error| Error::Storage { detail: error.to_string() })?;
    let limit = MAX_OWN_ENTRY;
    let fits = text.len() as u64 <= u64::from(limit);
    if fits { Ok(text) } else { Err(Error::BadFile { name, fault: FileError::TooLarge { limit } }) }
}
