//! The messages that an export for reading shows.

use skein_domain::conversation::Conversation;
use skein_domain::ids::MessageId;
use skein_domain::message::Message;

use crate::message_path::message_path;

/// The path of the current thread. Each summary follows the message after which it was made. Cards
/// are left out: they belong to the UI.
pub(crate) fn visible_messages(conversation: &Conversation) -> Vec<&Message> {
    let Some(stretch) = conversation.threads.get(conversation.current()) else {
        return Vec::new();
    };
    let path = message_path(&stretch.messages, stretch.thread.leaf);
    let summaries = |at: MessageId| {
        stretch.messages.iter().filter(move |it| it.is_summary() && it.parent_id == Some(at))
    };
    path.into_iter()
        .flat_map(|message| std::iter::once(message).chain(summaries(message.id)))
        .collect()
}
