//! Forks a conversation: copies the path to one of its messages into a new session, with everything that the
//! model was sent.
//!
//! Not copied: other branches, earlier threads, and the draft.

use std::collections::{HashMap, HashSet};

use skein_domain::conversation::ThreadRecord;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId};
use skein_domain::message::Message;
use skein_domain::session::{Session, Thread, ThreadStart};
use skein_store::Store;

use super::snapshot;

/// Copies the path to `end` into a new session, whose title gets the next number. Returns it.
///
/// # Errors
/// [`skein_domain::error::Error::NotFound`] if the message does not exist.
pub async fn fork(store: &Store, end: MessageId, now: i64) -> Result<SessionId> {
    let thread = store.thread(store.message(end).await?.thread_id).await?;
    let from = thread.id;
    let messages = store.all_messages(from).await?;
    let points = store.points(from).await?;
    let generations = store.generations(from).await?;
    let stretch = line(ThreadRecord { thread, messages, points, generations }, end);
    let mut conversation = snapshot::snapshot_part(store, stretch).await?;
    let titles = store.sessions().await?.into_iter().filter_map(|session| session.title).collect();
    let title = conversation.session.title.map(|title| numbered(&title, &titles));
    conversation.session =
        Session { title, pinned: false, created_at: now, updated_at: now, ..conversation.session };
    let session = store.add_conversation(conversation, now).await?;
    store.inherit_facts_rules(session, from).await?;
    store.publish_import(vec![session]).await?;
    Ok(session)
}

/// "Looms (2)" for "Looms", with the first number that no title has. "Taxes (2025)" keeps its number.
fn numbered(title: &str, taken: &HashSet<String>) -> String {
    let of_fork = |(bare, behind): &(&str, &str)| {
        let number = behind.strip_suffix(')').and_then(|number| number.parse::<u32>().ok());
        number.is_some_and(|number| number >= 2) && taken.contains(*bare)
    };
    let bare = title.rsplit_once(" (").filter(of_fork).map_or(title, |(bare, _)| bare);
    let mut titles = (2_u32..).map(|number| format!("{bare} ({number})"));
    titles.find(|title| !taken.contains(title)).unwrap_or_else(|| title.to_owned())
}

/// The path of a thread to a message, with the compactions that apply to it.
fn line(whole: ThreadRecord, end: MessageId) -> ThreadRecord {
    let ThreadRecord { thread, messages, mut points, mut generations } = whole;
    let path = path_to(&messages, end);
    points.retain(|point| path.contains(&point.boundary_message_id));
    generations.retain(|generation| generation.message_id.is_some_and(|id| path.contains(&id)));
    let boundaries: HashMap<MessageId, MessageId> =
        points.iter().map(|it| (it.summary_message_id, it.boundary_message_id)).collect();
    // The parent of a summary is the end of the path at that time, which may be behind the end here.
    let placed = |mut message: Message| match boundaries.get(&message.id) {
        _ if path.contains(&message.id) => Some(message),
        Some(boundary) => {
            message.parent_id =
                message.parent_id.filter(|it| path.contains(it)).or(Some(*boundary));
            Some(message)
        }
        None => None,
    };
    ThreadRecord {
        thread: Thread {
            leaf: Some(end),
            beginning: ThreadStart::First {},
            ended_at: None,
            ..thread
        },
        messages: messages.into_iter().filter_map(placed).collect(),
        points,
        generations,
    }
}

fn path_to(messages: &[Message], end: MessageId) -> HashSet<MessageId> {
    let parents: HashMap<MessageId, Option<MessageId>> =
        messages.iter().map(|message| (message.id, message.parent_id)).collect();
    let mut path = HashSet::new();
    let mut next = Some(end);
    // Each message is visited once, even if a damaged file has a circle.
    while let Some(id) = next.filter(|id| path.insert(*id)) {
        next = parents.get(&id).copied().flatten();
    }
    path
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn a_fork_is_called_by_the_next_number() {
        let taken = ["Looms", "Looms (2)", "Wool"].map(str::to_owned).into();
        let called = |title| numbered(title, &taken);
        assert_eq!(called("Looms"), "Looms (3)");
        assert_eq!(called("Looms (2)"), "Looms (3)");
        assert_eq!(called("Wool"), "Wool (2)");
        assert_eq!(called("Wool (raw)"), "Wool (raw) (2)");
        assert_eq!(called("Taxes (2025)"), "Taxes (2025) (2)");
    }
}
