//! Messages as the summariser reads them: plain text, nothing of the person left out.

use crate::anchors::{AnchorSource, Voice, extract};
use crate::counting::Counts;
use crate::message::{
    ContentPart, Message, MessageId, MessageKind, Origin, Picture, ToolCall, ToolState,
};

/// Characters of a tool output that are read; head and tail of a longer one.
const OUTPUT_CHARS: usize = 6_000;

/// Characters of a call's arguments that are read.
const ARGS_CHARS: usize = 2_000;

/// Bytes of the facts kept of what is left out.
const FACT_BYTES: usize = 4_000;

/// A message as the summariser reads it; `None` when there is nothing to read.
pub(crate) fn render(message: &Message) -> Option<String> {
    match message.kind {
        _ if message.is_left_out() => return None,
        MessageKind::Chat {} | MessageKind::Notice { .. } => {}
        MessageKind::Summary {} | MessageKind::Card {} => return None,
    }
    let parts: Vec<String> =
        message.parts.iter().filter_map(|part| render_part(part, message.id)).collect();
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
    match head_and_tail(text, limit) {
        None => text.to_owned(),
        Some((head, middle, tail)) => {
            format!("{head}\n[… {} characters left out …]\n{tail}", middle.chars().count())
        }
    }
}

/// A tool output, shortened; of what is left out, the lines that hold a fact are kept.
fn shortened_output(text: &str, message: MessageId) -> String {
    let Some((head, middle, tail)) = head_and_tail(text, OUTPUT_CHARS) else {
        return text.to_owned();
    };
    let source = AnchorSource { message, voice: Voice::Material, text: middle };
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

/// Two thirds of the limit from the head, the rest from the tail, and what lies between; `None`
/// when the text is within the limit. In characters.
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
        ContentPart::Text { text } => (!text.trim().is_empty()).then(|| text.clone()),
        ContentPart::Reasoning { .. } => None,
        ContentPart::Image(_) => image_line(part),
        ContentPart::File { name, text, .. } => Some(format!("[File: {name}]\n{text}")),
        ContentPart::Tool { call } => Some(render_call(call, message)),
    }
}

/// What takes the place of a picture; `None` for any other part.
pub(crate) fn image_line(part: &ContentPart) -> Option<String> {
    let ContentPart::Image(Picture { name, width, height, bytes, .. }) = part else { return None };
    let size = match (width, height) {
        (Some(width), Some(height)) => format!("{width} × {height} pixels, "),
        (None, _) | (_, None) => String::new(),
    };
    Some(format!("[Image: {name}, {size}{bytes} bytes]"))
}

fn render_call(call: &ToolCall, message: MessageId) -> String {
    let result = match &call.state {
        ToolState::Done { output } => shortened_output(&output.text, message),
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
