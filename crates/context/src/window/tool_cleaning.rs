//! From where on a path tool parts stay (FR-2.2).
//!
//! Not here: which other parts stay (`part_selection`), and which way costs least (`cost::cleaning`).

use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger};
use skein_domain::message::{ContentPart, Message};

use super::context_window::{AppliedRange, applied_ranges};
use super::rounds::Rounds;
use super::window_input::{PointSummary, WindowInput, path_index};
use crate::limits::policy::ToolCleaning;
use crate::tokens::message_tokens::CountedMessageRef;

/// The bytes of old tool calls that leave together: some 16,000 tokens. Chosen by
/// `cargo xtask simulate --prices` (docs/measured.md); half and twice as many cost almost the same.
///
/// Bytes, because tokens are counted otherwise by each model and recounted as it reports, while the same
/// conversation is to give the same prompt (law 9).
pub const BATCH_BYTES: usize = 64_000;

/// The part of a path whose tool parts are no longer sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CleanedPath {
    /// Index of the first message whose tool parts stay.
    pub kept_from: usize,
    /// Index after the last message that was there when tool parts last left.
    pub cleaned_to: usize,
}

/// The part of the path whose tool parts are no longer sent. `first` is the point that covers the path from
/// its first message on.
pub(super) fn cleaned_path(
    conversation: &WindowInput<'_>,
    first: Option<AppliedRange<'_>>,
    rounds: &Rounds,
) -> CleanedPath {
    let keep = conversation.policy.keep_tool_rounds;
    let point = cleaning_point(conversation, first);
    let tail_start = point.map_or(0, |range| range.to);
    let at_compaction = || {
        let cleaned = point.and_then(|range| cleaned_at_compaction(conversation, range.summary));
        cleaned.unwrap_or_default()
    };
    match conversation.tool_cleaning {
        ToolCleaning::EverySend => {
            CleanedPath { kept_from: rounds.start_of_last(keep), cleaned_to: rounds.open_start() }
        }
        ToolCleaning::InBatches => {
            let then = at_compaction();
            // Covered tool calls have left already: no batch is made of them.
            let from = CleanedPath { kept_from: then.kept_from.max(tail_start), ..then };
            after_batches(conversation.path, from, rounds.cleanings(keep))
        }
        ToolCleaning::AtCompaction => at_compaction(),
        ToolCleaning::Never => CleanedPath::default(),
    }
}

/// The point at which tool parts leave: that which covers the path from its first message on, or, if the user
/// chose the messages of that one, the one that would apply without it: a chosen range leaves the tool parts
/// of the other messages as they are (W01).
fn cleaning_point<'a>(
    conversation: &WindowInput<'a>,
    first: Option<AppliedRange<'a>>,
) -> Option<AppliedRange<'a>> {
    let is_chosen = |point: &CompactionPoint| point.trigger == CompactionTrigger::Range;
    if !is_chosen(first?.summary.point) {
        return first;
    }
    let others = applied_ranges(conversation, |point| !is_chosen(point));
    others.into_iter().next().filter(|range| range.from == 0)
}

/// The same as it was when the point was made.
fn cleaned_at_compaction(
    conversation: &WindowInput<'_>,
    point: PointSummary<'_>,
) -> Option<CleanedPath> {
    let leaf = path_index(conversation.path, point.summary.message.parent_id?)?;
    let then = conversation.path.iter().take(leaf + 1);
    let rounds = Rounds::of(then.map(|counted| counted.message));
    let kept_from = rounds.start_of_last(conversation.policy.keep_tool_rounds);
    Some(CleanedPath { kept_from, cleaned_to: leaf + 1 })
}

/// Walks through the cleanings that were possible so far, oldest first, and takes one over whenever a batch
/// has come together before it. What was decided of older rounds never changes while the path grows.
fn after_batches(
    path: &[CountedMessageRef<'_>],
    from: CleanedPath,
    candidates: impl Iterator<Item = CleanedPath>,
) -> CleanedPath {
    let (mut cleaned, mut seen, mut bytes) = (from, from.kept_from, 0_usize);
    for candidate in candidates.filter(|candidate| candidate.kept_from > from.kept_from) {
        let added = path.get(seen..candidate.kept_from).unwrap_or_default();
        bytes += added.iter().map(|counted| tool_bytes(counted.message)).sum::<usize>();
        seen = candidate.kept_from;
        if bytes >= BATCH_BYTES {
            (cleaned, bytes) = (candidate, 0);
        }
    }
    cleaned
}

/// Bytes that leave with the tool parts of a message. Pictures have a limit of their own (`image_limit`). An
/// output that is withheld from the prompt counts, too: else the borders of the older batches would move when
/// it is withheld.
fn tool_bytes(message: &Message) -> usize {
    if message.is_pinned() || message.is_left_out() {
        return 0;
    }
    let calls = message.parts.iter().filter_map(ContentPart::as_call);
    calls.map(|call| call.args.len() + call.result_text().map_or(0, str::len)).sum()
}
