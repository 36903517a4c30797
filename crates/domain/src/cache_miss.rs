//! Why a provider's cache was not used for a request that could have used it.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The first cause, in the order in which a provider reads a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CacheMiss {
    /// The request went to another model than the one before.
    Model {},
    /// The declaration of a tool was added, removed, changed or moved.
    Tool {
        /// The name of the tool.
        name: String,
    },
    /// The system prompt changed.
    System {},
    /// Another summary stands for the older messages, or none does any more.
    Compaction {},
    /// Old tool calls left the context together.
    Cleaning {},
    /// A message changed.
    Message {
        /// The place of the message in the request, from 1.
        number: u32,
    },
    /// Nothing changed, but the pause was longer than the provider may keep a prompt.
    Expired {
        /// The pause in whole minutes.
        minutes: u32,
    },
}
