//! A compaction before, while and after it happens.

use serde::{Deserialize, Serialize};
use skein_context::compaction::CompactionPoint;
use skein_context::message::{Message, MessageId, PointId};
use skein_context::model::ModelRef;
use skein_context::session::ThreadId;
use specta::Type;

use crate::error::Error;

/// What a compaction would do, shown before it is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompactionPreview {
    /// Tokens sent now.
    pub before: u32,
    /// Tokens sent after, at most.
    pub after: u32,
    /// Messages that would be covered.
    pub covers: u32,
    /// Messages that stay verbatim behind it.
    pub keeps: u32,
    /// Covered messages that stay because they are pinned.
    pub pinned: u32,
    /// Who would write the summary.
    pub model: Option<ModelRef>,
}

/// A compaction as the status bar shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompactionProgress {
    /// The thread being compacted.
    pub thread_id: ThreadId,
    /// Pieces the covered part was cut into.
    pub pieces: u32,
    /// The piece being summarised, from 1.
    pub piece: u32,
    /// The summary as it arrives.
    pub text: String,
    /// Who writes it; `None`: no model, the local summary.
    pub model: Option<ModelRef>,
}

/// What a compaction of a session is doing, or how the last one ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CompactionStatus {
    /// None ran since the program started.
    Idle {},
    /// One runs.
    Running {
        /// How far it is.
        progress: CompactionProgress,
    },
    /// The last one is in place.
    Done {
        /// Its point.
        point_id: PointId,
    },
    /// The last one changed nothing.
    Failed {
        /// Why.
        error: Error,
    },
}

/// What was covered beside what is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// What was covered, in order.
    pub covered: Vec<Message>,
    /// The summary's text.
    pub summary: String,
    /// Facts found in the originals, those carried beside the summary first.
    pub anchors: Vec<AnchorLine>,
    /// The point, with its numbers.
    pub point: CompactionPoint,
}

/// A fact found in the originals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AnchorLine {
    /// As it is carried.
    pub text: String,
    /// The message it comes from.
    pub message_id: MessageId,
    /// Whether it is carried beside the summary, or was left out for room.
    pub carried: bool,
}
