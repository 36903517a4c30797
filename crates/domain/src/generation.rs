//! One model call as it is stored.

pub mod truncation;

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::finish_reason::FinishReason;
use crate::generation::truncation::Truncation;
use crate::health::HealthSnapshot;
use crate::ids::{MessageId, PointId};
use crate::model::ModelRef;
use crate::usage::TokenUsage;

/// A model call that succeeded, or was cut off after its provider had reported something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Generation {
    /// The message it wrote; `None` where it wrote none, or that is gone.
    pub message_id: Option<MessageId>,
    /// Where that message stood on the path it was made on, from 0; `None` where it wrote none, or
    /// where what it reported was forgotten since.
    pub place: Option<u32>,
    /// The compaction point that applied; `None`: none did.
    pub point: Option<PointId>,
    /// Fingerprint of what was sent always, of a reply; `None`: nobody noted it. It stays where it was
    /// made: elsewhere other words are sent.
    #[serde(skip)]
    pub prefix: Option<String>,
    /// What it was for.
    pub purpose: Purpose,
    /// Who was called.
    pub model: ModelRef,
    /// The provider's word.
    pub usage: TokenUsage,
    /// D10: health as it was then; `None` for what was no reply.
    pub health: Option<HealthSnapshot>,
    /// Why the answer ended; `None` when it was cut off.
    pub finish: Option<FinishReason>,
    /// Milliseconds since the epoch.
    pub started_at: i64,
    /// From the request to the end of the answer.
    pub duration_ms: u32,
    /// P09: that the server had not read all of the prompt, or had no room for an answer, and did not
    /// say so; `None`: nothing of the kind.
    #[serde(default)]
    pub unmentioned: Option<Truncation>,
}

/// What a generation was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// To answer in the conversation: the only ones whose usage tells of the context.
    Reply,
    /// To summarise it.
    Summary,
    /// To name it.
    Title,
}
