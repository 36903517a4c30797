//! An entry of a window after its prefix, and the role and parts that it sends.

use std::sync::Arc;

use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::message::{ContentPart, ImageRef, Role};
use skein_domain::reminder::Reminder;

use super::part_selection::SelectedMessage;
use super::window_input::{CountedDraft, PointSummary};
use crate::prompts;

/// An entry of a window after its prefix.
#[derive(Debug, Clone, Copy)]
pub struct PromptEntry<'a> {
    /// The content to send.
    pub content: EntryContent<'a>,
    /// The tokens of the entry, with the overhead of the message that it begins.
    pub tokens: u32,
}

/// The content of an entry.
#[derive(Debug, Clone, Copy)]
pub enum EntryContent<'a> {
    /// An opening on the user's side before a first message of the model. It is needed if the user's message
    /// before that was deleted or left out.
    Opening,
    /// The summary of the covered messages.
    Summary {
        /// The point of the summary.
        covered: PointSummary<'a>,
        /// Index on the path of the first message it covers.
        at: usize,
    },
    /// The facts beside the summary.
    Facts {
        /// The text of the facts.
        text: &'a str,
        /// Index on the path of the first message that the summary covers.
        at: usize,
    },
    /// The hint how to search covered messages.
    SearchHint {
        /// The text of the hint.
        text: &'a str,
    },
    /// A covered message that is pinned.
    Pinned {
        /// The message.
        sent: SelectedMessage<'a>,
        /// The index of the message on the path.
        at: usize,
    },
    /// A message of the tail.
    Message {
        /// The message.
        sent: SelectedMessage<'a>,
        /// The index of the message on the path.
        at: usize,
    },
    /// Passages from covered messages that are relevant to the new message.
    Passages {
        /// The text of the passages.
        text: &'a str,
    },
    /// A reminder.
    Reminder {
        /// The reminder.
        reminder: &'a Reminder,
        /// True for the first reminder, which carries the frame of all.
        first: bool,
    },
    /// The unsent draft.
    Draft {
        /// The draft.
        draft: CountedDraft<'a>,
    },
    /// The request to continue a reply that was cut off.
    ContinueReply {
        /// Index on the path of the reply that followed; `None`: the next reply follows.
        before: Option<usize>,
    },
}

impl<'a> EntryContent<'a> {
    /// The message of the path that this entry sends, of the tail or pinned.
    pub(crate) fn as_path_message(&self) -> Option<SelectedMessage<'a>> {
        if let Self::Pinned { sent, .. } = self { Some(*sent) } else { self.as_tail_message() }
    }

    /// The message of the tail that this entry sends.
    pub(crate) fn as_tail_message(&self) -> Option<SelectedMessage<'a>> {
        if let Self::Message { sent, .. } = self { Some(*sent) } else { None }
    }

    /// The items that take the place of the summary that this entry sends.
    pub(crate) fn encrypted(&self) -> Option<&'a Arc<EncryptedSummary>> {
        if let Self::Summary { covered, .. } = self { covered.encrypted } else { None }
    }

    /// The images that the user attached to it.
    pub(super) fn attached(&self) -> impl Iterator<Item = &'a ImageRef> {
        let parts = match (self, self.as_path_message()) {
            (Self::Draft { draft }, _) => draft.parts,
            (_, sent) => sent.map_or(&[][..], |sent| &sent.counted.message.parts),
        };
        parts.iter().filter_map(ContentPart::attached_image)
    }
}

impl EntryContent<'_> {
    /// True if the entry is a notice of the program.
    pub(super) fn is_notice(&self) -> bool {
        self.as_path_message().is_some_and(|sent| sent.counted.message.is_notice())
    }

    /// True if the entry belongs to the same message as the entry before it.
    pub(super) fn joins_previous(&self) -> bool {
        match self {
            Self::Facts { .. } | Self::SearchHint { .. } | Self::Reminder { first: false, .. } => {
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

    /// The role and the parts that the entry sends.
    pub(super) fn sent(&self) -> (Role, Arc<[ContentPart]>) {
        let text_part = |text: String| [ContentPart::Text { text }].into();
        match self {
            Self::Opening => (Role::User, text_part(prompts::OPENING.to_owned())),
            Self::Summary { covered, .. } => {
                (Role::User, text_part(prompts::summary_block(&covered.summary.message.text())))
            }
            Self::Facts { text, .. } | Self::SearchHint { text } | Self::Passages { text } => {
                (Role::User, text_part((*text).to_owned()))
            }
            Self::Pinned { sent, .. } | Self::Message { sent, .. } => {
                (sent.counted.message.role, sent.sent_parts())
            }
            Self::Reminder { reminder, first: true } => {
                let line = prompts::reminder_line(reminder);
                (Role::User, text_part(format!("{}{line}", prompts::REMINDERS_FRAME)))
            }
            Self::Reminder { reminder, first: false } => {
                (Role::User, text_part(prompts::reminder_line(reminder)))
            }
            Self::Draft { draft } => (Role::User, draft.parts.into()),
            Self::ContinueReply { .. } => (Role::User, text_part(prompts::GO_ON.to_owned())),
        }
    }
}
