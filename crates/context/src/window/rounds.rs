//! Rounds, and which of them keep their tool parts (FR-2).
//!
//! Removing tool parts is a choice made while the window is assembled; nothing stored or shown changes. Not
//! here: the choice itself (`assemble`).

use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Role};

use super::tool_cleaning::CleanedPath;

/// The rounds of a path: where each begins, and whether the last one is in progress.
///
/// A round begins with a message of the user and includes the replies to it. A notice of the program begins a
/// round only after a reply; the user's next message then belongs to the same round. A notice within a tool
/// loop begins none. Messages before the first such message form a round, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rounds {
    /// Index of the first message of each round, ascending.
    starts: Vec<usize>,
    /// The number of messages on the path.
    len: usize,
    /// True if the last round waits for a reply or is within its tool loop.
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
                // Within a tool loop the notice belongs to the reply.
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

    /// The number of rounds that have their reply.
    pub fn complete_count(&self) -> usize {
        self.starts.len() - usize::from(self.open && !self.starts.is_empty())
    }

    /// Index of the first message of the current round; the length of the path if there is none.
    pub fn open_start(&self) -> usize {
        if self.open { self.starts.last().copied().unwrap_or(self.len) } else { self.len }
    }

    /// Index of the first message of the last `n` complete rounds, which the current round may follow. 0 if
    /// there are no more than `n`.
    pub fn start_of_last(&self, n: u32) -> usize {
        let complete = self.complete_count();
        let skipped = complete.saturating_sub(usize::try_from(n).unwrap_or(usize::MAX));
        self.starts.get(skipped).copied().unwrap_or(self.len)
    }

    /// The path as it was cleaned to [`Self::start_of_last`] after each of the complete rounds so far, oldest
    /// first.
    pub(super) fn cleanings(&self, n: u32) -> impl Iterator<Item = CleanedPath> {
        let kept = usize::try_from(n).unwrap_or(usize::MAX);
        let start = |at: usize| self.starts.get(at).copied().unwrap_or(self.len);
        let older = self.complete_count().saturating_sub(kept);
        let cleaning = move |at| CleanedPath { kept_from: start(at), cleaned_to: start(at + kept) };
        (1..=older).map(cleaning)
    }

    /// Index of the first message of each round, ascending.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }
}

/// True if a path that ends with this message waits for another generation: a message of the user, a
/// streaming reply, an empty reply that failed, or a reply with tool calls.
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
