//! A key in memory.

use std::fmt;

/// A key. It has no serialisation and does not print its value.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A key as it was typed or pasted, without the space around it.
    pub fn new(typed: &str) -> Self {
        Self(typed.trim().to_owned())
    }

    /// The key itself, for the one request that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// True if the secret is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}
