//! Code blocks of Markdown.

/// A code block with a fence longer than any in the text. `language` may be empty.
pub(crate) fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|char| char != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}
