//! A number of tokens with its basis.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A number of tokens with its basis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TokenCount {
    /// The number.
    pub tokens: u32,
    /// The way it was counted.
    pub basis: Basis,
}

/// The way a number was counted, most certain first. A sum has the least certain basis of its terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Basis {
    /// Counted with the model's own tokeniser.
    Exact,
    /// Counted with another tokeniser, times a factor learned from reports.
    Calibrated,
    /// Counted with another tokeniser.
    Borrowed,
}

/// A number with the least certain basis of its terms; exact if there are none.
pub fn token_count(tokens: u32, bases: impl IntoIterator<Item = Basis>) -> TokenCount {
    TokenCount { tokens, basis: bases.into_iter().fold(Basis::Exact, Ord::max) }
}
