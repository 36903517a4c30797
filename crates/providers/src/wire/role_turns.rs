//! A prompt as alternating turns of the user, the model and tool results: the form that all wire formats
//! share.
//!
//! Neighbouring messages of one role become one turn, because several providers demand that roles
//! alternate. A part that holds a call and its result becomes two turns. Every call has a result, also
//! where it failed or was denied: providers refuse a call without one. Pictures of a tool belong to its
//! result, or stand on the user's side after it where a format takes no picture in a result. Not here: how
//! a turn is written (`formats`), or which messages are sent (`context::window`).

use std::borrow::Cow;

use skein_domain::message::{ContentPart, ImageRef, ToolCall};

use super::part_text::{join, missing, part_text};
use crate::quirks::quirk::{Quirk, Quirks};
use crate::tool_call_ids::CallIdRule;

/// What a wire format or a server demands of a conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Constraints {
    /// The call ids that it takes.
    pub(crate) call_id_rule: CallIdRule,
    /// Whether the model must say something between results and the user's next words.
    pub(crate) assistant_after_results: bool,
    /// Whether a tool result holds only text.
    pub(crate) text_only_results: bool,
    /// Whether the content of a message is one string; a notice then becomes a message of its own.
    pub(crate) string_content: bool,
}

impl Constraints {
    /// The demands of a provider's kind and those that the quirks of its server add.
    pub(crate) fn of(ids: CallIdRule, quirks: &Quirks) -> Self {
        let ids = match ids {
            CallIdRule::Any if quirks.has(Quirk::ShortCallIds) => CallIdRule::AtMost40,
            ids => ids,
        };
        let answered_results = quirks.has(Quirk::AssistantAfterResults);
        let plain_words = quirks.has(Quirk::StringContent);
        Self {
            call_id_rule: ids,
            assistant_after_results: answered_results,
            text_only_results: false,
            string_content: plain_words,
        }
    }
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RoleTurn<'a> {
    /// What it holds.
    pub(crate) kind: RoleTurnContent<'a>,
    /// Whether it ends with the last message that will be sent unchanged again.
    pub(crate) stable_end: bool,
}

/// What a step holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RoleTurnContent<'a> {
    /// Text, images and files of the user's side, in order.
    User(Vec<UserContent<'a>>),
    /// What the model said and thought, in order, and the calls it ended with.
    Assistant { said: Vec<&'a ContentPart>, calls: Vec<IdentifiedCall<'a>> },
    /// What came of those calls, in their order.
    Results(Vec<IdentifiedCall<'a>>),
}

/// What stands on the user's side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum UserContent<'a> {
    /// The user's, or the program's.
    Part(&'a ContentPart),
    /// A notice of the program, which stays apart from the user's words.
    Notice(&'a ContentPart),
    /// A tool's.
    ToolImage(&'a ImageRef),
}

impl<'a> UserContent<'a> {
    /// The picture it is, if it is one.
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

    /// As text, where it has one. An image without its bytes is a line.
    pub(crate) fn as_text(self) -> Cow<'a, str> {
        match self {
            Self::Part(part) | Self::Notice(part) => part_text(part),
            Self::ToolImage(picture) => missing(picture).into(),
        }
    }
}

/// A call under the id that joins it to its result on a wire.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct IdentifiedCall<'a> {
    /// As the wire takes it.
    pub(crate) id: Cow<'a, str>,
    pub(crate) call: &'a ToolCall,
}

/// What may be joined to one text, and what stays apart.
pub(crate) fn mergeable_groups<'s, 'a>(
    said: &'s [UserContent<'a>],
) -> impl Iterator<Item = &'s [UserContent<'a>]> {
    let is_notice = |told: &UserContent<'_>| matches!(told, UserContent::Notice(_));
    said.chunk_by(move |one, other| !is_notice(one) && !is_notice(other))
}

/// All that is said as one text.
pub(crate) fn join_user_text<'a>(said: &[UserContent<'a>]) -> Cow<'a, str> {
    join(said.iter().map(|said| said.as_text()))
}
