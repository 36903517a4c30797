//! Views of a compaction before, while and after it happens.

use serde::{Deserialize, Serialize};
use skein_context::cost::estimate::{CostEstimate, PaidAfter};
use skein_domain::compaction_point::{CompactionPoint, SummaryWriter};
use skein_domain::error::Error;
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::model::ModelRef;
use specta::Type;

use super::conversation::PointView;

/// The plan of a compaction, shown before it starts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompactionPreview {
    /// Tokens of the prompt now.
    pub before: u32,
    /// Tokens of the prompt afterwards, at most.
    pub after: u32,
    /// Tokens of `after` for the summary. If `encrypted`, at least: those of the user's messages that the
    /// provider keeps word for word.
    pub summary: u32,
    /// Tokens of `after` for the facts beside the summary. If `encrypted`, 0.
    pub facts: u32,
    /// The messages to cover, in order. If an existing summary is updated, those since.
    pub covers: Vec<MessagePosition>,
    /// The messages that stay verbatim, in order: pinned ones, and those that no summary stands for.
    pub keeps: Vec<MessagePosition>,
    pub writer: SummaryWriter,
    /// W09: true if only the provider can read the summary. Skein makes a readable one beside it.
    pub encrypted: bool,
    /// The model that writes the summary; `None`: none, and the summary is extractive.
    pub model: Option<ModelRef>,
    /// The cost if the first model succeeds; `None`: no model is called.
    pub cost: Option<CostEstimate>,
    /// The number of messages after which the smaller prompt has saved as much; `None`: unknown or never.
    pub paid_after: Option<PaidAfter>,
}

/// A message and its position in a list of thousands. Its text is loaded when it is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessagePosition {
    pub message_id: MessageId,
    /// The position of the message on the path, from 1.
    pub number: u32,
}

/// The part of each message's text that a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ExcerptLength {
    /// The whole text.
    All,
    /// The first lines.
    Beginning,
}

/// The compactions of a session's current thread, as the dialog lists them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Compactions {
    /// The points on the path that is shown, newest first.
    pub points: Vec<PointView>,
    /// The point that was undone last and can be put back; `None`: there is none.
    pub undone: Option<CompactionPoint>,
    /// The size of the pinned messages.
    pub pins: PinUsage,
}

/// The size of the pinned messages, which always stay in the context, and their limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PinUsage {
    /// The number of pinned messages.
    pub messages: u32,
    /// The tokens of all pinned messages.
    pub tokens: u32,
    /// The largest size of all pinned messages, in tokens.
    pub limit: u32,
}

/// The progress of a compaction, as the status bar shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompactionProgress {
    /// The thread being compacted.
    pub thread_id: ThreadId,
    /// The number of pieces that the covered messages are divided into.
    pub pieces: u32,
    /// The piece being summarised, from 1.
    pub piece: u32,
    /// The summary as it arrives.
    pub text: String,
    /// The model that writes it; `None`: no model, the summary is extractive.
    pub model: Option<ModelRef>,
    /// The error that keeps the finished summary from being stored; `None`: there is none.
    pub unstored: Option<skein_domain::error::Error>,
}

/// The status of a session's compaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CompactionStatus {
    /// No compaction has run since the program started.
    Idle {},
    /// A compaction is running.
    Running { progress: CompactionProgress },
    /// The last compaction was applied.
    Done {
        /// The point that the compaction stored.
        point_id: PointId,
    },
    /// The last compaction failed and changed nothing.
    Failed { error: Error },
}

/// A summary beside the messages that it covers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SummaryComparison {
    /// The covered messages, in order.
    pub covered: Vec<MessagePosition>,
    /// The summary's text.
    pub summary: String,
    /// Facts found in the originals, those carried beside the summary first.
    pub anchors: Vec<FactView>,
    /// The point, with its numbers.
    pub point: CompactionPoint,
}

/// A fact found in the originals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FactView {
    /// The text as it is carried.
    pub text: String,
    /// The message it comes from.
    pub message_id: MessageId,
    /// That message's place on the path, from 1; `None` when it is no longer there.
    pub number: Option<u32>,
    pub fate: FactStatus,
}

/// The status of a fact found in the originals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FactStatus {
    /// Carried beside the summary.
    Carried,
    /// Word for word in the summary itself.
    Said,
    /// Left out for room.
    LeftOut,
    /// Left out because a newer value holds.
    Replaced,
}
