//! One entry of a window after its prefix, and the role and parts that it sends.

use std::sync::Arc;

use skein_domain::message::{ContentPart, ImageRef, Role};
use skein_domain::reminder::Reminder;

use super::part_selection::SelectedMessage;
use super::window_input::{CountedDraft, PointSummary};
use crate::prompts;

/// One line of a window after its prefix.
#[derive(Debug, Clone, Copy)]
pub struct PromptEntry<'a> {
    /// What is sent.
    pub content: EntryContent<'a>,
    /// Its tokens, with the overhead of the message it begins.
    pub tokens: u32,
}

/// What a line sends.
#[derive(Debug, Clone, Copy)]
pub enum EntryContent<'a> {
    /// What stands on the user's side before the model's words, where those are first: the message
    /// before them was deleted or left out.
    Opening,
    /// The summary for what is covered.
    Summary {
        /// The point it belongs to.
        covered: PointSummary<'a>,
    },
    /// Anchors beside the summary.
    Anchors {
        /// Their text.
        text: &'a str,
    },
    /// How to look covered messages up.
    Recall {
        /// The line.
        text: &'a str,
    },
    /// A covered message that is pinned.
    Pinned {
        /// The message.
        sent: SelectedMessage<'a>,
    },
    /// A message of the tail.
    Message {
        /// The message.
        sent: SelectedMessage<'a>,
        /// Its index on the path.
        at: usize,
    },
    /// Passages from covered messages that are relevant to the new message.
    Passages {
        /// Their text.
        text: &'a str,
    },
    /// A reminder.
    Reminder {
        /// Which.
        reminder: &'a Reminder,
        /// Whether it is the first, which carries the frame of all of them.
        first: bool,
    },
    /// What the user has written and not sent.
    Draft {
        /// Its parts.
        draft: CountedDraft<'a>,
    },
    /// That a reply which was cut off is to be gone on with.
    ContinueReply {
        /// Index on the path of the reply that went on; `None`: the next one will.
        before: Option<usize>,
    },
}

impl<'a> EntryContent<'a> {
    /// The message of the path that it sends, of the tail or pinned.
    pub(crate) fn as_path_message(&self) -> Option<SelectedMessage<'a>> {
        if let Self::Pinned { sent } = self { Some(*sent) } else { self.as_tail_message() }
    }

    /// The message of the tail that it sends.
    pub(crate) fn as_tail_message(&self) -> Option<SelectedMessage<'a>> {
        if let Self::Message { sent, .. } = self { Some(*sent) } else { None }
    }

    /// The pictures that the user attached to it.
    pub(super) fn attached(&self) -> impl Iterator<Item = &'a ImageRef> {
        let parts = match (self, self.as_path_message()) {
            (Self::Draft { draft }, _) => draft.parts,
            (_, sent) => sent.map_or(&[][..], |sent| &sent.counted.message.parts),
        };
        parts.iter().filter_map(ContentPart::attached_image)
    }
}

impl EntryContent<'_> {
    /// Whether it is a notice of the program.
    pub(super) fn is_notice(&self) -> bool {
        self.as_path_message().is_some_and(|sent| sent.counted.message.is_notice())
    }

    /// Whether it goes into the same message as the line before it.
    pub(super) fn joins_previous(&self) -> bool {
        match self {
            Self::Anchors { .. } | Self::Recall { .. } | Self::Reminder { first: false, .. } => {
                true
            }
            Self::Opening
            | Self::Summary { .. }
            | Self::Pinned { .. }
            | Self::Message { .. }
            | Self::Passages { .. }
            | Self::Reminder { first: true, .. }
            | Self::Draft { .. }
            | Self::ContinueReply { .. } => false,
        }
    }

    /// The role and parts a line sends.
    pub(super) fn sent(&self) -> (Role, Arc<[ContentPart]>) {
        let words = |text: String| [ContentPart::Text { text }].into();
        match self {
            Self::Opening => (Role::User, words(prompts::OPENING.to_owned())),
            Self::Summary { covered } => {
                (Role::User, words(prompts::summary_block(&covered.summary.message.text())))
            }
            Self::Anchors { text } | Self::Recall { text } | Self::Passages { text } => {
                (Role::User, words((*text).to_owned()))
            }
            Self::Pinned { sent } | Self::Message { sent, .. } => {
                (sent.counted.message.role, sent.sent_parts())
            }
            Self::Reminder { reminder, first: true } => {
                let line = prompts::reminder_line(reminder);
                (Role::User, words(format!("{}{line}", prompts::REMINDERS_FRAME)))
            }
            Self::Reminder { reminder, first: false } => {
                (Role::User, words(prompts::reminder_line(reminder)))
            }
            Self::Draft { draft } => (Role::User, draft.parts.into()),
            Self::ContinueReply { .. } => (Role::User, words(prompts::GO_ON.to_owned())),
        }
    }
}
