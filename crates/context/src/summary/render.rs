//! Renders messages for the summary model, as plain text. Nothing that the user wrote is left out.
//!
//! Not here: the prompts around them (`job`).

use skein_domain::ids::MessageId;
use skein_domain::message::{
    ContentPart, ImageRef, Message, MessageKind, Origin, ToolCall, ToolState,
};

use crate::facts::{Author, FactSource, extract};
use crate::tag_escape::{escape_attribute, escape_tags};
use crate::tokens::message_tokens::Tokenizer;

/// Characters of a tool output that are rendered: the beginning and the end of a longer one.
const OUTPUT_CHARS: usize = 6_000;

/// Characters of a call's arguments that are rendered.
const ARGS_CHARS: usize = 2_000;

/// Bytes of the facts that are kept from the part of an output that is left out.
const FACT_BYTES: usize = 4_000;

/// A message as the summary model reads it; `None`: there is nothing to read. Only the tags name the author,
/// and texts cannot contain such tags.
pub(crate) fn render_message(message: &Message) -> Option<String> {
    match message.kind {
        _ if message.is_left_out() => return None,
        MessageKind::Chat {} | MessageKind::Notice { .. } => {}
        MessageKind::Summary { .. } | MessageKind::Card {} => return None,
    }
    let parts: Vec<String> =
        message.parts.iter().filter_map(|part| render_part(part, message.id)).collect();
    if parts.is_empty() {
        return None;
    }
    let speaker = match message.origin {
        Origin::Person => "user",
        Origin::Model => "assistant",
        Origin::Runtime => "program",
    };
    Some(format!("<message from=\"{speaker}\">\n{}\n</message>\n\n", parts.join("\n")))
}

/// Divides texts into pieces of at most `room` tokens each, and joins short ones. Nothing is left out: a
/// longer text is cut at the end of a line, of a word or, at worst, of a character. Runs in linear time.
pub(crate) fn split_to_fit(counter: &impl Tokenizer, texts: &[String], room: u32) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut filled = 0_u32;
    for (text, tokens) in texts.iter().flat_map(|text| divide(counter, text, room)) {
        match pieces.last_mut().filter(|_| filled.saturating_add(tokens) <= room) {
            Some(piece) => {
                piece.push_str(text);
                filled = filled.saturating_add(tokens);
            }
            None => {
                pieces.push(text.to_owned());
                filled = tokens;
            }
        }
    }
    pieces
}

/// The beginning and the end of a long text, with a line between them that says how much is missing.
pub(crate) fn truncate_middle(text: &str, limit: usize) -> String {
    match head_and_tail(text, limit) {
        None => text.to_owned(),
        Some((head, middle, tail)) => {
            format!("{head}\n[… {} characters left out …]\n{tail}", middle.chars().count())
        }
    }
}

/// A shortened tool output. Facts found in the part left out are kept.
fn shortened_output(text: &str, message: MessageId) -> String {
    let Some((head, middle, tail)) = head_and_tail(text, OUTPUT_CHARS) else {
        return text.to_owned();
    };
    let source = FactSource { message, author: Author::Material, text: middle, document: None };
    let mut facts = String::new();
    for anchor in extract(&[source]) {
        if facts.len() + anchor.text.len() > FACT_BYTES {
            break;
        }
        facts.push_str(&anchor.text);
        facts.push('\n');
    }
    let missing = middle.chars().count();
    format!("{head}\n[… {missing} characters left out, among them:\n{facts}…]\n{tail}")
}

/// The first two thirds of `limit` characters, the text between, and the last third; `None`: the text is not
/// longer than the limit.
fn head_and_tail(text: &str, limit: usize) -> Option<(&str, &str, &str)> {
    let head = limit / 3 * 2;
    let (head_end, _) = text.char_indices().nth(head)?;
    let (tail_start, _) = text.char_indices().rev().nth((limit - head).checked_sub(1)?)?;
    let between = tail_start.checked_sub(head_end).filter(|between| *between > 0)?;
    let (head, rest) = text.split_at_checked(head_end)?;
    let (middle, tail) = rest.split_at_checked(between)?;
    Some((head, middle, tail))
}

fn render_part(part: &ContentPart, message: MessageId) -> Option<String> {
    match part {
        ContentPart::Text { text } => (!text.trim().is_empty()).then(|| escape_prompt_tags(text)),
        ContentPart::Reasoning { .. } => None,
        ContentPart::Image(_) => image_line(part).map(|line| escape_prompt_tags(&line)),
        ContentPart::File { name, text, .. } => {
            let name = escape_attribute(name);
            Some(format!("<file name=\"{name}\">\n{}\n</file>", escape_prompt_tags(text)))
        }
        ContentPart::Tool { call } => Some(render_call(call, message)),
    }
}

/// The line in place of an image; `None` for any other part.
pub(crate) fn image_line(part: &ContentPart) -> Option<String> {
    let ContentPart::Image(ImageRef { name, width, height, bytes, .. }) = part else { return None };
    let size = match (width, height) {
        (Some(width), Some(height)) => format!("{width} × {height} pixels, "),
        (None, _) | (_, None) => String::new(),
    };
    Some(format!("[Image: {name}, {size}{bytes} bytes]"))
}

fn render_call(call: &ToolCall, message: MessageId) -> String {
    let result = match &call.state {
        ToolState::Done { output } => shortened_output(&output.text, message),
        ToolState::Failed { message } => {
            format!("failed: {}", truncate_middle(message, OUTPUT_CHARS))
        }
        ToolState::Denied {} => "denied by the person".to_owned(),
        ToolState::Cancelled {} => "cancelled".to_owned(),
        ToolState::Pending {} | ToolState::AwaitingApproval {} | ToolState::Running { .. } => {
            "no result".to_owned()
        }
    };
    let args = escape_prompt_tags(&truncate_middle(&call.args, ARGS_CHARS));
    let (name, result) = (escape_attribute(&call.name), escape_prompt_tags(&result));
    format!(
        "<tool_call name=\"{name}\">\n{args}\n</tool_call>\n<tool_result>\n{result}\n</tool_result>"
    )
}

/// The tags of a prompt for a summary.
const TAGS: [&str; 6] = ["conversation", "summary", "message", "file", "tool_call", "tool_result"];

/// A text whose tags of the prompt are escaped.
pub(crate) fn escape_prompt_tags(text: &str) -> String {
    escape_tags(text, &TAGS).into_owned()
}

/// Divides a text into parts of at most `room` tokens, with the tokens of each. A long text is divided by its
/// token count into as many parts as necessary; only a part that is denser than the rest is divided again.
fn divide<'t>(counter: &impl Tokenizer, text: &'t str, room: u32) -> Vec<(&'t str, u32)> {
    let mut fitting = Vec::new();
    let mut left = vec![text];
    while let Some(text) = left.pop() {
        let tokens = counter.text(text);
        let cut = if tokens > room { equal_parts(text, tokens, room) } else { Vec::new() };
        match cut.len() {
            0 | 1 => fitting.push((text, tokens)),
            _ => left.extend(cut.into_iter().rev()),
        }
    }
    fitting
}

/// Divides a text of `tokens` into parts of about the same length, so that most fit into `room`.
fn equal_parts(text: &str, tokens: u32, room: u32) -> Vec<&str> {
    // An eighth is left for parts that are a little denser.
    let count = tokens.div_ceil((room - room / 8).max(1)).max(2);
    let length = text.len() / usize::try_from(count).unwrap_or(usize::MAX);
    let mut stretches = Vec::new();
    let mut rest = text;
    while let Some((head, tail)) = cut(rest, length) {
        stretches.push(head);
        rest = tail;
    }
    stretches.push(rest);
    stretches
}

/// Cuts a text at about `length` bytes: at the end of a line, else of a word, else of a character, and
/// never in the first half of `length`. `None` if the text is not longer, or is a single character.
fn cut(text: &str, length: usize) -> Option<(&str, &str)> {
    let head = text.get(..text.floor_char_boundary(length)).unwrap_or_default();
    let after = |wanted: fn(char) -> bool| {
        let end = head.char_indices().rfind(|(_, letter)| wanted(*letter));
        end.map(|(at, letter)| at + letter.len_utf8()).filter(|at| *at > length / 2)
    };
    let at = after(|letter| letter == '\n')
        .or_else(|| after(char::is_whitespace))
        .or_else(|| Some(head.len()).filter(|at| *at > 0))
        .or_else(|| text.chars().next().map(char::len_utf8))?;
    text.split_at_checked(at).filter(|(_, tail)| !tail.is_empty())
}
