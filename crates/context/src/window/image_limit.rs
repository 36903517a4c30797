//! Limits the images of tool results in a request.
//!
//! The selection is made while the window is assembled, so that the counted, the shown and the sent request
//! are the same. A tool result with omitted images says so.
//!
//! Not here: the tokens of images (`message_tokens`), or their encoding (`skein-providers`).

use skein_domain::message::ImageRef;
use skein_domain::message::image_scaling::MANY;

use super::part_selection::SelectedMessage;
use super::prefix::FixedTokens;
use super::prompt_entry::{EntryContent, PromptEntry};
use crate::tokens::message_tokens::saturating_sum;

/// The largest total size of images, in bytes. The smallest request limit of providers is 20 MB, and base64
/// adds a third.
const MAX_BYTES: u32 = 14_000_000;

/// Omits the oldest images of tool results that a request has no room for. The user's attachments are always
/// sent and count first. The number stays below that from which providers scale every image down.
pub(super) fn fit_images(entries: &mut [PromptEntry<'_>], fixed: FixedTokens) {
    let left = ToolImages::of(entries).omitted_in_steps();
    omit_oldest(entries, left, fixed);
}

/// Omits so many images of tool results, the oldest first.
fn omit_oldest(entries: &mut [PromptEntry<'_>], mut left: usize, fixed: FixedTokens) {
    for entry in entries {
        let (EntryContent::Pinned { sent, .. } | EntryContent::Message { sent, .. }) =
            &mut entry.content
        else {
            continue;
        };
        let here = left.min(sent.tool_images().count());
        left -= here;
        if sent.omitted_images != here {
            sent.omitted_images = here;
            entry.tokens = sent.tokens(fixed);
        }
    }
}

/// The most tokens of some entries of a window, sent without the others. Older tool calls among them may
/// leave, too, and then fewer images are omitted at once.
pub(super) fn tokens_together<'l, 'a: 'l>(
    entries: impl Iterator<Item = &'l PromptEntry<'a>> + Clone,
    fixed: FixedTokens,
) -> u32 {
    let lacks = |entry: &PromptEntry<'_>| {
        entry.content.as_path_message().is_some_and(|sent| sent.omitted_images > 0)
    };
    if !entries.clone().any(lacks) {
        return saturating_sum(entries.map(|entry| entry.tokens));
    }
    let mut entries: Vec<PromptEntry<'a>> = entries.copied().collect();
    let left = ToolImages::of(&entries).least_omitted();
    omit_oldest(&mut entries, left, fixed);
    saturating_sum(entries.iter().map(|entry| entry.tokens))
}

/// The images of the tool results in a request.
#[derive(Default)]
struct ToolImages {
    count: usize,
    /// The number of newest images that the request has room for.
    fit: usize,
}

impl ToolImages {
    fn of(entries: &[PromptEntry<'_>]) -> Self {
        let messages = entries.iter().filter_map(|entry| entry.content.as_path_message());
        let shown: Vec<&ImageRef> = messages.flat_map(SelectedMessage::tool_images).collect();
        if shown.is_empty() {
            return Self::default();
        }
        let attached: Vec<&ImageRef> =
            entries.iter().flat_map(|entry| entry.content.attached()).collect();
        let room = MANY.saturating_sub(attached.len());
        let bytes =
            attached.iter().fold(MAX_BYTES, |left, it| left.saturating_sub(it.sent_bytes()));
        Self { count: shown.len(), fit: newest_within(&shown, room, bytes) }
    }

    /// The number of images that have no room.
    fn least_omitted(&self) -> usize {
        self.count.saturating_sub(self.fit)
    }

    /// The number of images to omit. Half of those that fit are omitted at once: one by one, every request
    /// would differ from the last one early on, and the provider's cache would not apply.
    fn omitted_in_steps(&self) -> usize {
        let step = (self.fit / 2).max(1);
        self.least_omitted().next_multiple_of(step).min(self.count)
    }
}

/// The number of newest images within a count of `room` and a total size of `bytes`.
fn newest_within(shown: &[&ImageRef], room: usize, bytes: u32) -> usize {
    let sizes = shown.iter().rev().take(room).scan(0_u32, |sum, picture| {
        *sum = sum.saturating_add(picture.sent_bytes());
        Some(*sum)
    });
    sizes.take_while(|sum| *sum <= bytes).count()
}
