//! A number of tokens and how it was counted.

use serde::{Deserialize, Serialize};
use specta::Type;

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
    /// Counted with the model's own tokeniser.
    Exact,
    /// Counted with another tokeniser, times a factor learned from reports.
    Calibrated,
    /// Counted with another tokeniser.
    Borrowed,
}

/// A number with the weakest basis of its terms.
pub fn token_count(tokens: u32, bases: impl IntoIterator<Item = Basis>) -> TokenCount {
    TokenCount { tokens, basis: weakest(bases) }
}

/// The weakest basis of several; exact when there are none.
fn weakest(bases: impl IntoIterator<Item = Basis>) -> Basis {
    bases.into_iter().fold(Basis::Exact, Ord::max)
}
