//! A stored call of a model.

pub mod prompt_truncation;

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::finish_reason::FinishReason;
use crate::generation::prompt_truncation::Truncation;
use crate::health::HealthSnapshot;
use crate::ids::{MessageId, PointId};
use crate::model::ModelRef;
use crate::usage::TokenUsage;

/// A call of a model that succeeded, or was cut off after its provider had reported usage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Generation {
    /// The message it wrote; `None`: it wrote none, or that is deleted.
    pub message_id: Option<MessageId>,
    /// The index of that message on its path, from 0; `None`: it wrote none, or the report no longer applies.
    pub place: Option<u32>,
    /// The compaction point that applied; `None`: none did.
    pub point: Option<PointId>,
    /// The fingerprint of the prefix of a reply; `None`: not recorded. It is not exported, because another
    /// machine has another prefix.
    #[serde(skip)]
    pub prefix: Option<String>,
    /// The purpose of the call.
    pub purpose: Purpose,
    /// The model that was called.
    pub model: ModelRef,
    /// The reported tokens.
    pub usage: TokenUsage,
    /// D10: the health at that time; `None`: the call was no reply.
    pub health: Option<HealthSnapshot>,
    /// The finish reason; `None`: the reply was cut off.
    pub finish: Option<FinishReason>,
    /// Milliseconds since the epoch.
    pub started_at: i64,
    /// Milliseconds from the request to the end of the reply.
    pub duration_ms: u32,
    /// P09: the silent truncation of the prompt; `None`: none was detected.
    #[serde(default)]
    pub unmentioned: Option<Truncation>,
}

/// The purpose of a call in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// A reply in the conversation. Only its usage describes the context.
    Reply,
    /// A summary of the conversation.
    Summary,
    /// A title of the conversation.
    Title,
    /// To answer a question beside it.
    SideQuestion,
}

/// The purpose of any call. Unlike [`Purpose`] it is in no export of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CallPurpose {
    /// A reply in a conversation.
    Reply,
    /// A summary of a conversation.
    Summary,
    /// A title of a conversation.
    Title,
    /// To answer a question beside a conversation.
    SideQuestion,
    /// A test of a provider. It belongs to no conversation.
    ConnectionTest,
}

impl From<Purpose> for CallPurpose {
    fn from(purpose: Purpose) -> Self {
        match purpose {
            Purpose::Reply => Self::Reply,
            Purpose::Summary => Self::Summary,
            Purpose::Title => Self::Title,
            Purpose::SideQuestion => Self::SideQuestion,
        }
    }
}
