//! Choosing what is sent, and adding it up.

use std::collections::HashMap;
use std::ops::Range;

use super::{
    Conversation, Covered, Draft, Frames, Keep, Line, LineContent, Prefix, ReasoningBack, Round,
    Sent, Window, pictures,
};
use crate::cleaning::Rounds;
use crate::counting::{Counted, MESSAGE_OVERHEAD, counted, sum};
use crate::message::{ContentPart, MessageId, MessageKind, MessageState, Role};
use crate::policy::ToolCleaning;
use crate::usage::TokenCount;

/// FR-1.7: what the model will see. The latest point whose boundary is on the path applies; its
/// summary stands for everything up to the boundary, then come the pinned messages among that, then
/// what follows, cleaned (FR-2), without what is left out, with as many pictures as a request takes.
/// Reminders come after the history and before the current message, so that the cached prefix survives.
pub fn assemble<'a>(conversation: Conversation<'a>) -> Window<'a> {
    let path = conversation.path;
    let applying = latest_on_path(path, conversation.points);
    let rounds = Rounds::of(path.iter().map(|counted| counted.message));
    let tail_from = applying.map_or(0, |(_, boundary)| boundary + 1);
    let current_from = match conversation.draft {
        None => rounds.open_from().max(tail_from),
        Some(_) => path.len(),
    };
    let tools_from = tools_from(&conversation, applying, &rounds);
    let tail = |range| messages(&conversation, range, rounds.open_from(), tools_from);
    let mut lines = Vec::with_capacity(path.len().saturating_sub(tail_from) + 8);
    lines.extend(applying.into_iter().flat_map(|it| standing_in(&conversation, it)));
    lines.extend(tail(tail_from..current_from));
    lines.extend(at_hand(&conversation));
    lines.extend(tail(current_from..path.len()));
    lines.extend(conversation.draft.map(drafted));
    pictures::fit(&mut lines, conversation.prefix.frames);
    if opens_with_model(&lines) {
        let tokens = conversation.prefix.frames.opening;
        lines.insert(0, Line { content: LineContent::Opening, tokens });
    }
    if conversation.draft.is_none() {
        lines.extend(go_on(&conversation, &lines));
    }
    let stable = |line: &Line<'_>| is_stable(line, &conversation);
    Window {
        covered: applying.map(|(covered, _)| covered),
        tail_from,
        stable_lines: lines.iter().take_while(|line| stable(line)).count(),
        used: used(&conversation, &lines),
        rounds,
        lines,
        conversation,
    }
}

/// The messages of a part of the path, each as it is sent.
fn messages<'a>(
    conversation: &Conversation<'a>,
    range: Range<usize>,
    open_from: usize,
    tools_from: usize,
) -> impl Iterator<Item = Line<'a>> + use<'a> {
    let Conversation { path, prefix, reasoning_back, .. } = *conversation;
    let part = path.iter().enumerate().take(range.end).skip(range.start);
    part.filter_map(move |(at, counted)| {
        let round = match at {
            at if at >= open_from => Round::InProgress,
            at if at >= tools_from || counted.message.is_pinned() => Round::Kept,
            _ => Round::Cleaned,
        };
        let sent = sent(*counted, Keep::of(reasoning_back, round))?;
        let tokens = sent.tokens(prefix.frames);
        Some(Line { content: LineContent::Message { sent, at }, tokens })
    })
}

fn drafted(draft: Draft<'_>) -> Line<'_> {
    Line { content: LineContent::Draft { draft }, tokens: draft.tokens.total() }
}

/// Everything together. Its basis is the weakest of what it is made of.
fn used(conversation: &Conversation<'_>, lines: &[Line<'_>]) -> TokenCount {
    let tokens = sum(lines.iter().map(|line| line.tokens));
    let bases = lines.iter().filter_map(|line| match line.content {
        LineContent::Message { sent, .. } | LineContent::Pinned { sent } => {
            Some(sent.counted.tokens.basis)
        }
        LineContent::Summary { covered } => Some(covered.summary.tokens.basis),
        LineContent::Draft { draft } => Some(draft.tokens.basis),
        LineContent::Opening
        | LineContent::Anchors { .. }
        | LineContent::Recall { .. }
        | LineContent::Passages { .. }
        | LineContent::Reminder { .. }
        | LineContent::GoOn => None,
    });
    let prefix = conversation.prefix;
    counted(tokens.saturating_add(overhead(prefix)), bases.chain([prefix.basis]))
}

/// Tokens of the system prompt and of the tools.
pub(crate) fn overhead(prefix: &Prefix) -> u32 {
    let sections = prefix.sections.iter().map(|section| section.content.tokens);
    sum(sections.chain(prefix.tools.iter().map(|tool| tool.tokens)))
}

/// The index on the path of a message.
pub(crate) fn position(path: &[Counted<'_>], id: MessageId) -> Option<usize> {
    path.iter().rposition(|counted| counted.message.id == id)
}

/// The point that covers most of the path, the newest among equals, with its boundary's index.
fn latest_on_path<'a>(
    path: &[Counted<'a>],
    points: &'a [Covered<'a>],
) -> Option<(Covered<'a>, usize)> {
    if points.is_empty() {
        return None;
    }
    let mut newest = HashMap::with_capacity(points.len());
    for covered in points {
        let at_boundary = newest.entry(covered.point.boundary_message_id).or_insert(*covered);
        if covered.point.id > at_boundary.point.id {
            *at_boundary = *covered;
        }
    }
    let mut from_the_end = path.iter().enumerate().rev();
    from_the_end.find_map(|(at, counted)| Some((*newest.get(&counted.message.id)?, at)))
}

/// Index on the path of the first message whose tool parts stay (FR-2.2).
fn tools_from(
    conversation: &Conversation<'_>,
    applying: Option<(Covered<'_>, usize)>,
    rounds: &Rounds,
) -> usize {
    let keep = conversation.policy.keep_tool_rounds;
    match conversation.policy.tool_cleaning {
        ToolCleaning::EverySend => rounds.last(keep),
        ToolCleaning::Never => 0,
        ToolCleaning::AtCompaction => {
            let made_at = applying
                .and_then(|(covered, _)| covered.summary.message.parent_id)
                .and_then(|parent| position(conversation.path, parent));
            made_at.map_or(0, |leaf| {
                let then = conversation.path.iter().take(leaf + 1);
                Rounds::of(then.map(|counted| counted.message)).last(keep)
            })
        }
    }
}

/// What stands in the context for everything up to a boundary.
fn standing_in<'a>(
    conversation: &Conversation<'a>,
    (covered, boundary): (Covered<'a>, usize),
) -> impl Iterator<Item = Line<'a>> {
    let words = sum(covered.summary.parts().map(|(_, tokens)| tokens));
    let summary = Line {
        content: LineContent::Summary { covered },
        tokens: words.saturating_add(conversation.prefix.frames.summary),
    };
    let anchors = covered.anchors.map(|anchors| Line {
        content: LineContent::Anchors { text: &anchors.text },
        tokens: anchors.tokens,
    });
    let recall = conversation.recall.line().map(|recall| Line {
        content: LineContent::Recall { text: &recall.text },
        tokens: recall.tokens,
    });
    let messages = conversation.path.iter().take(boundary + 1);
    let keep = Keep::of(conversation.reasoning_back, Round::Kept);
    let frames = conversation.prefix.frames;
    let pins = messages.filter_map(move |counted| pinned(*counted, keep, frames));
    [Some(summary), anchors, recall].into_iter().flatten().chain(pins)
}

/// A covered message that is pinned stays, whole.
fn pinned(counted: Counted<'_>, keep: Keep, frames: Frames) -> Option<Line<'_>> {
    let sent = sent(counted, keep).filter(|_| counted.message.is_pinned())?;
    Some(Line { content: LineContent::Pinned { sent }, tokens: sent.tokens(frames) })
}

/// Whether the model's words would be first.
fn opens_with_model(lines: &[Line<'_>]) -> bool {
    let first = lines.first().and_then(|line| line.content.of_path());
    first.is_some_and(|sent| sent.counted.message.role == Role::Assistant)
}

/// A message of the path, if anything of it is left to send (FR-2.3).
fn sent(counted: Counted<'_>, keep: Keep) -> Option<Sent<'_>> {
    if counted.message.is_left_out() {
        return None;
    }
    match counted.message.kind {
        MessageKind::Chat {} | MessageKind::Notice { .. } => {}
        MessageKind::Summary {} | MessageKind::Card {} => return None,
    }
    let parts = &counted.message.parts;
    let is_left = parts.iter().any(|part| keep.keeps(part) && part.says_something());
    is_left.then(|| Sent::new(counted, keep))
}

/// What stands between the history and the current message.
fn at_hand<'a>(conversation: &Conversation<'a>) -> impl Iterator<Item = Line<'a>> {
    let passages = conversation.passages.map(|passages| Line {
        content: LineContent::Passages { text: &passages.text },
        tokens: passages.tokens.saturating_add(MESSAGE_OVERHEAD),
    });
    let frame = conversation.prefix.frames.reminders;
    let reminders = conversation.reminders.iter().enumerate().map(move |(index, counted)| Line {
        content: LineContent::Reminder { reminder: counted.reminder, first: index == 0 },
        tokens: counted.tokens.saturating_add(if index == 0 { frame } else { 0 }),
    });
    passages.into_iter().chain(reminders)
}

/// What follows a reply that was cut off and is to be gone on with.
fn go_on<'a>(conversation: &Conversation<'a>, lines: &[Line<'a>]) -> Option<Line<'a>> {
    let last = lines.iter().rev().find_map(|line| line.content.of_tail())?;
    let was_cut_off = match last.counted.message.state {
        MessageState::Interrupted {} | MessageState::Failed { .. } | MessageState::Ended { .. } => {
            last.counted.message.role == Role::Assistant
        }
        MessageState::Streaming {} | MessageState::Complete {} => false,
    };
    let frames = conversation.prefix.frames;
    let answers_a_call = matches!(last.parts(frames).last(), Some((ContentPart::Tool { .. }, _)));
    let tokens = frames.go_on;
    (was_cut_off && !answers_a_call).then_some(Line { content: LineContent::GoOn, tokens })
}

/// Whether a line will be sent unchanged again while the conversation only grows.
fn is_stable(line: &Line<'_>, conversation: &Conversation<'_>) -> bool {
    match line.content {
        LineContent::Opening
        | LineContent::Summary { .. }
        | LineContent::Anchors { .. }
        | LineContent::Recall { .. }
        | LineContent::Pinned { .. } => true,
        LineContent::Passages { .. }
        | LineContent::Reminder { .. }
        | LineContent::Draft { .. }
        | LineContent::GoOn => false,
        LineContent::Message { sent: Sent { counted, keep, .. }, .. } => {
            let message = counted.message;
            let cleaning = conversation.policy.tool_cleaning;
            let tools_leave = !message.is_pinned() && cleaning == ToolCleaning::EverySend;
            let reasoning_leaves = match conversation.reasoning_back {
                ReasoningBack::WithTools => tools_leave,
                ReasoningBack::Never | ReasoningBack::InProgress => true,
            };
            let may_leave = message.parts.iter().any(|part| match part {
                ContentPart::Tool { .. } => keep != Keep::Words && tools_leave,
                ContentPart::Reasoning { .. } => keep == Keep::Everything && reasoning_leaves,
                ContentPart::Text { .. } | ContentPart::Image(_) | ContentPart::File { .. } => {
                    false
                }
            });
            !may_leave && !matches!(message.state, MessageState::Streaming {})
        }
    }
}
