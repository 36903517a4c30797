//! A compaction as it is stored: a summary in the place of the messages up to a boundary.
//!
//! Not here: when and what is compacted (`context::compaction`).

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::ids::{MessageId, PointId, ThreadId};
use crate::model::ModelRef;

/// What a compaction left behind: appended, and never rewritten but for the facts it carries and for the
/// boundary, which moves where its message is deleted; undo deletes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompactionPoint {
    /// Key.
    pub id: PointId,
    /// The thread it belongs to (FR-1.8).
    pub thread_id: ThreadId,
    /// The summary. Its parent is the message after which it was made.
    pub summary_message_id: MessageId,
    /// The last message that is no longer sent.
    pub boundary_message_id: MessageId,
    /// Estimated tokens of the window before.
    pub before: u32,
    /// Estimated tokens of the window after.
    pub after: u32,
    /// How many messages it covers, those of the point before it included.
    pub covered: u32,
    /// Of everything up to the boundary, as it was; another value now means the summary is stale.
    pub fingerprint: String,
    /// Messages that the summary was not made from, because they were pinned and so sent beside it. Once
    /// one of them is neither pinned nor left out any more, the summary is stale.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<MessageId>,
    /// Facts from the covered originals, carried beside the summary. They are those found when it was
    /// made, or found anew when the user edited it, or left out or took in something it covers. Empty
    /// when there are none.
    pub anchors: String,
    /// What set it off.
    pub trigger: CompactionTrigger,
    /// Who wrote the summary; `None`: it was made locally, without a model.
    pub model: Option<ModelRef>,
    /// Milliseconds since the epoch.
    pub created_at: i64,
}

/// What set a compaction off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CompactionTrigger {
    /// The threshold was passed.
    Threshold,
    /// The provider said the context was too long (P09).
    Overflow,
    /// The user asked.
    Manual,
    /// The user asked for a stale summary to be renewed.
    Renewal,
}
