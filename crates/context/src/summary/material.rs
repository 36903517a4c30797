//! Messages as the summariser reads them: plain text, nothing of the person left out.

use crate::counting::Counts;
use crate::message::{ContentPart, Message, MessageKind, Origin, ToolCall, ToolState};

/// Characters of a tool output that are read; head and tail of a longer one.
const OUTPUT_CHARS: usize = 6_000;

/// Characters of a call's arguments that are read.
const ARGS_CHARS: usize = 2_000;

/// Characters that are taken from the head where something is shortened, in thirds.
const HEAD_THIRDS: usize = 2;

/// A message as the summariser reads it; `None` when there is nothing to read.
pub(crate) fn render(message: &Message) -> Option<String> {
    match message.kind {
        MessageKind::Chat {} | MessageKind::Notice { .. } => {}
        MessageKind::Summary {} | MessageKind::Card {} => return None,
    }
    let parts: Vec<String> = message.parts.iter().filter_map(render_part).collect();
    if parts.is_empty() {
        return None;
    }
    let speaker = match message.origin {
        Origin::Person => "Person",
        Origin::Model => "Assistant",
        Origin::Runtime => "Notice",
    };
    Some(format!("{speaker}:\n{}\n\n", fenced_in(&parts.join("\n"))))
}

/// Texts cut so that each holds at most `room` tokens, joined where several fit. Nothing is left
/// out: what is longer than the room is cut where a line, a word or at worst a character ends.
pub(crate) fn pieces(counter: &impl Counts, texts: Vec<String>, room: u32) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut filled = 0_u32;
    for text in texts.into_iter().flat_map(|text| halves(counter, text, room)) {
        let tokens = counter.text(&text);
        match pieces.last_mut().filter(|_| filled.saturating_add(tokens) <= room) {
            Some(piece) => {
                piece.push_str(&text);
                filled = filled.saturating_add(tokens);
            }
            None => {
                pieces.push(text);
                filled = tokens;
            }
        }
    }
    pieces
}

/// The head and the tail of a long text with a line between them that says what is missing.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    let chars = text.chars().count();
    if chars <= limit {
        return text.to_owned();
    }
    let head_chars = limit / 3 * HEAD_THIRDS;
    let tail_chars = limit - head_chars;
    let head: String = text.chars().take(head_chars).collect();
    let tail: String = text.chars().skip(chars - tail_chars).collect();
    format!("{head}\n[… {} characters left out …]\n{tail}", chars - limit)
}

fn render_part(part: &ContentPart) -> Option<String> {
    match part {
        ContentPart::Text { text } => (!text.trim().is_empty()).then(|| text.clone()),
        ContentPart::Reasoning { .. } => None,
        ContentPart::Image { name, width, height, bytes, .. } => {
            let size = match (width, height) {
                (Some(width), Some(height)) => format!("{width} × {height} pixels, "),
                (None, _) | (_, None) => String::new(),
            };
            Some(format!("[Image: {name}, {size}{bytes} bytes]"))
        }
        ContentPart::File { name, text, .. } => Some(format!("[File: {name}]\n{text}")),
        ContentPart::Tool { call } => Some(render_call(call)),
    }
}

fn render_call(call: &ToolCall) -> String {
    let result = match &call.state {
        ToolState::Done { output } => shortened(&output.text, OUTPUT_CHARS),
        ToolState::Failed { message } => format!("failed: {}", shortened(message, OUTPUT_CHARS)),
        ToolState::Denied {} => "denied by the person".to_owned(),
        ToolState::Cancelled {} => "cancelled".to_owned(),
        ToolState::Pending {} | ToolState::AwaitingApproval {} | ToolState::Running { .. } => {
            "no result".to_owned()
        }
    };
    let args = shortened(&call.args, ARGS_CHARS);
    format!("[Tool call: {} {args}]\n[Tool result]\n{result}", call.name)
}

/// A text that cannot end the tags it is put between.
pub(crate) fn fenced_in(text: &str) -> String {
    text.replace("</conversation", "<\\/conversation").replace("</summary", "<\\/summary")
}

/// A text cut in halves until each fits.
fn halves(counter: &impl Counts, text: String, room: u32) -> Vec<String> {
    let fits = counter.text(&text) <= room;
    let Some((head, tail)) = in_two(&text).filter(|_| !fits) else { return vec![text] };
    let mut halves = halves(counter, head.to_owned(), room);
    halves.extend(self::halves(counter, tail.to_owned(), room));
    halves
}

/// A text cut near its middle: after a line, else after a word, else between two characters.
/// `None` when it has fewer than two.
fn in_two(text: &str) -> Option<(&str, &str)> {
    let middle = text.len() / 2;
    let before = |index: &usize| *index > 0 && *index <= middle;
    let after = |wanted: fn(char) -> bool| {
        let ends = text.char_indices().filter(move |(_, letter)| wanted(*letter));
        ends.map(|(index, letter)| index + letter.len_utf8()).rfind(before)
    };
    let at = after(|letter| letter == '\n')
        .filter(|at| *at > text.len() / 4)
        .or_else(|| after(char::is_whitespace).filter(|at| *at > text.len() / 4))
        .or_else(|| after(|_| true))
        .or_else(|| text.char_indices().nth(1).map(|(index, _)| index))?;
    text.split_at_checked(at)
}
