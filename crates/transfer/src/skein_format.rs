//! Skein's own export format: the complete conversation, with a version.

use serde::{Deserialize, Serialize};
use skein_domain::conversation::Conversation;

/// The value that identifies the format.
pub(crate) const FORMAT: &str = "skein-conversation";

/// The version of the format. It is raised when an older reader would lose something or could not
/// read a file: 2 added the threads and branches of a session; 3, replies that the provider cut
/// off, and drafts and queued messages; 4, messages excluded from the context; 5, the reasoning
/// effort of a session; 6, the messages that a summary did not read; 7, the calls of side
/// questions; 8, summaries of a range; 9, the writer of a summary; 10, the folder of a
/// tool's result. A file of this version is committed beside the test that compares the two.
pub const VERSION: u32 = 10;

/// The memory limit of an entry in Skein's own format, for long files: it includes the attachments.
pub(crate) const MAX_OWN_ENTRY: u32 = u32::MAX;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConversationFile {
    pub(crate) format: String,
    pub(crate) version: u32,
    pub(crate) exported_at: i64,
    pub(crate) conversation: Conversation,
}

/// Removes the workspace folder: a path of one machine means nothing on another, and no file may
/// choose the folder that tools can touch.
pub(crate) fn without_folder(mut conversation: Conversation) -> Conversation {
    conversation.session.overrides.folder = None;
    conversation
}
