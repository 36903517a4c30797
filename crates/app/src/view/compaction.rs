//! A compaction before, while and after it happens.

use serde::{Deserialize, Serialize};
use skein_context::cost::estimate::{CostEstimate, PaidAfter};
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::error::Error;
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::message::{Inclusion, MessageKind, Origin};
use skein_domain::model::ModelRef;
use specta::Type;

use super::conversation::PointView;

/// What a compaction would do, shown before it is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompactionPreview {
    /// Tokens sent now.
    pub before: u32,
    /// Tokens sent after, at most.
    pub after: u32,
    /// Tokens of `after` that the summary may have.
    pub summary: u32,
    /// Tokens of `after` that the facts beside it may have.
    pub facts: u32,
    /// The messages that would be covered, in order. With a summary to bring up to date, those since.
    pub covers: Vec<MessagePosition>,
    /// The messages that stay verbatim, in order: pinned ones, and what follows the summary.
    pub keeps: Vec<MessagePosition>,
    /// Who would write the summary.
    pub model: Option<ModelRef>,
    /// Its cost, where the first model that is asked succeeds; `None`: no model is asked.
    pub cost: Option<CostEstimate>,
    /// After how many messages the smaller prompt has saved as much; `None`: nobody knows, or never.
    pub paid_after: Option<PaidAfter>,
}

/// Which message stands where in a list of thousands: what it says is asked for where it is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessagePosition {
    /// Which.
    pub message_id: MessageId,
    /// Its place on the path, from 1.
    pub number: u32,
}

/// How much of what messages say a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ExcerptLength {
    /// All of it.
    All,
    /// Their first lines.
    Beginning,
}

/// What a message says, as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageLine {
    /// Which.
    pub message_id: MessageId,
    /// What it is.
    pub kind: MessageKind,
    /// Who it really comes from.
    pub origin: Origin,
    /// Whether it stays because the person pinned it, or is left out.
    pub inclusion: Inclusion,
    /// Its words, and the names of its tools and attachments, or the first line of these; empty where it
    /// has none.
    pub words: String,
}

/// The compactions of a session's current thread, as the dialog lists them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Compactions {
    /// On the path that is seen, newest first.
    pub points: Vec<PointView>,
    /// The one undone last, which can be put back.
    pub undone: Option<CompactionPoint>,
    /// What pinned messages take.
    pub pins: PinUsage,
}

/// What pinned messages take of what they may: they always stay in the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PinUsage {
    /// How many there are.
    pub messages: u32,
    /// Their tokens.
    pub tokens: u32,
    /// Tokens they may take together.
    pub limit: u32,
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
    /// Why the whole summary is in memory alone, for as long as it is so.
    pub unstored: Option<skein_domain::error::Error>,
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
pub struct SummaryComparison {
    /// What was covered, in order.
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
    /// As it is carried.
    pub text: String,
    /// The message it comes from.
    pub message_id: MessageId,
    /// That message's place on the path, from 1; `None` when it is no longer there.
    pub number: Option<u32>,
    /// What became of it.
    pub fate: FactStatus,
}

/// What became of a fact found in the originals.
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
