//! The usage that a provider reported for one call. Not here: estimates (`context::tokens`).

use serde::{Deserialize, Serialize};
use specta::Type;

/// The reported usage of one call. A field is `None` if the provider did not report it (D02, D03): never zero
/// instead, never filled from an estimate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct TokenUsage {
    /// Tokens of the whole prompt, cached ones included.
    pub prompt: Option<u32>,
    /// Tokens of the whole reply, reasoning included.
    pub completion: Option<u32>,
    /// The reported sum; if there is none and both parts are reported, their sum.
    pub total: Option<u32>,
    /// Tokens of `prompt` that were read from the provider's cache.
    pub cached: Option<u32>,
    /// Tokens of `prompt` that were written to the provider's cache.
    pub cache_written: Option<u32>,
    /// Tokens of `completion` that were reasoning.
    pub reasoning: Option<u32>,
}

impl TokenUsage {
    /// D02: true if nothing was reported.
    pub fn is_unavailable(&self) -> bool {
        *self == Self::default()
    }
}

/// The part of the prompts of several calls that was read from a provider's cache, as far as it was reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CacheTotals {
    /// The number of calls that reported it.
    pub calls: u32,
    /// Tokens read from the cache.
    pub cached: u64,
    /// Tokens of the prompts, the cached ones included; never 0.
    pub prompt: u64,
}
