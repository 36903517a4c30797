//! The messages that an export for reading shows.

use std::collections::HashMap;

use skein_domain::conversation::Conversation;
use skein_domain::ids::MessageId;
use skein_domain::message::Message;

/// The path of the current thread. Each summary follows the message after which it was made. Cards
/// are left out: they belong to the UI.
pub(crate) fn visible_messages(conversation: &Conversation) -> Vec<&Message> {
    let Some(stretch) = conversation.threads.get(conversation.current()) else {
        return Vec::new();
    };
    let by_id: HashMap<_, _> = stretch.messages.iter().map(|it| (it.id, it)).collect();
    let mut path = Vec::new();
    let mut next = stretch.thread.leaf;
    while let Some(message) =
        next.and_then(|id| by_id.get(&id)).filter(|_| path.len() < by_id.len())
    {
        path.push(*message);
        next = message.parent_id;
    }
    path.reverse();
    let summaries = |at: MessageId| {
        stretch.messages.iter().filter(move |it| it.is_summary() && it.parent_id == Some(at))
    };
    path.into_iter()
        .flat_map(|message| std::iter::once(message).chain(summaries(message.id)))
        .collect()
}
