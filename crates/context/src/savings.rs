//! The parts of the next request that may not be needed, each with the tokens that it takes.
//!
//! Not here: what they cost (`cost::estimate`), or leaving them out, which only the user does.

use std::cmp::Reverse;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Inclusion, ToolCall};
use skein_domain::tool_declaration::{CALL_TOOL, DESCRIBE_TOOL, ToolFamily};
use specta::Type;

use crate::compaction::{PlanOutcome, PlanPurpose, plan};
use crate::cost::estimate::CostEstimate;
use crate::limits::Limits;
use crate::limits::compaction_threshold::ASSUMED_WINDOW;
use crate::tokens::message_tokens::saturating_sum;
use crate::window::{
    EntryContent, FixedTokens, SectionKind, SelectedMessage, Window, read_same_file,
};

/// The number of savings that are named, at most.
const MOST_SAVINGS: usize = 5;
/// The smallest saving, in tokens; also a hundredth of the window.
const LEAST_TOKENS: u32 = 500;
/// The rounds within which a tool that is needed is called.
const TOOL_ROUNDS: u32 = 40;
/// With fewer complete rounds no tool is called unused.
const LEAST_TOOL_ROUNDS: u32 = 10;
/// The latest complete rounds, of which nothing is left out: the model likely works with them.
const RECENT_ROUNDS: u32 = 2;
/// A file of instructions is large from this share of the window on.
const LARGE_FILE: u32 = 50;
/// A compaction is worth a line if it saves this share of the window.
const LARGE_COMPACTION: u32 = 10;

/// A part of the request that may not be needed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContextSaving {
    /// The part.
    pub kind: SavingKind,
    /// The tokens of the part in every request.
    pub tokens: u32,
    /// The cost of these tokens in the next request: from the provider's cache at least, read anew at most.
    /// `None`: it was not estimated.
    pub cost: Option<CostEstimate>,
}

/// A part of the request, and with it the action that removes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SavingKind {
    /// Declared tools of servers that no call used; they can be switched off.
    UnusedTools {
        /// The names of the tools.
        tools: Vec<String>,
        /// The number of latest complete rounds without a call.
        rounds: u32,
    },
    /// An older message that is mostly a file or a picture; it can be left out.
    Attachment {
        /// The message.
        message: MessageId,
        /// The number of the message in the thread, from 1.
        number: u32,
        /// The name of the file.
        name: String,
    },
    /// An older message that is mostly a tool call and its result; it can be left out.
    ToolResult {
        /// The message.
        message: MessageId,
        /// The number of the message in the thread, from 1.
        number: u32,
        /// The name of the tool.
        tool: String,
    },
    /// A message that is sent beside the summary only because it is pinned; it can be unpinned. Its text is
    /// in the summary, too.
    Pinned {
        /// The message.
        message: MessageId,
        /// The number of the message in the thread, from 1.
        number: u32,
    },
    /// A file of instructions; the user can shorten it.
    InstructionFile {
        /// The path of the file.
        path: String,
    },
    /// The conversation so far; it can be compacted.
    Compaction {},
}

/// The largest parts of a request that may not be needed, the largest first. Each is for itself: a compaction
/// covers older messages, too.
pub fn context_savings(window: &Window<'_>, limits: Limits) -> Vec<ContextSaving> {
    let size = limits.max_prompt().unwrap_or(ASSUMED_WINDOW);
    let least = LEAST_TOKENS.max(size / 100);
    let whole = [unused_tools(window), compaction(window, limits, size)];
    let mut savings: Vec<_> = whole
        .into_iter()
        .flatten()
        .chain(instruction_files(window, size))
        .chain(messages(window))
        .filter(|saving| saving.tokens >= least)
        .collect();
    savings.sort_by_key(|saving| Reverse(saving.tokens));
    savings.truncate(MOST_SAVINGS);
    savings
}

fn saving(kind: SavingKind, tokens: u32) -> ContextSaving {
    ContextSaving { kind, tokens, cost: None }
}

/// `None` as well where tools are deferred for lack of room: once others are switched off, they take their
/// place.
fn unused_tools(window: &Window<'_>) -> Option<ContextSaving> {
    let complete = u32::try_from(window.rounds.complete_count()).unwrap_or(u32::MAX);
    if complete < LEAST_TOOL_ROUNDS || !window.conversation.prefix.deferred.tools.is_empty() {
        return None;
    }
    let path = window.conversation.path.iter().skip(window.rounds.start_of_last(TOOL_ROUNDS));
    let parts = path.flat_map(|counted| counted.message.parts.iter());
    let called: HashSet<_> = parts.filter_map(|part| Some(part.as_call()?.name.as_str())).collect();
    let is_unused = |name: &str| {
        // They stand for the tools that are not declared.
        ![CALL_TOOL, DESCRIBE_TOOL].contains(&name) && !called.contains(name)
    };
    let declared = window.conversation.prefix.tools.iter();
    let (tools, tokens): (Vec<_>, Vec<_>) = declared
        .filter(|tool| tool.declaration.family == ToolFamily::Mcp)
        .filter(|tool| is_unused(&tool.declaration.name))
        .map(|tool| (tool.declaration.name.clone(), tool.tokens))
        .unzip();
    let rounds = complete.min(TOOL_ROUNDS);
    Some(saving(SavingKind::UnusedTools { tools, rounds }, saturating_sum(tokens)))
}

fn compaction(window: &Window<'_>, limits: Limits, size: u32) -> Option<ContextSaving> {
    let PlanOutcome::Compact { plan } = plan(window, limits, PlanPurpose::UserRequest) else {
        return None;
    };
    let tokens = plan.before.saturating_sub(plan.expected_after);
    (tokens >= size / LARGE_COMPACTION).then(|| saving(SavingKind::Compaction {}, tokens))
}

fn instruction_files(window: &Window<'_>, size: u32) -> impl Iterator<Item = ContextSaving> {
    let sections = window.conversation.prefix.sections.iter();
    let large = sections.filter(move |section| section.content.tokens >= size / LARGE_FILE);
    large.filter_map(|section| {
        let SectionKind::Memory { path } = &section.kind else { return None };
        let kind = SavingKind::InstructionFile { path: path.clone() };
        Some(saving(kind, section.content.tokens))
    })
}

fn messages(window: &Window<'_>) -> impl Iterator<Item = ContextSaving> {
    let recent = window.rounds.start_of_last(RECENT_ROUNDS);
    let fixed = window.conversation.prefix.fixed;
    let sent = window.entries.iter().filter_map(|entry| entry.content.as_path_message());
    let superseded: Vec<_> =
        sent.flat_map(|sent| sent.superseded_reads()).map(|(call, _)| call).collect();
    window.entries.iter().filter_map(move |entry| {
        let kind = match entry.content {
            EntryContent::Pinned { sent, at } => {
                let message = sent.counted.message.id;
                if window.summaries().any(|it| it.point.unread.contains(&message)) {
                    return None;
                }
                SavingKind::Pinned { message, number: number(at) }
            }
            EntryContent::Message { sent, at } if at < recent => {
                large_part(sent, at, fixed, &superseded)?
            }
            _ => return None,
        };
        Some(saving(kind, entry.tokens))
    })
}

/// The number of the message with this index on the path, from 1.
fn number(at: usize) -> u32 {
    u32::try_from(at + 1).unwrap_or(u32::MAX)
}

/// The attachment or tool call that is most of a message; `None`: there is none, the message is pinned, or
/// the call supersedes an earlier read, whose output would come back in its place.
fn large_part(
    sent: SelectedMessage<'_>,
    at: usize,
    fixed: FixedTokens,
    superseded: &[&ToolCall],
) -> Option<SavingKind> {
    let message = sent.counted.message;
    let all = saturating_sum(sent.parts(fixed).map(|(_, tokens)| tokens));
    let (part, tokens) = sent.parts(fixed).max_by_key(|(_, tokens)| *tokens)?;
    if message.inclusion == Inclusion::Pinned || tokens < all.div_ceil(2) {
        return None;
    }
    let attachment = |name: &str| {
        let (message, number, name) = (message.id, number(at), name.to_owned());
        Some(SavingKind::Attachment { message, number, name })
    };
    match part {
        ContentPart::Text { .. } | ContentPart::Reasoning { .. } => None,
        ContentPart::Image(image) => attachment(&image.name),
        ContentPart::File { name, .. } => attachment(name),
        ContentPart::Tool { call } => {
            if superseded.iter().any(|earlier| read_same_file(earlier, call)) {
                return None;
            }
            let (message, number, tool) = (message.id, number(at), call.name.clone());
            Some(SavingKind::ToolResult { message, number, tool })
        }
    }
}
