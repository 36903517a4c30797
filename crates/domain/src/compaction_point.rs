//! A stored compaction: a summary that replaces the messages up to a boundary, from the first or from a
//! later one on.
//!
//! Not here: when and what is compacted (`context::compaction`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::ids::{MessageId, PointId, ThreadId};
use crate::model::ModelRef;

/// A stored compaction. It never changes, except for its facts and for its two borders, which move if their
/// message is deleted. Undo deletes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompactionPoint {
    /// Key.
    pub id: PointId,
    /// The thread it belongs to (FR-1.8).
    pub thread_id: ThreadId,
    /// The summary. Its parent is the message after which it was made.
    pub summary_message_id: MessageId,
    /// The last message before those it covers. `None`: it covers the path from its first message on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_message_id: Option<MessageId>,
    /// The last message that is no longer sent.
    pub boundary_message_id: MessageId,
    /// Estimated tokens of the window before.
    pub before: u32,
    /// Estimated tokens of the window after.
    pub after: u32,
    /// The number of messages it covers, those of former points included.
    pub covered: u32,
    /// The fingerprint of the messages it covers when it was made; if it has changed, the summary is stale.
    pub fingerprint: String,
    /// The messages that the summary was not made from, because they were pinned and are sent beside it. When
    /// one of them is no longer pinned or left out, the summary is stale.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<MessageId>,
    /// The facts of the covered originals that are carried beside the summary, one a line. They are selected
    /// when it is made, and again when the user edits it or changes the inclusion of a covered message. Empty
    /// if there are none.
    pub anchors: String,
    /// The trigger of the compaction.
    pub trigger: CompactionTrigger,
    /// The model that wrote the summary; `None`: it was made without a model.
    pub model: Option<ModelRef>,
    /// Milliseconds since the epoch.
    pub created_at: i64,
}

/// The trigger of a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CompactionTrigger {
    /// The threshold was exceeded.
    Threshold,
    /// The provider refused the prompt as too long (P09).
    Overflow,
    /// The user asked for a compaction.
    Manual,
    /// The user chose the messages to summarise (W01). The other messages stay as they are.
    Range,
    /// The user asked for a new version of a stale summary.
    Renewal,
}

/// The writer of a summary.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum SummaryWriter {
    /// The program, with a prompt of its own to a model, or from sentences of the messages.
    #[default]
    Skein,
    /// The provider of the conversation's model, with its own compaction.
    Provider,
}

impl SummaryWriter {
    /// True for the usual writer.
    pub fn is_skein(&self) -> bool {
        *self == Self::Skein
    }
}
