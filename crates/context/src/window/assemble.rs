//! Choosing what is sent, and adding it up.

use super::{Conversation, Covered, Keep, Line, LineContent, Prefix, ReasoningBack, Window};
use crate::cleaning::Rounds;
use crate::counting::{Counted, MESSAGE_OVERHEAD, counted, sum};
use crate::message::{ContentPart, MessageId, MessageKind, MessageState, Role};
use crate::policy::ToolCleaning;
use crate::usage::TokenCount;

/// FR-1.7: what the model will see. The latest point whose boundary is on the path applies; its
/// summary stands for everything up to the boundary, then come the pinned messages among that, then
/// what follows, cleaned (FR-2). Reminders come after the history and before the current message, so
/// that the cached prefix survives.
pub fn assemble<'a>(conversation: Conversation<'a>) -> Window<'a> {
    let path = conversation.path;
    let applying = latest_on_path(path, conversation.points);
    let rounds = Rounds::of(path.iter().map(|counted| counted.message));
    let tail_from = applying.map_or(0, |(_, boundary)| boundary + 1);
    let current_from = match conversation.draft {
        None => rounds.open_from().max(tail_from),
        Some(_) => path.len(),
    };
    let (open_from, tools_from) =
        (rounds.open_from(), tools_from(&conversation, applying, &rounds));
    let sent_between = |from: usize, to: usize| {
        let messages = path.iter().enumerate().take(to).skip(from);
        messages.filter_map(move |(at, message)| {
            let tools_stay = message.message.pinned || at >= tools_from;
            sent(*message, at, Keep::of(conversation.reasoning_back, at >= open_from, tools_stay))
        })
    };
    let mut lines = Vec::with_capacity(path.len().saturating_sub(tail_from) + 8);
    lines.extend(applying.into_iter().flat_map(|it| standing_in(&conversation, it)));
    lines.extend(sent_between(tail_from, current_from));
    lines.extend(at_hand(&conversation));
    lines.extend(sent_between(current_from, path.len()));
    lines.extend(
        conversation.draft.map(|draft| Line {
            content: LineContent::Draft { draft },
            tokens: draft.tokens.total(),
        }),
    );
    if conversation.draft.is_none() {
        lines.extend(go_on(&conversation, &lines));
    }
    let stable = |line: &Line<'_>| is_stable(line, &conversation);
    Window {
        covered: applying.map(|(covered, _)| covered),
        tail_from,
        rounds,
        stable_lines: lines.iter().take_while(|line| stable(line)).count(),
        used: used(&conversation, &lines),
        lines,
        conversation,
    }
}

/// Everything together. Its basis is the weakest of what it is made of.
fn used(conversation: &Conversation<'_>, lines: &[Line<'_>]) -> TokenCount {
    let tokens = sum(lines.iter().map(|line| line.tokens));
    let bases = lines.iter().filter_map(|line| match line.content {
        LineContent::Message { message, .. } | LineContent::Pinned { message, .. } => {
            Some(message.tokens.basis)
        }
        LineContent::Summary { covered } => Some(covered.summary.tokens.basis),
        LineContent::Draft { draft } => Some(draft.tokens.basis),
        LineContent::Anchors { .. }
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
    points
        .iter()
        .filter_map(|covered| Some((*covered, position(path, covered.point.boundary_message_id)?)))
        .max_by_key(|(covered, boundary)| (*boundary, covered.point.id))
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
    let recall = conversation.recall.map(|recall| Line {
        content: LineContent::Recall { text: &recall.text },
        tokens: recall.tokens,
    });
    let messages = conversation.path.iter().enumerate().take(boundary + 1);
    let keep = Keep::of(conversation.reasoning_back, false, true);
    let pins = messages.filter_map(move |(at, message)| pinned(*message, at, keep));
    [Some(summary), anchors, recall].into_iter().flatten().chain(pins)
}

/// A covered message that is pinned stays, whole.
fn pinned(message: Counted<'_>, at: usize, keep: Keep) -> Option<Line<'_>> {
    let line = sent(message, at, keep).filter(|_| message.message.pinned)?;
    Some(Line { content: LineContent::Pinned { message, keep }, tokens: line.tokens })
}

/// A message of the path, if anything of it is left to send (FR-2.3).
fn sent(message: Counted<'_>, at: usize, keep: Keep) -> Option<Line<'_>> {
    match message.message.kind {
        MessageKind::Chat {} | MessageKind::Notice { .. } => {}
        MessageKind::Summary {} | MessageKind::Card {} => return None,
    }
    let mut kept = 0;
    let mut tokens = message.tokens.overhead;
    for (_, part) in message.parts().filter(|(part, _)| keep.keeps(part)) {
        kept += 1;
        tokens = tokens.saturating_add(part);
    }
    (kept > 0).then_some(Line { content: LineContent::Message { message, at, keep }, tokens })
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
    let (message, keep) = lines.iter().rev().find_map(|line| line.content.message())?;
    let was_cut_off = match message.message.state {
        MessageState::Interrupted {} | MessageState::Failed { .. } | MessageState::Ended { .. } => {
            message.message.role == Role::Assistant
        }
        MessageState::Streaming {} | MessageState::Complete {} => false,
    };
    let mut kept = message.message.parts.iter().rev().filter(|part| keep.keeps(part));
    let answers_a_call = matches!(kept.next(), Some(ContentPart::Tool { .. }));
    let tokens = conversation.prefix.frames.go_on;
    (was_cut_off && !answers_a_call).then_some(Line { content: LineContent::GoOn, tokens })
}

/// Whether a line will be sent unchanged again while the conversation only grows.
fn is_stable(line: &Line<'_>, conversation: &Conversation<'_>) -> bool {
    match line.content {
        LineContent::Summary { .. }
        | LineContent::Anchors { .. }
        | LineContent::Recall { .. }
        | LineContent::Pinned { .. } => true,
        LineContent::Passages { .. }
        | LineContent::Reminder { .. }
        | LineContent::Draft { .. }
        | LineContent::GoOn => false,
        LineContent::Message { message, keep, .. } => {
            let cleaning = conversation.policy.tool_cleaning;
            let tools_leave = !message.message.pinned && cleaning == ToolCleaning::EverySend;
            let reasoning_leaves = match conversation.reasoning_back {
                ReasoningBack::WithTools => tools_leave,
                ReasoningBack::Never | ReasoningBack::InProgress => true,
            };
            let may_leave = message.message.parts.iter().any(|part| match part {
                ContentPart::Tool { .. } => keep != Keep::Words && tools_leave,
                ContentPart::Reasoning { .. } => keep == Keep::Everything && reasoning_leaves,
                ContentPart::Text { .. } | ContentPart::Image(_) | ContentPart::File { .. } => {
                    false
                }
            });
            !may_leave && !matches!(message.message.state, MessageState::Streaming {})
        }
    }
}
