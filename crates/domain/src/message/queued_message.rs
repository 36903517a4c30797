//! A message that waits until the turn before it has ended.

use serde::{Deserialize, Serialize};
use specta::Type;

pub use crate::ids::WaitingId;

use crate::message::ContentPart;

/// A message that waits for a running turn to end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueuedMessage {
    /// Key.
    pub id: WaitingId,
    /// What it says, in order.
    pub parts: Vec<ContentPart>,
    /// Its place is in the composer, as soon as nothing else is written there: it is sent by the user
    /// alone, and behind all others.
    #[serde(default)]
    pub for_box: bool,
    /// Milliseconds since the epoch.
    pub created_at: i64,
}
