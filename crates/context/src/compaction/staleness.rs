//! Detects summaries that no longer match the messages they cover, and limits the size of pinned messages.
//!
//! Left-out messages are not part of a fingerprint, so a summary becomes stale when one of its messages is
//! left out. A pinned message is not part of the summary; its id is in `unread`, and the point becomes stale
//! when it is unpinned. Not here: moving a boundary whose message is deleted (`skein_store`).

use std::collections::{HashMap, HashSet};

use skein_domain::compaction_point::CompactionPoint;
use skein_domain::ids::{MessageId, PointId};
use skein_domain::message::{ContentPart, Inclusion, Message, ToolState};

use crate::hash::Fnv;
use crate::limits::Limits;
use crate::limits::policy::Policy;
use crate::tokens::message_tokens::{CountedMessageRef, saturating_sum};
use crate::window::applied_points::{PointSpan, points_on_path};
use crate::window::{Prefix, prefix_tokens};

/// The fingerprint of the contents of messages, in order. It changes when a message is edited, deleted, left
/// out or inserted, not when one is pinned. A running compaction uses it to detect changes, too.
pub fn fingerprint<'a>(messages: impl IntoIterator<Item = &'a Message>) -> String {
    let mut hash = Fnv::new();
    for message in messages {
        hash_message(&mut hash, message);
    }
    hash.to_hex()
}

/// True if a summary still matches the covered messages: their fingerprint is the same as when it was
/// written, and no message that was pinned then has been unpinned.
pub fn is_up_to_date<'a>(
    made_of: &str,
    unread: &[MessageId],
    covered: impl IntoIterator<Item = &'a Message>,
) -> bool {
    let covered: Vec<&Message> = covered.into_iter().collect();
    let is_unpinned = |message: &&Message| is_summarised(message) && unread.contains(&message.id);
    !covered.iter().any(is_unpinned) && fingerprint(covered) == made_of
}

/// The points with their boundary on this path whose summary is stale. The same as [`is_up_to_date`], in one
/// pass over the path for all points that begin with it.
pub fn stale_points<'a>(
    path: impl IntoIterator<Item = &'a Message>,
    points: &[CompactionPoint],
) -> HashSet<PointId> {
    let path: Vec<_> = path.into_iter().collect();
    let spans = points_on_path(points, path.iter().map(|message| message.id));
    let (ranges, whole): (Vec<_>, Vec<_>) =
        spans.into_iter().partition(|span| span.covered.start > 0);
    let mut stale = HashSet::new();
    for PointSpan { point, covered } in ranges {
        let covered = path.get(covered).unwrap_or_default().iter().copied();
        if !is_up_to_date(&point.fingerprint, &point.unread, covered) {
            stale.insert(point.id);
        }
    }
    let mut ending: HashMap<usize, Vec<&CompactionPoint>> = HashMap::new();
    for PointSpan { point, covered } in whole {
        ending.entry(covered.end - 1).or_default().push(point);
    }
    let (mut hash, mut summarised) = (Fnv::new(), HashSet::new());
    for (at, message) in path.into_iter().enumerate() {
        hash_message(&mut hash, message);
        if is_summarised(message) {
            summarised.insert(message.id);
        }
        let ending = ending.get(&at).into_iter().flatten();
        let is_stale = |point: &CompactionPoint| {
            let is_unpinned = point.unread.iter().any(|id| summarised.contains(id));
            is_unpinned || point.fingerprint != hash.to_hex()
        };
        stale.extend(ending.filter(|point| is_stale(point)).map(|point| point.id));
    }
    stale
}

/// True if only the summary represents a covered message: it is neither pinned nor left out.
fn is_summarised(message: &Message) -> bool {
    match message.inclusion {
        Inclusion::Usual => true,
        Inclusion::Pinned | Inclusion::LeftOut => false,
    }
}

/// The largest size of all pinned messages of a thread, in tokens: half of the room that the system prompt
/// and the tools leave below the threshold. The other half is for a summary and replies.
pub fn pinned_limit(prefix: &Prefix, policy: &Policy, limits: Limits) -> u32 {
    limits.assumed_threshold(policy).saturating_sub(prefix_tokens(prefix)) / 2
}

/// The tokens of the pinned messages of a path.
pub fn pinned_tokens(path: &[CountedMessageRef<'_>]) -> u32 {
    let pinned = path.iter().filter(|counted| counted.message.is_pinned());
    saturating_sum(pinned.map(|counted| counted.tokens.total()))
}

/// Adds a message to a hash. Skips a message that is left out.
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
