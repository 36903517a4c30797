//! A prompt as alternating turns of the user, the model and tool results: the form that all wire
//! formats share.
//!
//! Adjacent messages of one role become one turn, because several providers demand alternating
//! roles. A part with a call and its result becomes two turns. Every call has a result, also if it
//! failed or was denied: providers reject a call without one. Pictures of a tool belong to its
//! result, or follow it on the user's side if the format takes no picture in a result. Not here:
//! writing a turn (`formats`), or the choice of messages (`context::window`).

use std::borrow::Cow;

use skein_domain::message::{ContentPart, ImageRef, ToolCall};

use super::part_text::{join, missing, part_text};
use crate::quirks::quirk::{Quirk, Quirks};
use crate::tool_call_ids::CallIdRule;

/// Demands of a wire format or a server on a conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Constraints {
    /// The call ids that it accepts.
    pub(crate) call_id_rule: CallIdRule,
    /// True if assistant text must stand between results and the next user text.
    pub(crate) assistant_after_results: bool,
    /// True if tool results take only text.
    pub(crate) text_only_results: bool,
    /// True if the content of a message is a string; a notice then becomes a message of its own.
    pub(crate) string_content: bool,
    /// The number of messages, from the first, that the format writes itself.
    pub(crate) skipped_messages: usize,
}

impl Constraints {
    /// The demands of a provider's kind, with those that the quirks of its server add.
    pub(crate) fn of(ids: CallIdRule, quirks: &Quirks) -> Self {
        Self {
            call_id_rule: match ids {
                CallIdRule::Any if quirks.has(Quirk::ShortCallIds) => CallIdRule::AtMost40,
                ids => ids,
            },
            assistant_after_results: quirks.has(Quirk::AssistantAfterResults),
            string_content: quirks.has(Quirk::StringContent),
            ..Self::default()
        }
    }
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RoleTurn<'a> {
    pub(crate) kind: RoleTurnContent<'a>,
    /// Of the turn with the last message that will be sent unchanged again: how many of its parts, from the
    /// first, belong to that message or stand before it.
    pub(crate) stable_parts: Option<usize>,
}

impl RoleTurn<'_> {
    /// The number of its parts.
    pub(crate) fn parts(&self) -> usize {
        match &self.kind {
            RoleTurnContent::User(parts) => parts.len(),
            RoleTurnContent::Assistant { parts, calls } => parts.len() + calls.len(),
            RoleTurnContent::Results(calls) => calls.len(),
        }
    }

    /// Of the turn with the last message that will be sent unchanged again: how many parts stand behind it.
    pub(crate) fn unstable_parts(&self) -> Option<usize> {
        self.stable_parts.map(|stable| self.parts().saturating_sub(stable))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RoleTurnContent<'a> {
    /// The user's side: text, pictures and files, in order.
    User(Vec<UserContent<'a>>),
    /// The model's text and reasoning, in order, and the calls at the end.
    Assistant { parts: Vec<&'a ContentPart>, calls: Vec<IdentifiedCall<'a>> },
    /// The results of those calls, in order.
    Results(Vec<IdentifiedCall<'a>>),
}

/// A part of the user's side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum UserContent<'a> {
    /// A part of the user or the program.
    Part(&'a ContentPart),
    /// A notice of the program, kept apart from the user's text.
    Notice(&'a ContentPart),
    /// A picture of a tool.
    ToolImage(&'a ImageRef),
}

impl<'a> UserContent<'a> {
    /// The picture, if it is one.
    pub(crate) fn image(self) -> Option<&'a ImageRef> {
        match self {
            Self::Part(ContentPart::Image(picture)) | Self::ToolImage(picture) => Some(picture),
            Self::Part(
                ContentPart::Text { .. }
                | ContentPart::Reasoning { .. }
                | ContentPart::File { .. }
                | ContentPart::Tool { .. },
            )
            | Self::Notice(_) => None,
        }
    }

    /// The text; empty if it has none. A picture without its bytes is a line of text.
    pub(crate) fn as_text(self) -> Cow<'a, str> {
        match self {
            Self::Part(part) | Self::Notice(part) => part_text(part),
            Self::ToolImage(picture) => missing(picture).into(),
        }
    }
}

/// A call with the id that joins it to its result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct IdentifiedCall<'a> {
    /// The id in the form that the format accepts.
    pub(crate) id: Cow<'a, str>,
    pub(crate) call: &'a ToolCall,
}

/// The groups of parts that may be joined to one text. Notices stay apart.
pub(crate) fn mergeable_groups<'s, 'a>(
    parts: &'s [UserContent<'a>],
) -> impl Iterator<Item = &'s [UserContent<'a>]> {
    let is_notice = |part: &UserContent<'_>| matches!(part, UserContent::Notice(_));
    parts.chunk_by(move |one, other| !is_notice(one) && !is_notice(other))
}

/// All parts as one text.
pub(crate) fn join_user_text<'a>(parts: &[UserContent<'a>]) -> Cow<'a, str> {
    join(parts.iter().map(|part| part.as_text()))
}
