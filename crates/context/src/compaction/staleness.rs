//! What of a conversation a compaction point holds for, and the room that pins may take. Not here:
//! where a boundary moves when its message is deleted, which is the store's.
//!
//! A fingerprint is made as if left-out messages were not there, so a summary made from one becomes stale
//! when it is left out. A pinned message is not part of the summary; its id is kept in `unread`, and the
//! point is stale once it is unpinned.

use std::collections::{HashMap, HashSet};

use skein_domain::compaction_point::CompactionPoint;
use skein_domain::ids::{MessageId, PointId};
use skein_domain::message::{ContentPart, Inclusion, Message, ToolState};

use crate::hash::Fnv;
use crate::limits::Limits;
use crate::limits::policy::Policy;
use crate::tokens::message_tokens::{CountedMessageRef, saturating_sum};
use crate::window::{Prefix, prefix_tokens};

/// Of the content of messages, in order. Two values differ when a message was edited, deleted, left out
/// or put between; pinning changes nothing. Also tells whether what a running compaction covers is
/// still there unchanged.
pub fn fingerprint<'a>(messages: impl IntoIterator<Item = &'a Message>) -> String {
    let mut hash = Fnv::new();
    for message in messages {
        hash_message(&mut hash, message);
    }
    hash.to_hex()
}

/// Whether a summary still stands for what it covers: the covered messages have the fingerprint they had
/// when it was written, and no message that was pinned then has been unpinned since.
pub fn is_up_to_date<'a>(
    made_of: &str,
    unread: &[MessageId],
    covered: impl IntoIterator<Item = &'a Message>,
) -> bool {
    let covered: Vec<&Message> = covered.into_iter().collect();
    let is_left_to_it = |message: &&Message| is_summarised(message) && unread.contains(&message.id);
    !covered.iter().any(is_left_to_it) && fingerprint(covered) == made_of
}

/// Those of the points with their boundary on this path whose summary no longer tells of all that it
/// stands for. The same as [`stands_for`], but in one pass over the path for all points.
pub fn stale_points<'a>(
    path: impl IntoIterator<Item = &'a Message>,
    points: &[CompactionPoint],
) -> HashSet<PointId> {
    let mut ending: HashMap<MessageId, Vec<&CompactionPoint>> = HashMap::new();
    for point in points {
        ending.entry(point.boundary_message_id).or_default().push(point);
    }
    let (mut hash, mut summarised, mut stale) = (Fnv::new(), HashSet::new(), HashSet::new());
    for message in path {
        hash_message(&mut hash, message);
        if is_summarised(message) {
            summarised.insert(message.id);
        }
        let ending = ending.get(&message.id).into_iter().flatten();
        let is_stale = |point: &CompactionPoint| {
            let is_left_to_it = point.unread.iter().any(|id| summarised.contains(id));
            is_left_to_it || point.fingerprint != hash.to_hex()
        };
        stale.extend(ending.filter(|point| is_stale(point)).map(|point| point.id));
    }
    stale
}

/// Whether a covered message is left to the summary: it is neither sent beside that nor passed over.
fn is_summarised(message: &Message) -> bool {
    match message.inclusion {
        Inclusion::Usual => true,
        Inclusion::Pinned | Inclusion::LeftOut => false,
    }
}

/// What all pins of a thread may take together, in tokens: half of what the system prompt and the
/// tools leave below the threshold, so that there is always room for a summary and an answer.
pub fn pinned_limit(prefix: &Prefix, policy: &Policy, limits: Limits) -> u32 {
    limits.assumed_threshold(policy).saturating_sub(prefix_tokens(prefix)) / 2
}

/// What the pins of a path take, in tokens.
pub fn pinned_tokens(path: &[CountedMessageRef<'_>]) -> u32 {
    let pinned = path.iter().filter(|counted| counted.message.is_pinned());
    saturating_sum(pinned.map(|counted| counted.tokens.total()))
}

/// One that is left out is as if it were not there.
pub(super) fn hash_message(hash: &mut Fnv, message: &Message) {
    if message.is_left_out() {
        return;
    }
    hash.add(&message.id.0.to_le_bytes());
    for part in message.parts.iter() {
        hash_part(hash, part);
    }
}

fn hash_part(hash: &mut Fnv, part: &ContentPart) {
    match part {
        ContentPart::Text { text } => hash.add_labelled("text", text),
        ContentPart::Reasoning { .. } => {}
        ContentPart::Image(picture) => {
            hash.add_labelled("image", &picture.name);
            hash.add(&picture.blob.0.to_le_bytes());
        }
        ContentPart::File { name, text, .. } => {
            hash.add_labelled("file", name);
            hash.add_labelled("", text);
        }
        ContentPart::Tool { call } => {
            hash.add_labelled("tool", &call.name);
            hash.add_labelled("", &call.args);
            match &call.state {
                ToolState::Done { output } => hash.add_labelled("done", &output.text),
                ToolState::Failed { message } => hash.add_labelled("failed", message),
                ToolState::Pending {}
                | ToolState::AwaitingApproval {}
                | ToolState::Running { .. }
                | ToolState::Denied {}
                | ToolState::Cancelled {} => {}
            }
        }
    }
}
