//! Parts of a message as text, and tool calls as wire formats need them.

use std::borrow::Cow;

use serde_json::{Map, Value};
use skein_context::prompts;
use skein_domain::message::{ContentPart, ImageRef, ToolCall, ToolState};

/// The text of a part; empty if it has none. A picture without its bytes is a line of text.
pub(crate) fn part_text(part: &ContentPart) -> Cow<'_, str> {
    match part {
        ContentPart::Text { text } | ContentPart::Reasoning { text, .. } => text.into(),
        ContentPart::Image(picture) => missing(picture).into(),
        ContentPart::File { name, text, .. } => prompts::file_block(name, text).into(),
        ContentPart::Tool { call } => {
            format!("[{}: {}]", call.name, prompts::tool_result_text(call)).into()
        }
    }
}

pub(crate) fn missing(picture: &ImageRef) -> String {
    format!("[image {}: not available]", picture.name)
}

/// The text parts, joined.
pub(crate) fn text_of<'a>(parts: &[&'a ContentPart]) -> Cow<'a, str> {
    join(parts.iter().filter_map(|part| part.as_text().map(Cow::from)))
}

/// The reasoning parts, joined.
pub(crate) fn reasoning_of<'a>(parts: &[&'a ContentPart]) -> Cow<'a, str> {
    join(parts.iter().filter_map(|part| match part {
        ContentPart::Reasoning { text, .. } => Some(text.into()),
        ContentPart::Text { .. }
        | ContentPart::Image(_)
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => None,
    }))
}

/// Joins texts with a blank line. A single one is not copied, because a long conversation has
/// megabytes of them.
pub(crate) fn join<'a>(mut texts: impl Iterator<Item = Cow<'a, str>>) -> Cow<'a, str> {
    let mut joined = texts.next().unwrap_or_default();
    for text in texts {
        let joined = joined.to_mut();
        joined.push_str("\n\n");
        joined.push_str(&text);
    }
    joined
}

/// True if the call failed, for formats with a flag for it.
pub(crate) fn is_error_result(call: &ToolCall) -> bool {
    !matches!(call.state, ToolState::Done { .. })
}

/// The arguments as an object, which every server accepts; empty for a truncated call.
pub(crate) fn call_arguments(call: &ToolCall) -> Map<String, Value> {
    serde_json::from_str(&call.args).unwrap_or_default()
}
