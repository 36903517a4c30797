//! Everything that a window is assembled from, each text counted already.

use skein_domain::compaction_point::CompactionPoint;
use skein_domain::ids::MessageId;
use skein_domain::message::ContentPart;
use skein_domain::reminder::Reminder;

use super::part_selection::ReasoningReplay;
use super::prefix::Prefix;
use crate::limits::policy::Policy;
use crate::prompts;
use crate::tokens::message_tokens::{CountedMessageRef, CountedText, MessageTokens, Tokenizer};

/// A compaction point with what stands in the context for what it covers.
#[derive(Debug, Clone, Copy)]
pub struct PointSummary<'a> {
    /// The point.
    pub point: &'a CompactionPoint,
    /// Its summary message.
    pub summary: CountedMessageRef<'a>,
    /// Anchors found in the covered originals; `None` when there are none.
    pub anchors: Option<&'a CountedText>,
    /// Whether the summary is out of date: something it covers was deleted, left out or taken in since,
    /// or something it has not read was unpinned ([`crate::compaction::stale_points`]). The next
    /// compaction then starts from the originals instead of updating this summary.
    pub stale: bool,
}

/// A reminder beside its tokens.
#[derive(Debug, Clone, Copy)]
pub struct CountedReminder<'a> {
    /// As stored.
    pub reminder: &'a Reminder,
    /// Tokens of its line.
    pub tokens: u32,
}

impl<'a> CountedReminder<'a> {
    /// Counts a reminder as it is sent.
    pub fn new(counter: &impl Tokenizer, reminder: &'a Reminder) -> Self {
        Self { reminder, tokens: counter.text(&prompts::reminder_line(reminder)) }
    }
}

/// What the user has written and not sent.
#[derive(Debug, Clone, Copy)]
pub struct CountedDraft<'a> {
    /// In order, never empty.
    pub parts: &'a [ContentPart],
    /// Their tokens.
    pub tokens: &'a MessageTokens,
}

/// How the model gets at what is covered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum HistoryAccess {
    /// It does not.
    #[default]
    Never,
    /// It will, once something is covered.
    Later {
        /// What a request then takes more, at most: the tool that is declared for it and the line beside the
        /// summary, or the passages.
        tokens: u32,
    },
    /// It can look, which a line beside the summary tells it.
    Available(CountedText),
}

impl HistoryAccess {
    /// What the model is told beside a summary.
    pub(super) fn line(&self) -> Option<&CountedText> {
        match self {
            Self::Available(line) => Some(line),
            Self::Never | Self::Later { .. } => None,
        }
    }

    /// What a request takes for it, once something is covered.
    pub(crate) fn tokens(&self) -> u32 {
        match self {
            Self::Never => 0,
            Self::Later { tokens } => *tokens,
            Self::Available(line) => line.tokens,
        }
    }
}

/// Everything a window is made of.
#[derive(Debug, Clone, Copy)]
pub struct WindowInput<'a> {
    /// What is sent with every call.
    pub prefix: &'a Prefix,
    /// The messages from root to leaf. Summaries and cards are not among them.
    pub path: &'a [CountedMessageRef<'a>],
    /// The thread's compaction points, in any order; those whose boundary is not on the path do not
    /// apply (law 12).
    pub points: &'a [PointSummary<'a>],
    /// How the model gets at what is covered.
    pub history_access: &'a HistoryAccess,
    /// Covered passages that fit the new message, for models without tools; `None` when off.
    pub passages: Option<&'a CountedText>,
    /// In their order.
    pub reminders: &'a [CountedReminder<'a>],
    /// Present only for the estimate while the user writes.
    pub draft: Option<CountedDraft<'a>>,
    /// Which tool parts stay.
    pub policy: &'a Policy,
    /// When the model's provider gets its reasoning back.
    pub reasoning_replay: ReasoningReplay,
}

/// The index on the path of a message.
pub(crate) fn path_index(path: &[CountedMessageRef<'_>], id: MessageId) -> Option<usize> {
    path.iter().rposition(|counted| counted.message.id == id)
}
