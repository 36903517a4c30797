//! The inputs of a window, with counted texts.

use std::sync::Arc;

use skein_domain::compaction_point::CompactionPoint;
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::ids::MessageId;
use skein_domain::message::ContentPart;
use skein_domain::reminder::Reminder;

use super::part_selection::ReasoningReplay;
use super::prefix::Prefix;
use crate::limits::policy::{Policy, ToolCleaning};
use crate::prompts;
use crate::tokens::message_tokens::{CountedMessageRef, CountedText, MessageTokens, Tokenizer};

/// A compaction point with the summary and the facts that represent it in the context.
#[derive(Debug, Clone, Copy)]
pub struct PointSummary<'a> {
    /// The compaction point.
    pub point: &'a CompactionPoint,
    /// The message with the summary.
    pub summary: CountedMessageRef<'a>,
    /// The facts of the covered originals; `None` if there are none.
    pub facts: Option<&'a CountedText>,
    /// W09: the items that the provider keeps in place of the summary, and of its facts where they have the
    /// user's messages; `None`: the model of the request does not read them, the summary was edited, or there
    /// are none. They apply only to a point that covers the path from its first message on: a provider may
    /// ignore all that stands before them.
    pub encrypted: Option<&'a Arc<EncryptedSummary>>,
    /// True if the summary is out of date: a message it covers was deleted, left out or included again, or a
    /// pinned message that it does not cover was unpinned ([`crate::compaction::stale_points`]). The next
    /// compaction then starts from the originals instead of updating this summary.
    pub stale: bool,
}

/// A reminder with its tokens.
#[derive(Debug, Clone, Copy)]
pub struct CountedReminder<'a> {
    /// The stored reminder.
    pub reminder: &'a Reminder,
    /// The tokens of the line that the reminder takes in the prompt.
    pub tokens: u32,
}

impl<'a> CountedReminder<'a> {
    /// Counts a reminder as it is sent.
    pub fn new(counter: &impl Tokenizer, reminder: &'a Reminder) -> Self {
        Self { reminder, tokens: counter.text(&prompts::reminder_line(reminder)) }
    }
}

/// The unsent draft.
#[derive(Debug, Clone, Copy)]
pub struct CountedDraft<'a> {
    /// The parts in order, never empty.
    pub parts: &'a [ContentPart],
    /// The tokens of the draft.
    pub tokens: &'a MessageTokens,
}

/// The model's access to covered messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum HistoryAccess {
    /// The model can read no covered message.
    #[default]
    Never,
    /// The model will have access once a message is covered.
    Later {
        /// At most this many tokens are then added to a request: the search tool and the hint beside the
        /// summary, or the passages.
        tokens: u32,
    },
    /// The model has the search tool. The hint beside the summary says so.
    Available(CountedText),
}

impl HistoryAccess {
    /// The hint beside a summary.
    pub(super) fn hint(&self) -> Option<&CountedText> {
        match self {
            Self::Available(hint) => Some(hint),
            Self::Never | Self::Later { .. } => None,
        }
    }

    /// Tokens of a request for this access, once a message is covered.
    pub(crate) fn tokens(&self) -> u32 {
        match self {
            Self::Never => 0,
            Self::Later { tokens } => *tokens,
            Self::Available(hint) => hint.tokens,
        }
    }
}

/// The inputs of a window.
#[derive(Debug, Clone, Copy)]
pub struct WindowInput<'a> {
    /// The prefix of every call.
    pub prefix: &'a Prefix,
    /// The messages from root to leaf. Summaries and cards are not among them.
    pub path: &'a [CountedMessageRef<'a>],
    /// The thread's compaction points, in any order; those whose boundary is not on the path do not
    /// apply (law 12).
    pub points: &'a [PointSummary<'a>],
    /// The model's access to covered messages.
    pub history_access: &'a HistoryAccess,
    /// Covered passages that match the new message, for models without tools; `None` if off.
    pub passages: Option<&'a CountedText>,
    /// The reminders in their order.
    pub reminders: &'a [CountedReminder<'a>],
    /// The draft; present only for the estimate while the user writes.
    pub draft: Option<CountedDraft<'a>>,
    /// The user's settings, such as how many rounds keep their tool parts.
    pub policy: &'a Policy,
    /// The moment at which the tool parts of older rounds leave.
    pub tool_cleaning: ToolCleaning,
    /// The part of the conversation whose reasoning goes back to the provider.
    pub reasoning_replay: ReasoningReplay,
}

/// The index of a message on the path.
pub(crate) fn path_index(path: &[CountedMessageRef<'_>], id: MessageId) -> Option<usize> {
    path.iter().rposition(|counted| counted.message.id == id)
}
