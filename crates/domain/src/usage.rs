//! What a provider reported of one call. Not here: estimates (`context::usage`).

use serde::{Deserialize, Serialize};
use specta::Type;

/// The provider's word on one generation. Each field is `None` when the provider did not say
/// (D02, D03): never zero in its place, never filled from an estimate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct TokenUsage {
    /// The whole prompt, cached parts included.
    pub prompt: Option<u32>,
    /// The whole answer, reasoning included.
    pub completion: Option<u32>,
    /// As given; only where it is not, and both parts are, their sum.
    pub total: Option<u32>,
    /// Part of `prompt` read from the provider's cache.
    pub cached: Option<u32>,
    /// Part of `prompt` written to the provider's cache.
    pub cache_written: Option<u32>,
    /// Part of `completion` spent on reasoning.
    pub reasoning: Option<u32>,
}

impl TokenUsage {
    /// D02: whether nothing was reported at all.
    pub fn is_unavailable(&self) -> bool {
        *self == Self::default()
    }
}
