//! The order in which the messages of a file are inserted.

use std::collections::{BTreeMap, HashMap};

use skein_domain::ids::MessageId;
use skein_domain::message::Message;

/// Sorts parents before children and otherwise keeps the order, in one pass: the file may have any
/// order. `is_there` is true for messages already in the store. A missing parent counts as none.
pub(crate) fn parents_first(
    messages: Vec<Message>,
    is_there: impl Fn(MessageId) -> bool,
) -> Vec<Message> {
    let mut ordered = Vec::with_capacity(messages.len());
    // Sorted by the number of passes a naive algorithm would need, and by their index in the file.
    let mut ready = BTreeMap::new();
    let mut waiting: HashMap<MessageId, Vec<(usize, Message)>> = HashMap::new();
    for (place, message) in messages.into_iter().enumerate() {
        match message.parent_id.filter(|parent| !is_there(*parent)) {
            None => drop(ready.insert((0, place), message)),
            Some(parent) => waiting.entry(parent).or_default().push((place, message)),
        }
    }
    while let Some(((reading, place), message)) = ready.pop_first() {
        for (at, child) in waiting.remove(&message.id).unwrap_or_default() {
            let reading = if at > place { reading } else { reading + 1 };
            ready.insert((reading, at), child);
        }
        ordered.push(message);
    }
    let mut orphans: Vec<_> = waiting.into_values().flatten().collect();
    orphans.sort_unstable_by_key(|(place, _)| *place);
    ordered.extend(orphans.into_iter().map(|(_, it)| Message { parent_id: None, ..it }));
    ordered
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use skein_domain::ids::ThreadId;
    use skein_domain::message::{Inclusion, MessageKind, MessageState, Origin, Role};

    use super::*;

    fn message(id: i64, parent: Option<i64>) -> Message {
        Message {
            id: MessageId(id),
            thread_id: ThreadId(1),
            parent_id: parent.map(MessageId),
            kind: MessageKind::Chat {},
            role: Role::User,
            origin: Origin::Person,
            parts: Vec::new().into(),
            inclusion: Inclusion::Usual,
            state: MessageState::Complete {},
            model: None,
            created_at: 0,
        }
    }

    /// The ids in the order of insertion, negative for those without a parent.
    fn ordered(messages: &[(i64, Option<i64>)]) -> Vec<i64> {
        let messages = messages.iter().map(|(id, parent)| message(*id, *parent)).collect();
        let ordered = parents_first(messages, |id| id == MessageId(0));
        let name = |it: &Message| if it.parent_id.is_none() { -it.id.0 } else { it.id.0 };
        ordered.iter().map(name).collect()
    }

    #[test]
    fn what_comes_in_order_stays_as_it_comes() {
        let file = [(1, None), (3, Some(1)), (2, Some(1)), (5, Some(2)), (4, Some(3)), (6, None)];
        assert_eq!(ordered(&file), [-1, 3, 2, 5, 4, -6]);
        assert_eq!(ordered(&[(2, Some(0)), (1, None)]), [2, -1], "it is in the store");
    }

    #[test]
    fn what_comes_before_its_parent_is_taken_in_after_it_and_what_has_none_in_the_file_last() {
        let file =
            [(4, Some(3)), (7, Some(9)), (3, Some(1)), (8, Some(8)), (1, None), (2, Some(1))];
        assert_eq!(ordered(&file), [-1, 2, 3, 4, -7, -8]);
    }

    /// A quadratic algorithm would take too long here.
    #[test]
    fn a_long_file_that_was_turned_round_is_gone_through_once() {
        let count = 300_000;
        let file: Vec<_> = (1..=count).rev().map(|id| (id, (id > 1).then_some(id - 1))).collect();
        let expected: Vec<_> = std::iter::once(-1).chain(2..=count).collect();
        assert!(ordered(&file) == expected);
    }
}
