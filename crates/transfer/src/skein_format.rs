//! Skein's own export format: everything of a conversation, versioned.

use serde::{Deserialize, Serialize};
use skein_domain::conversation::Conversation;

/// Says whose file it is.
pub(crate) const FORMAT: &str = "skein-conversation";

/// The version of the format. It grows when an older reader would lose something or could not read a
/// file: 2 added the threads and branches of a session; 3, replies that the provider ended, and what
/// waits for the composer; 4, messages left out of the context; 5, how hard a session's model is asked to
/// think; 6, what a summary was not made from. What a file of this version holds is committed beside the
/// test that compares the two.
pub const VERSION: u32 = 6;

/// The most that one of Skein's own may, where its file is long enough: its attachments are in it.
pub(crate) const OWN_AT_MOST: u32 = u32::MAX;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConversationFile {
    pub(crate) format: String,
    pub(crate) version: u32,
    pub(crate) exported_at: i64,
    pub(crate) conversation: Conversation,
}

/// A folder of one machine means nothing on another, and no file may choose what tools can touch.
pub(crate) fn without_folder(mut conversation: Conversation) -> Conversation {
    conversation.session.overrides.folder = None;
    conversation
}
