//! Which pictures go along with a request.
//!
//! Not here: what of them a wire can spell (`providers`), or what they cost (`context`).

use skein_context::message::{ContentPart, Picture};
use skein_context::window::Prompt;

/// So many a request takes: where there are more, Anthropic wants each of them to be small, and refuses
/// the request for one that is not.
const MOST: usize = 20;
/// So many bytes of them: the shortest request that providers take is 20 MB long, and in base64 they are
/// longer by a third.
const MOST_BYTES: u32 = 14_000_000;

/// All that the person attached; and to a model that `sees`, what tools showed last, as far as a request
/// takes it beside that. Of what is left out the words of its tool tell.
pub(super) fn sent(prompt: &Prompt, sees: bool) -> Vec<&Picture> {
    let parts = || prompt.messages.iter().flat_map(|message| message.parts.iter());
    let mut sent: Vec<&Picture> = parts().filter_map(attached).collect();
    let room = MOST.saturating_sub(sent.len());
    let bytes = sent.iter().fold(MOST_BYTES, |left, it| left.saturating_sub(it.bytes));
    let shown: Vec<&Picture> = parts().filter(|_| sees).flat_map(shown).collect();
    let fit = newest_within(&shown, room, bytes);
    // They leave by halves: one by one, every request would begin otherwise than the one before, and
    // nothing of it would be in the provider's cache.
    let step = (fit / 2).max(1);
    let left_out = shown.len().saturating_sub(fit).next_multiple_of(step);
    sent.extend(shown.iter().skip(left_out));
    sent
}

/// How many of the newest are no more than `room` and within `bytes`.
fn newest_within(shown: &[&Picture], room: usize, bytes: u32) -> usize {
    let sizes = shown.iter().rev().take(room).scan(0_u32, |sum, picture| {
        *sum = sum.saturating_add(picture.bytes);
        Some(*sum)
    });
    sizes.take_while(|sum| *sum <= bytes).count()
}

fn attached(part: &ContentPart) -> Option<&Picture> {
    match part {
        ContentPart::Image(picture) => Some(picture),
        ContentPart::Text { .. }
        | ContentPart::Reasoning { .. }
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => None,
    }
}

fn shown(part: &ContentPart) -> &[Picture] {
    match part {
        ContentPart::Tool { call } => call.shown(),
        ContentPart::Text { .. }
        | ContentPart::Reasoning { .. }
        | ContentPart::File { .. }
        | ContentPart::Image(_) => &[],
    }
}

#[cfg(test)]
mod tests {
    use skein_context::message::{BlobId, Role, ToolCall, ToolOutput, ToolState};
    use skein_context::window::PromptMessage;

    use super::*;

    fn picture(blob: i64, bytes: u32) -> Picture {
        Picture {
            blob: BlobId(blob),
            name: "loom".to_owned(),
            media_type: "image/png".to_owned(),
            width: None,
            height: None,
            bytes,
        }
    }

    fn call(pictures: Vec<Picture>) -> ContentPart {
        let output = ToolOutput { text: String::new(), whole: None, pictures, withheld: false };
        let call = ToolCall {
            call_id: "a".to_owned(),
            name: "odd__snapshot".to_owned(),
            args: "{}".to_owned(),
            state: ToolState::Done { output },
            signature: None,
        };
        ContentPart::Tool { call }
    }

    fn prompt(parts: impl IntoIterator<Item = ContentPart>) -> Prompt {
        let message = |part| PromptMessage { role: Role::User, parts: [part].into() };
        let messages = parts.into_iter().map(message).collect();
        Prompt { system: String::new(), tools: Vec::new(), messages, stable_messages: 0 }
    }

    fn blobs(sent: &[&Picture]) -> Vec<i64> {
        sent.iter().map(|picture| picture.blob.0).collect()
    }

    #[test]
    fn what_the_person_attached_goes_and_the_newest_of_what_tools_showed_as_far_as_a_request_takes_it()
     {
        let shown = (1..=25).map(|blob| call(vec![picture(blob, 1_000)]));
        let prompt = prompt([ContentPart::Image(picture(99, 1_000))].into_iter().chain(shown));
        let newest: Vec<i64> = [99].into_iter().chain(10..=25).collect();
        assert_eq!(blobs(&sent(&prompt, true)), newest);
        assert_eq!(blobs(&sent(&prompt, false)), [99]);
    }

    #[test]
    fn as_more_is_shown_the_beginning_of_a_request_changes_once_in_ten_pictures() {
        let begins = |shown: i64| {
            let shown = (1..=shown).map(|blob| call(vec![picture(blob, 1_000)]));
            blobs(&sent(&prompt(shown), true))[0]
        };
        let changes = (1..100).filter(|shown| begins(*shown) != begins(shown + 1));
        assert_eq!(changes.collect::<Vec<_>>(), [20, 30, 40, 50, 60, 70, 80, 90]);
    }

    #[test]
    fn pictures_of_tools_are_left_out_where_their_bytes_are_more_than_a_request_takes() {
        let shown = (1..=15).map(|blob| call(vec![picture(blob, 2_500_000)]));
        assert_eq!(blobs(&sent(&prompt(shown), true)), [11, 12, 13, 14, 15]);
        let shown = (1..=5).map(|blob| call(vec![picture(blob, 3_750_000)]));
        assert_eq!(blobs(&sent(&prompt(shown), true)), [3, 4, 5]);
    }
}
