//! What a provider reported, what was counted, and which of the two a number is.
//!
//! Reported and estimated numbers are never mixed without saying so: every number carries its
//! [`Basis`]. Not here: counting (`tokens`).

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

/// A number of tokens and how it was come by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TokenCount {
    /// How many.
    pub tokens: u32,
    /// How it was come by.
    pub basis: Basis,
}

/// How a number was come by, surest first: a sum has the weakest basis of its terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Basis {
    /// The provider said so.
    Reported,
    /// Counted with the model's own tokeniser.
    Exact,
    /// Counted with another tokeniser, times a factor learned from reports.
    Calibrated,
    /// Counted with another tokeniser.
    Borrowed,
    /// From the number of characters (Q14).
    Rough,
}
