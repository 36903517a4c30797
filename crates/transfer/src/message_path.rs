//! The path of a thread.

use std::collections::HashMap;
use std::iter::successors;

use skein_domain::ids::MessageId;
use skein_domain::message::Message;

/// The messages up to and including `last`, root first. A cycle of a damaged file ends it.
pub(crate) fn message_path(messages: &[Message], last: Option<MessageId>) -> Vec<&Message> {
    let by_id: HashMap<_, _> = messages.iter().map(|message| (message.id, message)).collect();
    let get = |id: MessageId| by_id.get(&id).copied();
    let up = successors(last.and_then(get), |message| message.parent_id.and_then(get));
    let mut path: Vec<_> = up.take(by_id.len()).collect();
    path.reverse();
    path
}
