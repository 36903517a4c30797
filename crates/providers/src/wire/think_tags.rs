//! Extracts reasoning that a server leaves in the text, between `<think>` and `</think>`.
//!
//! Only at the very beginning of a reply: later the tag is part of the text.

use crate::stream_event::StreamEvent;

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Separates reasoning from text while both arrive in pieces.
#[derive(Debug, Default)]
pub(crate) enum ThinkTagParser {
    /// Only whitespace has arrived.
    #[default]
    Start,
    /// The beginning of a tag has arrived.
    MaybeTag(String),
    /// Within the tags; holds a possible beginning of the closing tag.
    Thinking(String),
    /// After the closing tag; whitespace here is dropped.
    AfterTag,
    /// The reasoning is over, or the reply has none: all that follows is text.
    Text,
}

impl ThinkTagParser {
    /// Adds a piece of the text.
    pub(crate) fn push(&mut self, piece: &str, out: &mut Vec<StreamEvent>) {
        match self {
            Self::Start => self.open(piece.to_owned(), out),
            Self::MaybeTag(held) => {
                let held = std::mem::take(held) + piece;
                self.open(held, out);
            }
            Self::Thinking(held) => {
                let held = std::mem::take(held) + piece;
                self.think(&held, out);
            }
            Self::AfterTag => {
                let piece = piece.trim_start();
                if !piece.is_empty() {
                    *self = Self::Text;
                    text(piece, out);
                }
            }
            Self::Text => text(piece, out),
        }
    }

    /// Ends the reply: a buffered beginning of a tag was text.
    pub(crate) fn end(&mut self, out: &mut Vec<StreamEvent>) {
        match std::mem::replace(self, Self::Text) {
            Self::MaybeTag(held) => text(&held, out),
            Self::Thinking(held) => reasoning(&held, out),
            Self::Start | Self::AfterTag | Self::Text => {}
        }
    }

    fn open(&mut self, held: String, out: &mut Vec<StreamEvent>) {
        let begun = held.trim_start();
        if let Some(inside) = begun.strip_prefix(OPEN) {
            let inside = inside.to_owned();
            self.think(&inside, out);
        } else if OPEN.starts_with(begun) {
            *self = Self::MaybeTag(held);
        } else {
            *self = Self::Text;
            text(&held, out);
        }
    }

    fn think(&mut self, held: &str, out: &mut Vec<StreamEvent>) {
        if let Some((thought, after)) = held.split_once(CLOSE) {
            reasoning(thought, out);
            *self = Self::AfterTag;
            self.push(after, out);
            return;
        }
        let kept = (1..CLOSE.len())
            .rev()
            .find(|length| CLOSE.get(..*length).is_some_and(|start| held.ends_with(start)))
            .unwrap_or(0);
        let (thought, rest) = held.split_at_checked(held.len() - kept).unwrap_or((held, ""));
        reasoning(thought, out);
        *self = Self::Thinking(rest.to_owned());
    }
}

fn text(piece: &str, out: &mut Vec<StreamEvent>) {
    if !piece.is_empty() {
        out.push(StreamEvent::Text { delta: piece.to_owned() });
    }
}

fn reasoning(piece: &str, out: &mut Vec<StreamEvent>) {
    if !piece.is_empty() {
        out.push(StreamEvent::Reasoning { delta: piece.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text and reasoning of a reply that arrives in these pieces.
    fn split(pieces: &[&str]) -> (String, String) {
        let mut splitter = ThinkTagParser::default();
        let mut out = Vec::new();
        pieces.iter().for_each(|piece| splitter.push(piece, &mut out));
        splitter.end(&mut out);
        let mut both = (String::new(), String::new());
        for event in out {
            match event {
                StreamEvent::Text { delta } => both.0.push_str(&delta),
                StreamEvent::Reasoning { delta } => both.1.push_str(&delta),
                other => panic!("{other:?}"),
            }
        }
        both
    }

    #[test]
    fn reasoning_is_parted_from_text_wherever_it_is_cut() {
        let answer = "\n<think>a < b, né </thin k></think>\n\nIt is <think>.";
        let expected = ("It is <think>.".to_owned(), "a < b, né </thin k>".to_owned());
        let pieces: Vec<String> = answer.chars().map(String::from).collect();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        assert_eq!(split(&pieces), expected);
        for (at, _) in answer.char_indices() {
            let (one, other) = answer.split_at(at);
            assert_eq!(split(&[one, other]), expected, "cut at {at}");
        }
    }

    #[test]
    fn text_that_only_looks_like_it_stays_text() {
        for answer in ["<thin", "<b>x</b>", " < 3", "x <think>y</think>"] {
            assert_eq!(split(&[answer]), (answer.to_owned(), String::new()));
        }
    }

    #[test]
    fn reasoning_without_its_end_is_reasoning() {
        assert_eq!(split(&["<think>abc</thi"]), (String::new(), "abc</thi".to_owned()));
    }
}
