//! The excerpt of a hit: the first match and the text around it.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::search_query::{QueryTerms, fold_char};

/// A piece of an excerpt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SnippetPiece {
    pub text: String,
    /// True if the piece matches the query.
    pub found: bool,
}

/// The first match of a term in `text`, with `margin` characters on each side, and an ellipsis
/// where text was left out.
pub(crate) fn snippet(text: &str, terms: &QueryTerms, margin: u32) -> Vec<SnippetPiece> {
    let margin = margin as usize;
    let folded: Vec<char> = text.chars().map(fold_char).collect();
    let wanted: Vec<Vec<char>> =
        terms.long.iter().chain(&terms.short).map(|term| term.chars().collect()).collect();
    let length = |rest: &[char]| {
        wanted.iter().filter(|term| rest.starts_with(term)).map(Vec::len).max().unwrap_or(0)
    };
    let starts = |at: &usize| folded.get(*at..).is_some_and(|rest| length(rest) > 0);
    let first = (0..folded.len()).find(starts).unwrap_or(0);
    let begin = first.saturating_sub(margin);
    let mut pieces = SnippetBuilder { pieces: Vec::new() };
    if begin > 0 {
        pieces.push('…', false);
    }
    let mut found_until = 0;
    let mut end = first + margin;
    for (at, c) in text.chars().enumerate().skip(begin) {
        let matched = folded.get(at..).map_or(0, length);
        found_until = found_until.max(at + matched);
        end = if at == first { found_until + margin } else { end };
        if at >= end {
            pieces.push('…', false);
            break;
        }
        pieces.push(c, at < found_until);
    }
    pieces.pieces
}

struct SnippetBuilder {
    pieces: Vec<SnippetPiece>,
}

impl SnippetBuilder {
    fn push(&mut self, c: char, found: bool) {
        match self.pieces.last_mut() {
            Some(piece) if piece.found == found => piece.text.push(c),
            _ => self.pieces.push(SnippetPiece { text: c.into(), found }),
        }
    }
}
