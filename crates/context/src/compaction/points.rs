//! What of a conversation a compaction point holds for, and the room that pins may take. Not here:
//! where a boundary moves when its message is deleted, which is the store's.

use crate::counting::{Counted, sum};
use crate::fnv::Fnv;
use crate::limits::Limits;
use crate::message::{ContentPart, Inclusion, Message, MessageId, ToolState};
use crate::policy::Policy;
use crate::window::{Prefix, overhead};

/// Of the content of messages, in order. Two values differ when a message was edited, deleted, left out
/// or put between; pinning changes nothing. Also tells whether what a running compaction covers is
/// still there unchanged.
pub fn fingerprint<'a>(messages: impl IntoIterator<Item = &'a Message>) -> String {
    let mut hash = Fnv::new();
    for message in messages.into_iter().filter(|message| !message.is_left_out()) {
        hash.add(&message.id.0.to_le_bytes());
        for part in message.parts.iter() {
            hash_part(&mut hash, part);
        }
    }
    hash.spelled()
}

/// Whether a summary tells of all that it stands for: that has the fingerprint it had when the summary was
/// made, and what was not read then, because it was pinned, is not left to it since.
pub fn stands_for<'a>(
    made_of: &str,
    unread: &[MessageId],
    covered: impl IntoIterator<Item = &'a Message>,
) -> bool {
    let covered: Vec<&Message> = covered.into_iter().collect();
    let is_left_to_it = |message: &&Message| match message.inclusion {
        Inclusion::Usual => unread.contains(&message.id),
        Inclusion::Pinned | Inclusion::LeftOut => false,
    };
    !covered.iter().any(is_left_to_it) && fingerprint(covered) == made_of
}

/// What all pins of a thread may take together, in tokens: half of what the system prompt and the
/// tools leave below the threshold, so that there is always room for a summary and an answer.
pub fn pins_limit(prefix: &Prefix, policy: &Policy, limits: Limits) -> u32 {
    limits.assumed_threshold(policy).saturating_sub(overhead(prefix)) / 2
}

/// What the pins of a path take, in tokens.
pub fn pins(path: &[Counted<'_>]) -> u32 {
    let pinned = path.iter().filter(|counted| counted.message.is_pinned());
    sum(pinned.map(|counted| counted.tokens.total()))
}

fn hash_part(hash: &mut Fnv, part: &ContentPart) {
    match part {
        ContentPart::Text { text } => hash.text("text", text),
        ContentPart::Reasoning { .. } => {}
        ContentPart::Image(picture) => {
            hash.text("image", &picture.name);
            hash.add(&picture.blob.0.to_le_bytes());
        }
        ContentPart::File { name, text, .. } => {
            hash.text("file", name);
            hash.text("", text);
        }
        ContentPart::Tool { call } => {
            hash.text("tool", &call.name);
            hash.text("", &call.args);
            match &call.state {
                ToolState::Done { output } => hash.text("done", &output.text),
                ToolState::Failed { message } => hash.text("failed", message),
                ToolState::Pending {}
                | ToolState::AwaitingApproval {}
                | ToolState::Running { .. }
                | ToolState::Denied {}
                | ToolState::Cancelled {} => {}
            }
        }
    }
}
