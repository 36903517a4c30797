//! A message that is queued behind a running turn.

use serde::{Deserialize, Serialize};
use specta::Type;

pub use crate::ids::WaitingId;

use crate::message::ContentPart;

/// A message that is queued behind a running turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueuedMessage {
    /// Key.
    pub id: WaitingId,
    /// The parts in order.
    pub parts: Vec<ContentPart>,
    /// True if the message belongs to the composer, as soon as nothing else is written there: only the user
    /// sends it, after all others.
    #[serde(default)]
    pub for_box: bool,
    /// Milliseconds since the epoch.
    pub created_at: i64,
}
