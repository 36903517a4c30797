//! Parts of a message as text, and calls of tools as the wire formats read them.

use std::borrow::Cow;

use serde_json::{Map, Value};
use skein_context::prompts;
use skein_domain::message::{ContentPart, ImageRef, ToolCall, ToolState};

/// A part as text, where it has one. An image without its bytes is a line.
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

/// The words of those parts that are text.
pub(crate) fn text_of<'a>(parts: &[&'a ContentPart]) -> Cow<'a, str> {
    join(parts.iter().filter_map(|part| part.as_text().map(Cow::from)))
}

/// The words of those parts that are reasoning.
pub(crate) fn reasoning_of<'a>(parts: &[&'a ContentPart]) -> Cow<'a, str> {
    join(parts.iter().filter_map(|part| match part {
        ContentPart::Reasoning { text, .. } => Some(text.into()),
        ContentPart::Text { .. }
        | ContentPart::Image(_)
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => None,
    }))
}

/// A blank line between them; one alone is not copied: of a long conversation it is megabytes.
pub(crate) fn join<'a>(mut texts: impl Iterator<Item = Cow<'a, str>>) -> Cow<'a, str> {
    let mut joined = texts.next().unwrap_or_default();
    for text in texts {
        let joined = joined.to_mut();
        joined.push_str("\n\n");
        joined.push_str(&text);
    }
    joined
}

/// Whether the result is a failure, for wires that have a flag for it.
pub(crate) fn is_error_result(call: &ToolCall) -> bool {
    !matches!(call.state, ToolState::Done { .. })
}

/// The arguments as the object that every server can read; a call cut off has none.
pub(crate) fn call_arguments(call: &ToolCall) -> Map<String, Value> {
    serde_json::from_str(&call.args).unwrap_or_default()
}
