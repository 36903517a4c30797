//! A key in memory.

use std::fmt;

/// A key. It prints nothing of itself, and nothing serialises it by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a key as it was typed or pasted; the space around it is not part of it.
    pub fn new(typed: &str) -> Self {
        Self(typed.trim().to_owned())
    }

    /// The key itself, for the one request that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}
