//! A summary that only the provider which wrote it can read.
//!
//! Not here: when it is sent in place of the readable one (`context::window`).

use serde_json::Value;

use crate::model::ModelRef;

/// The items of a provider's own compaction. Requests to their origin send them in place of the summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncryptedSummary {
    /// A hash that names the address and the model. The items mean nothing anywhere else.
    pub origin: String,
    /// The model that was asked for them.
    pub model: ModelRef,
    /// The items as they were received, in order: messages of the user where the provider keeps them, and
    /// encrypted ones.
    pub items: Vec<Value>,
    /// The tokens that the items take in a prompt.
    pub tokens: u32,
}
