//! Which parts of a message are sent, and as what.

use std::sync::Arc;

use crate::counting::Counted;
use crate::message::{ContentPart, ToolState};
use crate::prompts;

/// When a provider gets the reasoning of its model back. What it does not get is not counted either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasoningBack {
    /// Never: its wire has no place for it.
    Never,
    /// While the round in progress runs its tools.
    InProgress,
    /// Wherever calls are sent: it refuses a call without the thoughts that led to it.
    WithTools,
}

/// Which parts of a message are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All of them.
    Everything,
    /// All but its reasoning.
    Tools,
    /// Neither reasoning nor tool parts.
    Words,
}

impl Keep {
    /// What is sent of a message, by whether its round is in progress, and whether its tool parts stay
    /// once it is not.
    pub(crate) fn of(back: ReasoningBack, in_progress: bool, tools_stay: bool) -> Self {
        match (back, in_progress, tools_stay) {
            (ReasoningBack::InProgress | ReasoningBack::WithTools, true, _)
            | (ReasoningBack::WithTools, false, true) => Self::Everything,
            (ReasoningBack::Never, true, _)
            | (ReasoningBack::Never | ReasoningBack::InProgress, false, true) => Self::Tools,
            (_, false, false) => Self::Words,
        }
    }

    /// Whether a part is sent.
    pub fn keeps(self, part: &ContentPart) -> bool {
        match (part, self) {
            (ContentPart::Text { .. } | ContentPart::Image(_) | ContentPart::File { .. }, _)
            | (ContentPart::Reasoning { .. }, Self::Everything)
            | (ContentPart::Tool { .. }, Self::Everything | Self::Tools) => true,
            (ContentPart::Reasoning { .. }, Self::Tools | Self::Words)
            | (ContentPart::Tool { .. }, Self::Words) => false,
        }
    }
}

/// The parts of a message that are sent: its own, where all of them are sent as they are.
pub(super) fn kept(message: &Counted<'_>, keep: Keep) -> Arc<[ContentPart]> {
    let parts = &message.message.parts;
    if parts.iter().all(|part| keep.keeps(part) && !is_withheld(part)) {
        return Arc::clone(parts);
    }
    parts.iter().filter(|part| keep.keeps(part)).map(as_sent).collect()
}

fn is_withheld(part: &ContentPart) -> bool {
    matches!(part, ContentPart::Tool { call }
        if matches!(&call.state, ToolState::Done { output } if output.withheld))
}

/// A part as it is sent: a withheld output (P09) is replaced by a line that says so.
fn as_sent(part: &ContentPart) -> ContentPart {
    let mut part = part.clone();
    if let ContentPart::Tool { call } = &mut part
        && let ToolState::Done { output } = &mut call.state
        && output.withheld
    {
        prompts::WITHHELD.clone_into(&mut output.text);
        output.pictures.clear();
    }
    part
}
