//! The breakdown of a window's tokens (Q01–Q14): rows that sum to the window, in whole tokens.
//!
//! Not here: colours, percents, texts.

use serde::{Deserialize, Serialize};
use skein_domain::message::{ContentPart, Origin};
use skein_domain::strategy::Strategy;
use specta::Type;

use super::deferred_tools_report::{DeferredToolsReport, deferred_tools};
use super::superseded_reads::{SupersededRead, superseded_reads};
use crate::health::usage::UsageReport;
use crate::limits::compaction_threshold::ASSUMED_WINDOW;
use crate::limits::{Limits, scale};
use crate::tokens::message_tokens::saturating_sum;
use crate::window::{
    CountedTool, EntryContent, FixedTokens, PointSummary, SectionKind, SelectedMessage, Window,
};
use skein_domain::tool_declaration::ToolFamily;

/// The window by category.
///
/// The tokens of `rows` sum to `window + over` (Q01).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Breakdown {
    /// The size of the window in tokens, or the largest prompt if the provider takes less.
    pub window: u32,
    /// True if the size is assumed because neither is known.
    pub assumed: bool,
    /// The source of the numbers.
    pub mode: BreakdownMode,
    /// The rows in the order they are shown.
    pub rows: Vec<BreakdownRow>,
    /// Tokens by which the rows exceed the window; 0 if they do not.
    pub over: u32,
    /// The prompt size in tokens from which on every token costs more; `None`: there is none within the
    /// window.
    #[serde(default)]
    pub price_step: Option<u32>,
    /// The deferred tools, which are in no row; `None`: there are none.
    #[serde(default)]
    pub deferred_tools: Option<DeferredToolsReport>,
    /// W06: the superseded reads, whose outputs are in no row.
    #[serde(default)]
    pub superseded_reads: Vec<SupersededRead>,
}

/// The source of a breakdown's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BreakdownMode {
    /// Q11, mode A: no report applies. Every row is an estimate, and the used rows sum to the estimate beside
    /// the composer, draft included.
    Estimated {},
    /// Q12, mode B: the provider's report applies.
    Reported {
        /// Prompt tokens; the used rows sum to it.
        total: u32,
        /// Prompt tokens read from the provider's cache; `None`: not reported. They are part of `total`.
        cached: Option<u32>,
    },
}

/// A row of the breakdown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BreakdownRow {
    /// The category.
    pub kind: BreakdownCategory,
    /// The tokens of the row.
    pub tokens: u32,
    /// The parts, largest first. They sum to the row; the parts of skills may sum to less.
    pub parts: Vec<BreakdownPart>,
}

/// A category of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum BreakdownCategory {
    /// Q02: the system prompt.
    SystemPrompt,
    /// Q03: the declarations of the built-in tools.
    BuiltInTools,
    /// Q04: the declarations of MCP tools; absent if there are none.
    McpTools,
    /// Q05, Q06: the names and descriptions of skills, not their contents.
    Skills,
    /// Q07: memory files.
    MemoryFiles,
    /// Q08, Q11: the reported tokens beyond the rows above, or the estimate of the messages.
    Messages,
    /// Q09: the tokens that still fit before an automatic action.
    FreeSpace,
    /// Q10: the tokens that automatic compaction or archiving keeps free.
    AutocompactBuffer,
}

/// A part of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BreakdownPart {
    /// The kind of part.
    pub label: BreakdownPartLabel,
    /// The tokens of the part.
    pub tokens: u32,
}

/// The kind of a part of a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BreakdownPartLabel {
    /// A tool, a skill or a memory file.
    Named {
        /// The name of the tool, skill or file.
        name: String,
    },
    /// The program's own text in the system prompt.
    Program {},
    /// The user's instructions for all sessions, in the system prompt.
    Standing {},
    /// The user's instructions for this session, in the system prompt.
    Instructions {},
    /// Messages of the user.
    Person {},
    /// Text of the model.
    Model {},
    /// Tool calls and their results.
    ToolResults {},
    /// Images and files.
    Attachments {},
    /// The summary, its facts and retrieved passages.
    Summary {},
    /// W09: the items of a provider's own compaction.
    EncryptedSummary {},
    /// Reminders and notices.
    Reminders {},
    /// The composer's draft; only in mode A, because no report includes it.
    Draft {},
    /// Reported tokens that the estimate does not account for.
    Unattributed {},
}

/// The breakdown of a window. `report` is the one that applies
/// ([`crate::health::usage::LastReport::current`]); without it the numbers are estimates.
pub fn breakdown(window: &Window<'_>, limits: Limits, report: Option<&UsageReport>) -> Breakdown {
    let known = limits.max_prompt();
    let size = known.unwrap_or(ASSUMED_WINDOW);
    let mut rows = overhead_rows(window);
    let mode = match report.and_then(|report| Some((report, report.usage.prompt?))) {
        None => {
            rows.push(row(
                BreakdownCategory::Messages,
                MessageShares::of(window).parts_with_draft(),
            ));
            BreakdownMode::Estimated {}
        }
        Some((report, total)) => {
            scale_down(&mut rows, total);
            let messages = total.saturating_sub(used(&rows));
            rows.push(reported_messages_row(window, messages));
            BreakdownMode::Reported { total, cached: report.usage.cached }
        }
    };
    let used = used(&rows);
    let trigger = automatic_action_limit(window, limits).unwrap_or(size).min(size);
    let free = trigger.saturating_sub(used);
    let buffer = size.saturating_sub(used).saturating_sub(free);
    rows.push(BreakdownRow { kind: BreakdownCategory::FreeSpace, tokens: free, parts: Vec::new() });
    rows.push(BreakdownRow {
        kind: BreakdownCategory::AutocompactBuffer,
        tokens: buffer,
        parts: Vec::new(),
    });
    Breakdown {
        window: size,
        assumed: known.is_none(),
        mode,
        rows,
        over: used.saturating_sub(size),
        price_step: limits.price_step.filter(|step| *step <= size),
        deferred_tools: deferred_tools(window),
        superseded_reads: superseded_reads(window),
    }
}

/// The prompt size in tokens above which an automatic action happens; `None`: none does.
fn automatic_action_limit(window: &Window<'_>, limits: Limits) -> Option<u32> {
    let policy = window.conversation.policy;
    match policy.strategy {
        Strategy::Summarize if policy.automatic => limits.threshold(policy),
        Strategy::Archive if policy.automatic => limits.archive_threshold(policy),
        Strategy::Summarize | Strategy::Archive | Strategy::Remind => None,
    }
}

fn used(rows: &[BreakdownRow]) -> u32 {
    saturating_sum(rows.iter().map(|row| row.tokens))
}

/// Q02–Q07: the rows of the prefix, which every call sends.
fn overhead_rows(window: &Window<'_>) -> Vec<BreakdownRow> {
    let prefix = window.conversation.prefix;
    let mut system = Vec::new();
    let mut memory = Vec::new();
    let mut servers = Vec::new();
    for section in &prefix.sections {
        let tokens = section.content.tokens;
        match &section.kind {
            SectionKind::System {} => {
                system.push(BreakdownPart { label: BreakdownPartLabel::Program {}, tokens })
            }
            SectionKind::Standing {} => {
                system.push(BreakdownPart { label: BreakdownPartLabel::Standing {}, tokens })
            }
            SectionKind::Instructions {} => {
                system.push(BreakdownPart { label: BreakdownPartLabel::Instructions {}, tokens });
            }
            SectionKind::Memory { path } => memory.push(named(path, tokens)),
            SectionKind::Server { name } => servers.push(named(name, tokens)),
        }
    }
    let family = |family: ToolFamily| {
        let tools = prefix.tools.iter().filter(move |tool| tool.declaration.family == family);
        tools.map(|tool: &CountedTool| named(&tool.declaration.name, tool.tokens))
    };
    let skills = BreakdownRow {
        kind: BreakdownCategory::Skills,
        tokens: saturating_sum(family(ToolFamily::Skill).map(|part| part.tokens)),
        parts: largest_first(prefix.skills.iter().map(|skill| named(&skill.name, skill.tokens))),
    };
    let mcp = Some(row(BreakdownCategory::McpTools, family(ToolFamily::Mcp).chain(servers)));
    [
        Some(row(BreakdownCategory::SystemPrompt, system)),
        Some(row(BreakdownCategory::BuiltInTools, family(ToolFamily::BuiltIn))),
        mcp.filter(|mcp| !mcp.parts.is_empty()),
        Some(skills),
        Some(row(BreakdownCategory::MemoryFiles, memory)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub(super) fn named(name: &str, tokens: u32) -> BreakdownPart {
    BreakdownPart { label: BreakdownPartLabel::Named { name: name.to_owned() }, tokens }
}

/// A row that is the sum of its parts.
fn row(kind: BreakdownCategory, parts: impl IntoIterator<Item = BreakdownPart>) -> BreakdownRow {
    let parts = largest_first(parts);
    BreakdownRow { kind, tokens: saturating_sum(parts.iter().map(|part| part.tokens)), parts }
}

pub(super) fn largest_first(parts: impl IntoIterator<Item = BreakdownPart>) -> Vec<BreakdownPart> {
    let mut parts: Vec<BreakdownPart> = parts.into_iter().collect();
    parts.sort_by(|a, b| b.tokens.cmp(&a.tokens).then_with(|| a.label.cmp(&b.label)));
    parts
}

/// Q08: scales the rows of the prefix down if their estimate exceeds the total: each row becomes
/// `floor(row × total / overhead)`, and its parts accordingly.
fn scale_down(rows: &mut [BreakdownRow], total: u32) {
    let overhead = used(rows);
    if overhead <= total {
        return;
    }
    for row in rows {
        let tokens = scale(row.tokens, total, overhead);
        fit(&mut row.parts, row.tokens, tokens);
        row.tokens = tokens;
    }
}

/// Scales parts of a sum of `from` tokens to `to`, in whole tokens. The tokens lost by rounding down go to
/// the largest parts, one each.
fn fit(parts: &mut [BreakdownPart], from: u32, to: u32) {
    let before = saturating_sum(parts.iter().map(|part| part.tokens));
    let target = scale(before, to, from);
    for part in parts.iter_mut() {
        part.tokens = scale(part.tokens, to, from);
    }
    let missing = target.saturating_sub(saturating_sum(parts.iter().map(|part| part.tokens)));
    for part in parts.iter_mut().take(usize::try_from(missing).unwrap_or(usize::MAX)) {
        part.tokens = part.tokens.saturating_add(1);
    }
}

/// Q08: the messages are the rest of the total. Their parts are estimates; the part that these do not account
/// for has a label of its own.
fn reported_messages_row(window: &Window<'_>, tokens: u32) -> BreakdownRow {
    let mut parts = largest_first(MessageShares::of(window).parts());
    let estimated = saturating_sum(parts.iter().map(|part| part.tokens));
    if estimated > tokens {
        fit(&mut parts, estimated, tokens);
    } else {
        let label = BreakdownPartLabel::Unattributed {};
        parts.push(BreakdownPart { label, tokens: tokens.saturating_sub(estimated) });
    }
    parts.retain(|part| part.tokens > 0);
    BreakdownRow { kind: BreakdownCategory::Messages, tokens, parts: largest_first(parts) }
}

/// Estimated tokens of the messages by kind.
#[derive(Default)]
struct MessageShares {
    user: u32,
    model: u32,
    tools: u32,
    attachments: u32,
    summary: u32,
    encrypted: u32,
    reminders: u32,
    draft: u32,
}

impl MessageShares {
    fn of(window: &Window<'_>) -> Self {
        let mut shares = Self::default();
        for entry in &window.entries {
            shares.add(&entry.content, entry.tokens, window.conversation.prefix.fixed);
        }
        shares
    }

    fn add(&mut self, content: &EntryContent<'_>, tokens: u32, fixed: FixedTokens) {
        match content {
            EntryContent::Summary { covered: PointSummary { encrypted: Some(_), .. }, .. } => {
                add_tokens(&mut self.encrypted, tokens);
            }
            EntryContent::Summary { .. }
            | EntryContent::Facts { .. }
            | EntryContent::SearchHint { .. }
            | EntryContent::Passages { .. } => add_tokens(&mut self.summary, tokens),
            EntryContent::Opening
            | EntryContent::Reminder { .. }
            | EntryContent::ContinueReply { .. } => {
                add_tokens(&mut self.reminders, tokens);
            }
            EntryContent::Pinned { sent, .. } | EntryContent::Message { sent, .. } => {
                self.add_message(*sent, fixed);
            }
            EntryContent::Draft { .. } => add_tokens(&mut self.draft, tokens),
        }
    }

    fn add_message(&mut self, sent: SelectedMessage<'_>, fixed: FixedTokens) {
        let words = match sent.counted.message.origin {
            Origin::Person => &mut self.user,
            Origin::Model => &mut self.model,
            Origin::Runtime => &mut self.reminders,
        };
        add_tokens(words, sent.counted.tokens.overhead);
        for (part, tokens) in sent.parts(fixed) {
            match part {
                ContentPart::Text { .. } | ContentPart::Reasoning { .. } => {
                    add_tokens(words, tokens)
                }
                ContentPart::Image(_) | ContentPart::File { .. } => {
                    add_tokens(&mut self.attachments, tokens);
                }
                ContentPart::Tool { .. } => add_tokens(&mut self.tools, tokens),
            }
        }
    }

    fn parts_with_draft(self) -> impl Iterator<Item = BreakdownPart> {
        let draft = BreakdownPart { label: BreakdownPartLabel::Draft {}, tokens: self.draft };
        self.parts().chain([draft]).filter(|part| part.tokens > 0)
    }

    /// The parts without the draft, which no report includes.
    fn parts(self) -> impl Iterator<Item = BreakdownPart> {
        [
            (BreakdownPartLabel::Person {}, self.user),
            (BreakdownPartLabel::Model {}, self.model),
            (BreakdownPartLabel::ToolResults {}, self.tools),
            (BreakdownPartLabel::Attachments {}, self.attachments),
            (BreakdownPartLabel::Summary {}, self.summary),
            (BreakdownPartLabel::EncryptedSummary {}, self.encrypted),
            (BreakdownPartLabel::Reminders {}, self.reminders),
        ]
        .into_iter()
        .map(|(label, tokens)| BreakdownPart { label, tokens })
    }
}

fn add_tokens(sum: &mut u32, tokens: u32) {
    *sum = sum.saturating_add(tokens);
}
