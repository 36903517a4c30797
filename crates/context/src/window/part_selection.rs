//! Selects the parts of a message that are sent, and their form.
//!
//! Not here: the limit on images (`image_limit`).

use std::ops::Range;
use std::sync::Arc;

use skein_domain::message::{ContentPart, ImageRef, ToolCall, ToolState};

use super::deferred_tools::DeferredTools;
use super::prefix::FixedTokens;
use crate::prompts;
use crate::tokens::message_tokens::{CountedMessageRef, saturating_sum};

/// The part of the conversation whose reasoning goes back to the provider. Reasoning that does not is not
/// counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasoningReplay {
    /// No reasoning: the wire format has no place for it.
    Never,
    /// The reasoning of the current round, while its tools run.
    InProgress,
    /// The reasoning of every message whose calls are sent: the provider refuses calls without it.
    WithTools,
}

/// The parts of a message to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartSelection {
    /// All parts.
    Everything,
    /// All parts but reasoning.
    WithoutReasoning,
    /// No reasoning and no tool parts.
    WithoutReasoningAndTools,
}

/// The state of a message's round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoundState {
    /// The round is in progress.
    InProgress,
    /// The round is over, and the message keeps its tool parts.
    Kept,
    /// The round is over, and the message keeps only its text, images and files.
    Cleaned,
}

impl PartSelection {
    /// The selection for a message.
    pub(crate) fn of(back: ReasoningReplay, round: RoundState) -> Self {
        match (back, round) {
            (ReasoningReplay::InProgress | ReasoningReplay::WithTools, RoundState::InProgress)
            | (ReasoningReplay::WithTools, RoundState::Kept) => Self::Everything,
            (ReasoningReplay::Never, RoundState::InProgress | RoundState::Kept)
            | (ReasoningReplay::InProgress, RoundState::Kept) => Self::WithoutReasoning,
            (_, RoundState::Cleaned) => Self::WithoutReasoningAndTools,
        }
    }

    /// True if a part is sent.
    pub fn includes(self, part: &ContentPart) -> bool {
        match (part, self) {
            (ContentPart::Text { .. } | ContentPart::Image(_) | ContentPart::File { .. }, _)
            | (ContentPart::Reasoning { .. }, Self::Everything)
            | (ContentPart::Tool { .. }, Self::Everything | Self::WithoutReasoning) => true,
            (
                ContentPart::Reasoning { .. },
                Self::WithoutReasoning | Self::WithoutReasoningAndTools,
            )
            | (ContentPart::Tool { .. }, Self::WithoutReasoningAndTools) => false,
        }
    }
}

/// A message with its selected parts, and the newest images of its tool results.
#[derive(Debug, Clone, Copy)]
pub struct SelectedMessage<'a> {
    /// The stored message and its tokens.
    pub counted: CountedMessageRef<'a>,
    /// The parts to send.
    pub selection: PartSelection,
    /// The deferred tools: a request puts a wrapper around the arguments of their calls.
    deferred: &'a DeferredTools,
    /// The number of images of tool results that are omitted, from the first.
    pub(super) omitted_images: usize,
    /// A bit for each call of the message: 1 for a superseded read.
    superseded: u64,
}

/// A selected part.
struct SelectedPart<'a> {
    part: &'a ContentPart,
    /// The tokens of the part without images.
    tokens: u32,
    /// The range of its images among those of the message.
    images: Range<usize>,
    /// The tokens of its output if it is a superseded read.
    superseded: Option<u32>,
}

impl<'a> SelectedMessage<'a> {
    /// Selects a message with all its images.
    pub(super) fn new(
        counted: CountedMessageRef<'a>,
        keep: PartSelection,
        deferred: &'a DeferredTools,
        superseded: u64,
    ) -> Self {
        Self { counted, selection: keep, deferred, superseded, omitted_images: 0 }
    }

    /// The selected parts with the tokens that they take as they are sent.
    pub(crate) fn parts(self, fixed: FixedTokens) -> impl Iterator<Item = (&'a ContentPart, u32)> {
        self.selected_parts().map(move |it| (it.part, self.tokens_of(&it, fixed)))
    }

    /// The selected tool calls with the tokens of their results as they are sent: with images, without
    /// arguments.
    pub(crate) fn results(self, fixed: FixedTokens) -> impl Iterator<Item = (&'a ToolCall, u32)> {
        let result_tokens = self.counted.tokens.results.iter().copied().chain(std::iter::repeat(0));
        let calls = self.selected_parts().filter_map(|it| Some((it.part.as_call()?, it)));
        // Either all calls are sent or none, so that the sent calls are the counted ones.
        calls.zip(result_tokens).map(move |((call, it), words)| {
            let words = it.superseded.map_or(words, |_| fixed.read_again);
            (call, words.saturating_add(self.image_tokens(&it, fixed)))
        })
    }

    /// The tokens of the message as it is sent, overhead included.
    pub(super) fn tokens(self, fixed: FixedTokens) -> u32 {
        let parts = self.parts(fixed).map(|(_, tokens)| tokens);
        saturating_sum(parts.chain([self.counted.tokens.overhead]))
    }

    /// The images of its tool results, if the model takes such images; omitted ones included.
    pub(super) fn tool_images(self) -> impl Iterator<Item = &'a ImageRef> {
        let counted = self.counted.tokens.shown.len();
        self.selected_parts().flat_map(|it| it.part.shown()).take(counted)
    }

    /// True if an image of a tool result is sent.
    pub(super) fn sends_tool_images(self) -> bool {
        self.tool_images().nth(self.omitted_images).is_some()
    }

    /// The parts as they are sent. Shares the stored parts if all are sent unchanged.
    pub(super) fn sent_parts(self) -> Arc<[ContentPart]> {
        let parts = &self.counted.message.parts;
        if self.selected_parts().filter(|it| self.is_whole(it)).count() == parts.len() {
            return Arc::clone(parts);
        }
        self.selected_parts().map(|it| self.as_sent(&it)).collect()
    }

    fn selected_parts(self) -> impl Iterator<Item = SelectedPart<'a>> {
        let kept = self.counted.parts().filter(move |(part, _)| self.selection.includes(part));
        kept.scan((0, 0), move |(pictures, calls), (part, words)| {
            let from = *pictures;
            *pictures += part.shown().len();
            let superseded = part.as_call().and_then(|_| self.superseded_output(calls));
            Some(SelectedPart { part, tokens: words, images: from..*pictures, superseded })
        })
    }

    /// The tokens of the output of the next call, if that is a superseded read.
    fn superseded_output(self, call: &mut u32) -> Option<u32> {
        let number = *call;
        *call += 1;
        let is_superseded = self.superseded.checked_shr(number).is_some_and(|bits| bits & 1 == 1);
        let output = self.counted.tokens.results.get(usize::try_from(number).ok()?);
        output.copied().filter(|_| is_superseded)
    }

    /// The superseded reads that are sent, with the tokens of their outputs.
    pub(crate) fn superseded_reads(self) -> impl Iterator<Item = (&'a ToolCall, u32)> {
        self.selected_parts().filter_map(|it| Some((it.part.as_call()?, it.superseded?)))
    }

    /// The tokens that it takes in addition when only `superseded` of its calls are superseded reads.
    pub(super) fn returning_tokens(self, superseded: u64, fixed: FixedTokens) -> u32 {
        let after = Self { superseded, ..self };
        after.tokens(fixed).saturating_sub(self.tokens(fixed))
    }

    /// The range of a part's images that are sent.
    fn sent_images(self, it: &SelectedPart<'_>) -> Range<usize> {
        let counted = self.counted.tokens.shown.len();
        it.images.start.max(self.omitted_images)..it.images.end.min(counted)
    }

    /// True if images of a part are omitted.
    fn omits_images(self, it: &SelectedPart<'_>) -> bool {
        it.images.start < it.images.end.min(self.omitted_images)
    }

    /// The tokens of a part. Each call of a deferred tool counts as it is sent through `call_tool`. That is
    /// an upper bound: a provider with deferred tools of its own gets the call without a wrapper.
    fn tokens_of(self, it: &SelectedPart<'_>, fixed: FixedTokens) -> u32 {
        let frame = it.part.as_call().map_or(0, |call| self.deferred.frame_tokens(call));
        let words = it.superseded.map_or(it.tokens, |output| {
            it.tokens.saturating_sub(output).saturating_add(fixed.read_again)
        });
        saturating_sum([words, self.image_tokens(it, fixed), frame])
    }

    /// The tokens of the images that are sent of a part, and of the note on omitted ones.
    fn image_tokens(self, it: &SelectedPart<'_>, fixed: FixedTokens) -> u32 {
        let shown = self.counted.tokens.shown.get(self.sent_images(it)).unwrap_or_default();
        let note = if self.omits_images(it) { fixed.images_omitted } else { 0 };
        saturating_sum(shown.iter().copied().chain([note]))
    }

    fn is_whole(self, it: &SelectedPart<'_>) -> bool {
        let withheld = matches!(it.part, ContentPart::Tool { call }
            if matches!(&call.state, ToolState::Done { output } if output.withheld));
        !withheld && it.superseded.is_none() && self.sent_images(it).len() == it.images.len()
    }

    /// A part as it is sent. A line replaces a withheld output (P09), another one that of a superseded read,
    /// and a third one ends an output whose images are omitted.
    fn as_sent(self, it: &SelectedPart<'_>) -> ContentPart {
        let mut part = it.part.clone();
        let ContentPart::Tool { call } = &mut part else { return part };
        let text = match it.superseded {
            Some(_) => prompts::READ_AGAIN.to_owned(),
            None => prompts::tool_result_text(call).into_owned(),
        };
        if let ToolState::Done { output } = &mut call.state {
            let seen = self.sent_images(it);
            let mut at = it.images.clone();
            output.pictures.retain(|_| at.next().is_some_and(|at| seen.contains(&at)));
            output.text = if self.omits_images(it) { text + prompts::LEFT_OUT } else { text };
        }
        part
    }
}
