//! Rounds, and which of them keep their tool parts (FR-2).
//!
//! Cleaning is a choice made while the context is built; nothing stored or shown changes.

use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Role};

/// The rounds of a path: where each begins, and whether the last is still in progress.
///
/// A round begins with something a user said and holds the answers to it. A notice of the program
/// begins a round only if it stands after an answer; then the user's next message belongs to the same
/// round. In the middle of an answer a notice begins none. Whatever stands before the first such message
/// is a round, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rounds {
    /// Index of the first message of each round, ascending.
    starts: Vec<usize>,
    /// How many messages the path has.
    len: usize,
    /// Whether the last round still waits for an answer, or is in the midst of its tool loop.
    open: bool,
}

impl Rounds {
    /// Finds the rounds of a path.
    pub fn of<'a>(path: impl IntoIterator<Item = &'a Message>) -> Self {
        let mut starts = Vec::new();
        let mut len = 0;
        let mut open = false;
        let mut answered = true;
        for (index, message) in path.into_iter().enumerate() {
            let begins = match (message.role, &message.kind) {
                (Role::Assistant, _) => false,
                // In the midst of a tool loop it belongs to the answer.
                (Role::User, MessageKind::Notice { .. }) => answered && !open,
                (Role::User, _) => answered,
            };
            if begins || starts.is_empty() {
                starts.push(index);
            }
            answered = match message.role {
                Role::Assistant => true,
                Role::User => answered && !begins,
            };
            open = is_open(message);
            len = index + 1;
        }
        Self { starts, len, open }
    }

    /// Rounds that have their answer.
    pub fn complete_count(&self) -> usize {
        self.starts.len() - usize::from(self.open && !self.starts.is_empty())
    }

    /// Index of the first message of the round in progress; the length of the path when there is
    /// none.
    pub fn open_start(&self) -> usize {
        if self.open { self.starts.last().copied().unwrap_or(self.len) } else { self.len }
    }

    /// Index of the first message of the last `n` complete rounds (and of the round in progress
    /// after them). 0 when there are no more than `n`.
    pub fn start_of_last(&self, n: u32) -> usize {
        let complete = self.complete_count();
        let skipped = complete.saturating_sub(usize::try_from(n).unwrap_or(usize::MAX));
        self.starts.get(skipped).copied().unwrap_or(self.len)
    }

    /// Index of the first message of each round, ascending.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }
}

/// Whether a path that ends with this message waits for another generation: a user's words, a
/// growing reply, one that failed before its first word, or one that called tools.
fn is_open(message: &Message) -> bool {
    let says_something = message.parts.iter().any(|part| match part {
        ContentPart::Text { text } => !text.trim().is_empty(),
        ContentPart::Image(_) | ContentPart::File { .. } => true,
        ContentPart::Reasoning { .. } | ContentPart::Tool { .. } => false,
    });
    let calls = message.parts.iter().any(|part| matches!(part, ContentPart::Tool { .. }));
    match (message.role, &message.state) {
        (Role::User, _) | (Role::Assistant, MessageState::Streaming {}) => true,
        (
            Role::Assistant,
            MessageState::Complete {}
            | MessageState::Ended { .. }
            | MessageState::Interrupted {}
            | MessageState::Failed { .. },
        ) => calls || !says_something,
    }
}
