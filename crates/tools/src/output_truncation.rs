//! Truncates a tool's output for the context (P08).
//!
//! Characters are Unicode scalar values, never bytes. Not here: storing the complete output
//! (`store`), or which messages keep their tool parts (`context::rounds`).

use skein_domain::ids::OutputId;

/// The default limit of an output, in characters.
pub const LIMIT: u32 = 30_000;
/// The limit of a web page, in characters.
pub const PAGE_LIMIT: u32 = 20_000;
/// The longest result of a web search, in characters.
pub const WEB_SEARCH_LIMIT: u32 = 2_000;
/// The limit of an error, in characters.
pub const FAILURE_LIMIT: u32 = 4_000;

/// Truncates an output in the middle and inserts a line that states how much was left out and how
/// to read it. `None` if it fits. `whole` is the id of the complete output.
pub fn truncate_middle(text: &str, limit: u32, whole: OutputId) -> Option<String> {
    let total = char_count(text);
    if total <= limit {
        return None;
    }
    // Two thirds for the head: most outputs begin with the requested data and end with the
    // outcome.
    let room = limit.saturating_sub(NOTE_ROOM);
    let head_chars = room - room / 3;
    let (head, rest) = split_at_char(text, head_chars);
    let left_out = total - room;
    let (_, tail) = split_at_char(rest, left_out);
    let note = format!(
        "\n[… {left_out} of {total} characters left out here. To read them: read_stored_result \
         with id {id} and start {head_chars} …]\n",
        id = whole.0
    );
    Some(format!("{head}{note}{tail}"))
}

/// The part of the limit reserved for that line, in characters.
const NOTE_ROOM: u32 = 160;

/// The first `limit` characters, and an ellipsis if there were more.
pub fn truncate_end(text: &str, limit: u32) -> String {
    let (head, rest) = split_at_char(text, limit);
    if rest.is_empty() { head.to_owned() } else { format!("{head}…") }
}

/// The first `limit` characters, and a note if there were more.
pub fn truncate_with_note(text: &str, limit: u32) -> String {
    let (head, rest) = split_at_char(text, limit);
    if rest.is_empty() {
        return head.to_owned();
    }
    let (left_out, total) = (char_count(rest), char_count(text));
    format!("{head}\n[… {left_out} of {total} characters left out here …]")
}

pub fn char_count(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

/// Splits after `chars` characters, or at the end.
pub fn split_at_char(text: &str, chars: u32) -> (&str, &str) {
    let at = text.char_indices().nth(chars as usize).map_or(text.len(), |(at, _)| at);
    text.split_at_checked(at).unwrap_or((text, ""))
}
