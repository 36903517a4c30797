//! Which of the pictures that tools showed a request has room for.
//!
//! The choice is made while the window is assembled, so what is counted, shown and sent is the same. A tool
//! result that lacks images says so.
//!
//! Not here: what they cost (`message_tokens`), or how a wire spells them (`skein-providers`).

use skein_domain::message::ImageRef;
use skein_domain::message::image_scaling::MANY;

use super::part_selection::SelectedMessage;
use super::prefix::FixedTokens;
use super::prompt_entry::{EntryContent, PromptEntry};
use crate::tokens::message_tokens::saturating_sum;

/// So many bytes of them: the shortest request that providers take is 20 MB long, and in base64 they are
/// longer by a third.
const MOST_BYTES: u32 = 14_000_000;

/// All that the user attached go along, and the newest of those that tools showed, as far as a request
/// takes them beside that: not so many that all of them must be small. Where one is left out its output
/// says so.
pub(super) fn fit_images(lines: &mut [PromptEntry<'_>], frames: FixedTokens) {
    let mut left = left_out(lines);
    for line in lines {
        let (EntryContent::Pinned { sent } | EntryContent::Message { sent, .. }) =
            &mut line.content
        else {
            continue;
        };
        let here = left.min(sent.tool_images().count());
        left -= here;
        if sent.left_out != here {
            sent.left_out = here;
            line.tokens = sent.tokens(frames);
        }
    }
}

/// The tokens of some lines of a window that are sent without the others.
pub(super) fn tokens_together<'l, 'a: 'l>(
    lines: impl Iterator<Item = &'l PromptEntry<'a>> + Clone,
    frames: FixedTokens,
) -> u32 {
    let lacks = |line: &PromptEntry<'_>| {
        line.content.as_path_message().is_some_and(|sent| sent.left_out > 0)
    };
    if !lines.clone().any(lacks) {
        return saturating_sum(lines.map(|line| line.tokens));
    }
    let mut lines: Vec<PromptEntry<'a>> = lines.copied().collect();
    fit_images(&mut lines, frames);
    saturating_sum(lines.iter().map(|line| line.tokens))
}

/// How many of those that tools showed are left out, from the first.
fn left_out(lines: &[PromptEntry<'_>]) -> usize {
    let messages = lines.iter().filter_map(|line| line.content.as_path_message());
    let shown: Vec<&ImageRef> = messages.flat_map(SelectedMessage::tool_images).collect();
    if shown.is_empty() {
        return 0;
    }
    let attached: Vec<&ImageRef> = lines.iter().flat_map(|line| line.content.attached()).collect();
    let room = MANY.saturating_sub(attached.len());
    let bytes = attached.iter().fold(MOST_BYTES, |left, it| left.saturating_sub(it.sent_bytes()));
    let fit = newest_within(&shown, room, bytes);
    // They leave by halves: one by one, every request would begin otherwise than the one before, and
    // nothing of it would be in the provider's cache.
    let step = (fit / 2).max(1);
    shown.len().saturating_sub(fit).next_multiple_of(step).min(shown.len())
}

/// How many of the newest are no more than `room` and within `bytes`.
fn newest_within(shown: &[&ImageRef], room: usize, bytes: u32) -> usize {
    let sizes = shown.iter().rev().take(room).scan(0_u32, |sum, picture| {
        *sum = sum.saturating_add(picture.sent_bytes());
        Some(*sum)
    });
    sizes.take_while(|sum| *sum <= bytes).count()
}
