//! Selects the parts of the request and adds up their tokens.
//!
//! Not here: the parts of one message (`part_selection`), the limit on images (`image_limit`).

use std::ops::Range;

use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Notice, Role};

use super::context_window::{AppliedRange, Window, applied_ranges};
use super::encrypted_items::has_readable_text;
use super::image_limit;
use super::part_selection::{PartSelection, ReasoningReplay, RoundState, SelectedMessage};
use super::prefix::{FixedTokens, Prefix, prefix_tokens};
use super::prompt_entry::{EntryContent, PromptEntry};
use super::superseded_reads::SupersededReads;
use super::tool_cleaning::{CleanedPath, cleaned_path};
use super::window_input::{CountedDraft, WindowInput};
use crate::limits::policy::ToolCleaning;
use crate::tokens::message_tokens::{CountedMessageRef, MESSAGE_OVERHEAD, saturating_sum};
use crate::tokens::token_count::{TokenCount, token_count};
use crate::window::rounds::Rounds;

/// FR-1.7: assembles the window. The latest point whose boundary is on the path applies: its summary replaces
/// everything up to the boundary. Then come the pinned messages among those, then the messages after the
/// boundary, without old tool parts (FR-2) and without messages that are left out, with as many images as a
/// request takes. W01: a summary of a range stands in the place of its messages. Reminders come after the
/// history and before the current message, so that the cached prefix stays valid.
pub fn assemble<'a>(conversation: WindowInput<'a>) -> Window<'a> {
    let path = conversation.path;
    let applied = applied_ranges(&conversation, |_| true);
    let first = applied.first().filter(|range| range.from == 0).copied();
    let point = first.map(|range| range.summary);
    let tail_from = first.map_or(0, |range| range.to);
    let ranges: Vec<_> = applied.iter().copied().filter(|range| range.from > 0).collect();
    let rounds = Rounds::of(path.iter().map(|counted| counted.message));
    let covered_to = applied.last().map_or(0, |range| range.to);
    let current_from = match conversation.draft {
        None => rounds.open_start().max(covered_to),
        Some(_) => path.len(),
    };
    let CleanedPath { kept_from, cleaned_to } = cleaned_path(&conversation, first, &rounds);
    let is_covered = |at: usize| applied.iter().any(|it| (it.from..it.to).contains(&at));
    let reads = kept_from.max(tail_from)..cleaned_to;
    let superseded = SupersededReads::within(path, reads.clone(), is_covered);
    let tools = SentTools { open_from: rounds.open_start(), kept_from, superseded: &superseded };
    let tail = |range| messages(&conversation, range, tools);
    let mut entries = Vec::with_capacity(path.len().saturating_sub(tail_from) + 8);
    let mut next = 0;
    for (index, range) in applied.into_iter().enumerate() {
        entries.extend(tail(next..range.from));
        entries.extend(summary_entries(&conversation, range, index == 0));
        next = range.to;
    }
    entries.extend(tail(next..current_from));
    entries.extend(passages_and_reminders(&conversation));
    entries.extend(tail(current_from..path.len()));
    entries.extend(conversation.draft.map(draft_entry));
    image_limit::fit_images(&mut entries, conversation.prefix.fixed);
    if opens_with_model(&entries) {
        let tokens = conversation.prefix.fixed.opening;
        entries.insert(0, PromptEntry { content: EntryContent::Opening, tokens });
    }
    if conversation.draft.is_none() {
        entries.extend(continue_entry(&conversation, &entries));
    }
    let stable = count_stable_entries(&entries, &conversation);
    Window {
        applied_point: point,
        ranges,
        tail_start: tail_from,
        tools_start: kept_from,
        cleaned_reads: reads,
        stable_entries: stable,
        used: used(&conversation, &entries),
        rounds,
        entries,
        conversation,
    }
}

/// The tool calls that are sent.
#[derive(Clone, Copy)]
struct SentTools<'s> {
    /// Index of the first message of the round in progress.
    open_from: usize,
    /// Index of the first message whose tool parts stay.
    kept_from: usize,
    superseded: &'s SupersededReads,
}

/// The entries of the messages with an index in `range`.
fn messages<'a, 's>(
    conversation: &WindowInput<'a>,
    range: Range<usize>,
    tools: SentTools<'s>,
) -> impl Iterator<Item = PromptEntry<'a>> + use<'a, 's> {
    let WindowInput { path, prefix, reasoning_replay, .. } = *conversation;
    let fixed = prefix.fixed;
    let part = range.filter_map(move |at| {
        let at = index_to_send(path, at);
        Some((at, path.get(at)?))
    });
    let sent = part.map(move |(at, counted)| {
        let round = match at {
            at if at >= tools.open_from => RoundState::InProgress,
            at if at >= tools.kept_from || counted.message.is_pinned() => RoundState::Kept,
            _ => RoundState::Cleaned,
        };
        let selection = PartSelection::of(reasoning_replay, round);
        let superseded = tools.superseded.of_message(at);
        (at, counted.message, select(*counted, selection, prefix, superseded))
    });
    // A reply that continued a cut one had a request to continue before it, which stays in the history.
    let mut was_cut_off = false;
    sent.flat_map(move |(at, message, sent)| {
        let continues = was_cut_off && sent.is_some() && message.role == Role::Assistant;
        was_cut_off = match (message.role, sent) {
            _ if message.is_notice() => was_cut_off,
            // An empty reply did not continue the cut one.
            (Role::Assistant, None) => was_cut_off,
            (Role::User | Role::Assistant, sent) => sent.is_some_and(|it| is_cut_off(it, fixed)),
        };
        let asked = EntryContent::ContinueReply { before: Some(at) };
        let asked =
            continues.then_some(PromptEntry { content: asked, tokens: fixed.continue_reply });
        let own = sent.map(|sent| {
            let tokens = sent.tokens(fixed);
            PromptEntry { content: EntryContent::Message { sent, at }, tokens }
        });
        asked.into_iter().chain(own)
    })
}

/// The index of the message to send at position `at`. A notice about the window is stored after a message of
/// the user and is sent before it, so that the model answers the user.
fn index_to_send(path: &[CountedMessageRef<'_>], at: usize) -> usize {
    let is_notice = |at: usize| path.get(at).is_some_and(|it| is_about_the_window(it.message));
    let is_said = |at: usize| path.get(at).is_some_and(|it| is_of_user(it.message));
    let before = path.iter().take(at + 1).rev();
    let notices = before.take_while(|it| is_about_the_window(it.message)).count();
    match at.checked_sub(notices).filter(|said| is_said(*said)) {
        Some(_) if is_notice(at + 1) => at + 1,
        Some(said) => said,
        None => at,
    }
}

fn is_about_the_window(message: &Message) -> bool {
    match &message.kind {
        MessageKind::Notice { notice } => match notice {
            Notice::Caution { .. } | Notice::Critical { .. } => true,
            Notice::Archived { .. } | Notice::Cleared { .. } => false,
        },
        MessageKind::Chat {} | MessageKind::Summary { .. } | MessageKind::Card {} => false,
    }
}

fn is_of_user(message: &Message) -> bool {
    message.role == Role::User && message.kind == (MessageKind::Chat {})
}

fn draft_entry(draft: CountedDraft<'_>) -> PromptEntry<'_> {
    PromptEntry { content: EntryContent::Draft { draft }, tokens: draft.tokens.total() }
}

/// The tokens of the whole request. The basis is the least certain one of all parts.
fn used(conversation: &WindowInput<'_>, entries: &[PromptEntry<'_>]) -> TokenCount {
    let tokens = saturating_sum(entries.iter().map(|entry| entry.tokens));
    let bases = entries.iter().filter_map(|entry| match entry.content {
        EntryContent::Message { sent, .. } | EntryContent::Pinned { sent, .. } => {
            Some(sent.counted.tokens.basis)
        }
        EntryContent::Summary { covered, .. } => Some(covered.summary.tokens.basis),
        EntryContent::Draft { draft } => Some(draft.tokens.basis),
        EntryContent::Opening
        | EntryContent::Facts { .. }
        | EntryContent::SearchHint { .. }
        | EntryContent::Passages { .. }
        | EntryContent::Reminder { .. }
        | EntryContent::ContinueReply { .. } => None,
    });
    let prefix = conversation.prefix;
    token_count(tokens.saturating_add(prefix_tokens(prefix)), bases.chain([prefix.basis]))
}

/// The entries that replace the messages of a range: summary, facts, search hint and pinned messages. Only
/// the first summary of a request carries the hint.
fn summary_entries<'a>(
    conversation: &WindowInput<'a>,
    AppliedRange { summary: covered, from: at, to }: AppliedRange<'a>,
    carries_hint: bool,
) -> impl Iterator<Item = PromptEntry<'a>> {
    let text_tokens = saturating_sum(covered.summary.parts().map(|(_, tokens)| tokens));
    let readable = text_tokens.saturating_add(conversation.prefix.fixed.summary);
    let summary = PromptEntry {
        content: EntryContent::Summary { covered, at },
        tokens: covered.encrypted.map_or(readable, |encrypted| encrypted.tokens),
    };
    // Items with the user's messages word for word have the facts too.
    let has_facts = covered.encrypted.is_some_and(|it| has_readable_text(&it.items));
    let facts = covered.facts.filter(|_| !has_facts);
    let hint = conversation.history_access.hint().filter(|_| carries_hint);
    // The first entry behind the items begins a message. All entries join a readable summary.
    let begins = covered.encrypted.map_or(0, |_| MESSAGE_OVERHEAD);
    let hint_begins = if facts.is_some() { 0 } else { begins };
    let facts = facts.map(|facts| PromptEntry {
        content: EntryContent::Facts { text: &facts.text, at },
        tokens: facts.tokens.saturating_add(begins),
    });
    let hint = hint.map(|hint| PromptEntry {
        content: EntryContent::SearchHint { text: &hint.text },
        tokens: hint.tokens.saturating_add(hint_begins),
    });
    let messages = conversation.path.iter().enumerate().take(to).skip(at);
    let selection = PartSelection::of(conversation.reasoning_replay, RoundState::Kept);
    let prefix = conversation.prefix;
    let pins = messages.filter_map(move |(at, counted)| pinned(*counted, at, selection, prefix));
    [Some(summary), facts, hint].into_iter().flatten().chain(pins)
}

/// The entry of a covered message that is pinned; `None`: it is not.
fn pinned<'a>(
    counted: CountedMessageRef<'a>,
    at: usize,
    selection: PartSelection,
    prefix: &'a Prefix,
) -> Option<PromptEntry<'a>> {
    let sent = select(counted, selection, prefix, 0).filter(|_| counted.message.is_pinned())?;
    let tokens = sent.tokens(prefix.fixed);
    Some(PromptEntry { content: EntryContent::Pinned { sent, at }, tokens })
}

/// True if the first message is the model's.
fn opens_with_model(entries: &[PromptEntry<'_>]) -> bool {
    let first = entries.first().and_then(|entry| entry.content.as_path_message());
    first.is_some_and(|sent| sent.counted.message.role == Role::Assistant)
}

/// A message of the path with its selected parts; `None`: nothing of it is sent (FR-2.3).
fn select<'a>(
    counted: CountedMessageRef<'a>,
    selection: PartSelection,
    prefix: &'a Prefix,
    superseded: u64,
) -> Option<SelectedMessage<'a>> {
    if counted.message.is_left_out() {
        return None;
    }
    match counted.message.kind {
        MessageKind::Chat {} | MessageKind::Notice { .. } => {}
        MessageKind::Summary { .. } | MessageKind::Card {} => return None,
    }
    let parts = &counted.message.parts;
    let is_left = parts.iter().any(|part| selection.includes(part) && part.has_content());
    is_left.then(|| SelectedMessage::new(counted, selection, &prefix.deferred, superseded))
}

/// The entries between the history and the current message.
fn passages_and_reminders<'a>(
    conversation: &WindowInput<'a>,
) -> impl Iterator<Item = PromptEntry<'a>> {
    let passages = conversation.passages.map(|passages| PromptEntry {
        content: EntryContent::Passages { text: &passages.text },
        tokens: passages.tokens.saturating_add(MESSAGE_OVERHEAD),
    });
    let frame = conversation.prefix.fixed.reminders;
    let reminders =
        conversation.reminders.iter().enumerate().map(move |(index, counted)| PromptEntry {
            content: EntryContent::Reminder { reminder: counted.reminder, first: index == 0 },
            tokens: counted.tokens.saturating_add(if index == 0 { frame } else { 0 }),
        });
    passages.into_iter().chain(reminders)
}

/// The request to continue the last reply; `None`: that was not cut off, or a summary follows it.
fn continue_entry<'a>(
    conversation: &WindowInput<'a>,
    entries: &[PromptEntry<'a>],
) -> Option<PromptEntry<'a>> {
    let is_summary =
        |entry: &PromptEntry<'_>| matches!(entry.content, EntryContent::Summary { .. });
    let after_summary = entries.iter().rev().take_while(|entry| !is_summary(entry));
    let mut tail = after_summary.filter_map(|entry| entry.content.as_tail_message());
    let last = tail.find(|sent| !sent.counted.message.is_notice())?;
    let fixed = conversation.prefix.fixed;
    let content = EntryContent::ContinueReply { before: None };
    is_cut_off(last, fixed).then_some(PromptEntry { content, tokens: fixed.continue_reply })
}

/// True if a message is a reply that was cut off within its text. A reply that ends with a tool call
/// continues by itself after the call's result.
fn is_cut_off(sent: SelectedMessage<'_>, fixed: FixedTokens) -> bool {
    let message = sent.counted.message;
    let was_cut_off = match message.state {
        MessageState::Interrupted {} | MessageState::Failed { .. } | MessageState::Ended { .. } => {
            message.role == Role::Assistant
        }
        MessageState::Streaming {} | MessageState::Complete {} => false,
    };
    let ends_with_call = || matches!(sent.parts(fixed).last(), Some((ContentPart::Tool { .. }, _)));
    was_cut_off && !ends_with_call()
}

/// The number of entries from the first that the next requests repeat unchanged. The opening does not count
/// alone: it is sent only before a message of the model.
fn count_stable_entries(entries: &[PromptEntry<'_>], conversation: &WindowInput<'_>) -> usize {
    let stable = entries.iter().take_while(|entry| is_stable(entry, conversation)).count();
    match entries.first().map(|entry| entry.content) {
        Some(EntryContent::Opening) if stable == 1 => 0,
        _ => stable,
    }
}

/// True if later requests repeat an entry unchanged while the conversation only grows.
fn is_stable(entry: &PromptEntry<'_>, conversation: &WindowInput<'_>) -> bool {
    match entry.content {
        EntryContent::Opening
        | EntryContent::Summary { .. }
        | EntryContent::Facts { .. }
        | EntryContent::SearchHint { .. }
        | EntryContent::Pinned { .. }
        | EntryContent::ContinueReply { before: Some(_) } => true,
        EntryContent::Passages { .. }
        | EntryContent::Reminder { .. }
        | EntryContent::Draft { .. }
        | EntryContent::ContinueReply { before: None } => false,
        EntryContent::Message { sent: SelectedMessage { counted, selection, .. }, .. } => {
            let message = counted.message;
            let cleaning = conversation.tool_cleaning;
            let tools_leave = !message.is_pinned() && cleaning == ToolCleaning::EverySend;
            let reasoning_leaves = match conversation.reasoning_replay {
                ReasoningReplay::WithTools => tools_leave,
                ReasoningReplay::Never | ReasoningReplay::InProgress => true,
            };
            let may_leave = message.parts.iter().any(|part| match part {
                ContentPart::Tool { .. } => {
                    selection != PartSelection::WithoutReasoningAndTools && tools_leave
                }
                ContentPart::Reasoning { .. } => {
                    selection == PartSelection::Everything && reasoning_leaves
                }
                ContentPart::Text { .. } | ContentPart::Image(_) | ContentPart::File { .. } => {
                    false
                }
            });
            !may_leave && !matches!(message.state, MessageState::Streaming {})
        }
    }
}
