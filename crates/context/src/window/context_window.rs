//! The assembled window, and the request made from it.
//!
//! Not here: selecting the entries (`assemble`).

use std::ops::Range;
use std::sync::Arc;

use skein_domain::compaction_point::CompactionPoint;
use skein_domain::message::ContentPart;
use skein_domain::tool_declaration::ToolDeclaration;

use super::applied_points::applied_points;
use super::image_limit;
use super::part_selection::SelectedMessage;
use super::prefix::{CountedTool, SECTION_JOIN, prefix_tokens};
use super::prompt::{Prompt, PromptMessage};
use super::prompt_entry::{EntryContent, PromptEntry};
use super::rounds::Rounds;
use super::superseded_reads::SupersededReads;
use super::window_input::{PointSummary, WindowInput};
use crate::tokens::message_tokens::{is_opaque, saturating_sum};
use crate::tokens::token_count::TokenCount;

/// A point that applies, and the messages that its summary replaces.
#[derive(Debug, Clone, Copy)]
pub struct AppliedRange<'a> {
    /// The point.
    pub summary: PointSummary<'a>,
    /// Index in the path of the first covered message.
    pub from: usize,
    /// Index in the path after the last covered message.
    pub to: usize,
}

/// The points that are `wanted` and apply to the path, in the order of the path.
pub(super) fn applied_ranges<'a>(
    conversation: &WindowInput<'a>,
    wanted: impl Fn(&CompactionPoint) -> bool,
) -> Vec<AppliedRange<'a>> {
    let points = conversation.points;
    let path = conversation.path.iter().map(|counted| counted.message.id);
    let wanted = points.iter().map(|it| it.point).filter(|point| wanted(point));
    let applied = applied_points(wanted, path).into_iter();
    let ranges = applied.filter_map(|span| {
        let summary = points.iter().find(|it| it.point.id == span.point.id)?;
        let Range { start: from, end: to } = span.covered;
        let encrypted = summary.encrypted.filter(|_| from == 0);
        Some(AppliedRange { summary: PointSummary { encrypted, ..*summary }, from, to })
    });
    ranges.collect()
}

/// The assembled request, entry by entry, borrowed from the conversation.
#[derive(Debug, Clone)]
pub struct Window<'a> {
    /// The conversation and settings it was assembled from.
    pub conversation: WindowInput<'a>,
    /// The point that covers the path from its first message on; `None`: the path is sent from there.
    pub applied_point: Option<PointSummary<'a>>,
    /// The points within the tail that apply, in the path's order.
    pub ranges: Vec<AppliedRange<'a>>,
    /// Index on the path of the first message after those that `applied_point` covers.
    pub tail_start: usize,
    /// Index on the path of the first message whose tool parts stay.
    pub tools_start: usize,
    /// Indexes on the path of the messages whose reads may be superseded.
    pub(super) cleaned_reads: Range<usize>,
    /// The rounds of the path.
    pub rounds: Rounds,
    /// Everything that is sent after the system prompt and the tools, in order.
    pub entries: Vec<PromptEntry<'a>>,
    /// The number of entries from the first that later requests repeat unchanged while the conversation only
    /// grows and has room for the images of tools, until the next batch of old tool calls leaves.
    pub stable_entries: usize,
    /// Tokens of the whole request, draft included.
    pub used: TokenCount,
}

impl<'a> Window<'a> {
    /// The newest point that applies, of the whole path or a range. It differs after each compaction and each
    /// undo of the newest one.
    pub fn latest_point(&self) -> Option<PointSummary<'a>> {
        self.summaries().max_by_key(|it| it.point.id)
    }

    /// The points that apply, in the path's order.
    pub fn summaries(&self) -> impl Iterator<Item = PointSummary<'a>> {
        let ranges = self.ranges.iter().map(|range| range.summary);
        self.applied_point.into_iter().chain(ranges)
    }

    /// The request. The same conversation gives the same bytes (law 9).
    pub fn prompt(&self) -> Prompt {
        self.prompt_of(&self.entries)
    }

    /// The request up to and including the message with index `last`, and its tokens.
    pub(crate) fn prompt_prefix(&self, last: usize) -> (Prompt, u32) {
        let end = self.entries.iter().position(|entry| match entry.content {
            EntryContent::Opening | EntryContent::SearchHint { .. } => false,
            EntryContent::Summary { at, .. }
            | EntryContent::Facts { at, .. }
            | EntryContent::Pinned { at, .. }
            | EntryContent::Message { at, .. }
            | EntryContent::ContinueReply { before: Some(at) } => at > last,
            EntryContent::Passages { .. }
            | EntryContent::Reminder { .. }
            | EntryContent::Draft { .. }
            | EntryContent::ContinueReply { before: None } => true,
        });
        let entries = self.entries.get(..end.unwrap_or(self.entries.len())).unwrap_or_default();
        let tokens = saturating_sum(entries.iter().map(|entry| entry.tokens));
        (self.prompt_of(entries), tokens.saturating_add(prefix_tokens(self.conversation.prefix)))
    }

    fn prompt_of(&self, entries: &[PromptEntry<'_>]) -> Prompt {
        let prefix = self.conversation.prefix;
        let mut messages: Vec<PromptMessage> = Vec::with_capacity(entries.len());
        let mut stable_messages = 0;
        let mut notices = Vec::new();
        let mut encrypted = None;
        for (index, entry) in entries.iter().enumerate() {
            let (role, parts) = entry.content.sent();
            encrypted = encrypted.or(entry.content.encrypted());
            // The items stand for a summary from the first message on: no entry comes before it. Nothing
            // joins the message that they take the place of.
            let joins =
                entry.content.joins_previous() && messages.len() > usize::from(encrypted.is_some());
            match messages.last_mut().filter(|_| joins) {
                Some(previous) => previous.parts = concat(&previous.parts, &parts),
                None => {
                    if entry.content.is_notice() {
                        notices.extend(u32::try_from(messages.len()));
                    }
                    messages.push(PromptMessage { role, parts });
                }
            }
            if index < self.stable_entries {
                stable_messages = u32::try_from(messages.len()).unwrap_or(u32::MAX);
            }
        }
        let sections = prefix.sections.iter().map(|section| section.content.text.as_str());
        Prompt {
            system: sections.collect::<Vec<_>>().join(SECTION_JOIN),
            tools: declarations(&prefix.tools),
            deferred: declarations(&prefix.deferred.tools),
            messages,
            stable_messages,
            notices,
            encrypted: encrypted.cloned(),
        }
    }

    /// True if the count is an estimate for other reasons than the tokenizer: images, whose tokens each
    /// provider counts differently, encrypted reasoning, or an encrypted summary.
    pub fn has_estimates(&self) -> bool {
        let fixed = self.conversation.prefix.fixed;
        let guessed = |sent: SelectedMessage<'_>| {
            sent.sends_tool_images() || sent.parts(fixed).any(|(part, _)| is_opaque(part))
        };
        self.entries.iter().any(|entry| {
            entry.content.attached().next().is_some()
                || entry.content.encrypted().is_some()
                || entry.content.as_path_message().is_some_and(guessed)
        })
    }

    /// Tokens of the request without the entries that match. Images that were omitted may have room then.
    pub(crate) fn tokens_excluding(&self, leaves: impl Fn(&EntryContent<'a>) -> bool) -> u32 {
        let prefix = self.conversation.prefix;
        let stay = self.entries.iter().filter(|entry| !leaves(&entry.content));
        let tokens = image_limit::tokens_together(stay, prefix.fixed);
        tokens.saturating_add(prefix_tokens(prefix))
    }

    /// Tokens that come back before a range when a summary covers it: its reads supersede none outside it.
    pub(crate) fn returning_read_tokens(&self, range: &Range<usize>) -> u32 {
        if range.start == 0 {
            return 0;
        }
        let is_covered = |at: usize| {
            range.contains(&at) || self.ranges.iter().any(|it| (it.from..it.to).contains(&at))
        };
        let path = self.conversation.path;
        let left = SupersededReads::within(path, self.cleaned_reads.clone(), is_covered);
        let fixed = self.conversation.prefix.fixed;
        let tokens = self.entries.iter().filter_map(|entry| match entry.content {
            EntryContent::Message { sent, at } if !range.contains(&at) => {
                Some(sent.returning_tokens(left.of_message(at), fixed))
            }
            _ => None,
        });
        saturating_sum(tokens)
    }

    /// Index of the first message of the round that the next call answers or continues: the current round, or
    /// the round whose reply was cut off. The length of the path if there is none.
    pub(crate) fn current_round_start(&self) -> usize {
        let mut entries = self.entries.iter().rev();
        let asked = entries.next().map(|entry| entry.content);
        let continues = matches!(asked, Some(EntryContent::ContinueReply { before: None }));
        let reply = entries.find_map(|entry| {
            let EntryContent::Message { sent, at } = entry.content else { return None };
            (!sent.counted.message.is_notice()).then_some(at)
        });
        let starts = self.rounds.starts();
        let before = reply.filter(|_| continues).map(|at| starts.partition_point(|it| *it <= at));
        let start = before.and_then(|count| starts.get(count.checked_sub(1)?));
        start.copied().unwrap_or_else(|| self.rounds.open_start())
    }

    /// FR-1.2, P03: true if the request has more tokens than `limit`. False if the limit is unknown (law 2).
    pub fn exceeds(&self, limit: Option<u32>) -> bool {
        limit.is_some_and(|limit| self.used.tokens > limit)
    }
}

fn declarations(tools: &[CountedTool]) -> Vec<ToolDeclaration> {
    tools.iter().map(|tool| tool.declaration.clone()).collect()
}

fn concat(one: &[ContentPart], other: &[ContentPart]) -> Arc<[ContentPart]> {
    one.iter().chain(other).cloned().collect()
}
