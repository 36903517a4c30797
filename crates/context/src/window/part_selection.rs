//! Which parts of a message are sent, and as what.
//!
//! Not here: which pictures a request has room for (`image_budget`).

use std::ops::Range;
use std::sync::Arc;

use skein_domain::message::{ContentPart, ImageRef, ToolCall, ToolState};

use super::prefix::FixedTokens;
use crate::prompts;
use crate::tokens::message_tokens::{CountedMessageRef, saturating_sum};

/// When a provider gets the reasoning of its model back. What it does not get is not counted either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasoningReplay {
    /// Never: its wire has no place for it.
    Never,
    /// While the round in progress runs its tools.
    InProgress,
    /// Wherever calls are sent: it refuses a call without the thoughts that led to it.
    WithTools,
}

/// Which parts of a message are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartSelection {
    /// All of them.
    Everything,
    /// All but its reasoning.
    Tools,
    /// Neither reasoning nor tool parts.
    Words,
}

/// How far the round of a message has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoundState {
    /// It is in progress.
    InProgress,
    /// It is over, and the tool parts of the message stay.
    Kept,
    /// It is over, and only the words of the message stay.
    Cleaned,
}

impl PartSelection {
    /// What is sent of a message.
    pub(crate) fn of(back: ReasoningReplay, round: RoundState) -> Self {
        match (back, round) {
            (ReasoningReplay::InProgress | ReasoningReplay::WithTools, RoundState::InProgress)
            | (ReasoningReplay::WithTools, RoundState::Kept) => Self::Everything,
            (ReasoningReplay::Never, RoundState::InProgress | RoundState::Kept)
            | (ReasoningReplay::InProgress, RoundState::Kept) => Self::Tools,
            (_, RoundState::Cleaned) => Self::Words,
        }
    }

    /// Whether a part is sent.
    pub fn includes(self, part: &ContentPart) -> bool {
        match (part, self) {
            (ContentPart::Text { .. } | ContentPart::Image(_) | ContentPart::File { .. }, _)
            | (ContentPart::Reasoning { .. }, Self::Everything)
            | (ContentPart::Tool { .. }, Self::Everything | Self::Tools) => true,
            (ContentPart::Reasoning { .. }, Self::Tools | Self::Words)
            | (ContentPart::Tool { .. }, Self::Words) => false,
        }
    }
}

/// A message as it is sent: the parts that stay, and of what its tools showed the newest.
#[derive(Debug, Clone, Copy)]
pub struct SelectedMessage<'a> {
    /// As stored, with its tokens.
    pub counted: CountedMessageRef<'a>,
    /// Which of its parts are sent.
    pub keep: PartSelection,
    /// How many of the pictures that its tools showed are left out, from the first.
    pub(super) left_out: usize,
}

/// A part that is sent.
struct SelectedPart<'a> {
    part: &'a ContentPart,
    /// Its tokens without pictures.
    words: u32,
    /// Where its pictures are among those of the message.
    pictures: Range<usize>,
}

impl<'a> SelectedMessage<'a> {
    /// With all its pictures.
    pub(super) fn new(counted: CountedMessageRef<'a>, keep: PartSelection) -> Self {
        Self { counted, keep, left_out: 0 }
    }

    /// What is sent of it, part by part, each with the tokens it takes as it is sent.
    pub(crate) fn parts(self, frames: FixedTokens) -> impl Iterator<Item = (&'a ContentPart, u32)> {
        self.kept().map(move |it| (it.part, self.tokens_of(&it, frames)))
    }

    /// The calls that are sent, each with the tokens that its result takes as it is sent: its pictures
    /// among them, its arguments not.
    pub(crate) fn results(self, frames: FixedTokens) -> impl Iterator<Item = (&'a ToolCall, u32)> {
        let words = self.counted.tokens.results.iter().copied().chain(std::iter::repeat(0));
        let calls = self.kept().filter_map(|it| Some((it.part.as_call()?, it)));
        // Calls stay all or none, so that those that are kept are those that are counted.
        calls.zip(words).map(move |((call, it), words)| {
            let beside_words = self.tokens_of(&it, frames).saturating_sub(it.words);
            (call, words.saturating_add(beside_words))
        })
    }

    /// All of it together, with the message around it.
    pub(super) fn tokens(self, frames: FixedTokens) -> u32 {
        let parts = self.parts(frames).map(|(_, tokens)| tokens);
        saturating_sum(parts.chain([self.counted.tokens.overhead]))
    }

    /// What its tools showed, as far as the model is sent such pictures, those that are left out too.
    pub(super) fn tool_images(self) -> impl Iterator<Item = &'a ImageRef> {
        let counted = self.counted.tokens.shown.len();
        self.kept().flat_map(|it| it.part.shown()).take(counted)
    }

    /// Whether a picture that a tool showed is sent.
    pub(super) fn sends_tool_images(self) -> bool {
        self.tool_images().nth(self.left_out).is_some()
    }

    /// The parts as they are sent: its own, where all of them are sent as they are.
    pub(super) fn sent_parts(self) -> Arc<[ContentPart]> {
        let parts = &self.counted.message.parts;
        if self.kept().filter(|it| self.is_whole(it)).count() == parts.len() {
            return Arc::clone(parts);
        }
        self.kept().map(|it| self.as_sent(&it)).collect()
    }

    fn kept(self) -> impl Iterator<Item = SelectedPart<'a>> {
        let kept = self.counted.parts().filter(move |(part, _)| self.keep.includes(part));
        kept.scan(0, |pictures, (part, words)| {
            let from = *pictures;
            *pictures += part.shown().len();
            Some(SelectedPart { part, words, pictures: from..*pictures })
        })
    }

    /// Which pictures of a part are sent.
    fn seen(self, it: &SelectedPart<'_>) -> Range<usize> {
        let counted = self.counted.tokens.shown.len();
        it.pictures.start.max(self.left_out)..it.pictures.end.min(counted)
    }

    /// Whether it is told of a part that pictures of it are left out.
    fn lacks(self, it: &SelectedPart<'_>) -> bool {
        it.pictures.start < it.pictures.end.min(self.left_out)
    }

    fn tokens_of(self, it: &SelectedPart<'_>, frames: FixedTokens) -> u32 {
        let shown = self.counted.tokens.shown.get(self.seen(it)).unwrap_or_default();
        let note = if self.lacks(it) { frames.images_omitted } else { 0 };
        saturating_sum(shown.iter().copied().chain([it.words, note]))
    }

    fn is_whole(self, it: &SelectedPart<'_>) -> bool {
        let withheld = matches!(it.part, ContentPart::Tool { call }
            if matches!(&call.state, ToolState::Done { output } if output.withheld));
        !withheld && self.seen(it).len() == it.pictures.len()
    }

    /// A part as it is sent: a withheld output (P09) is replaced by a line that says so, and one whose
    /// pictures are left out ends with one.
    fn as_sent(self, it: &SelectedPart<'_>) -> ContentPart {
        let mut part = it.part.clone();
        let ContentPart::Tool { call } = &mut part else { return part };
        let text = prompts::tool_result_text(call).into_owned();
        if let ToolState::Done { output } = &mut call.state {
            let seen = self.seen(it);
            let mut at = it.pictures.clone();
            output.pictures.retain(|_| at.next().is_some_and(|at| seen.contains(&at)));
            output.text = if self.lacks(it) { text + prompts::LEFT_OUT } else { text };
        }
        part
    }
}
