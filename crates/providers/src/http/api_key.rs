//! An API key, which never appears in output.

use std::fmt;

/// An API key. Its `Debug` output is empty and it has no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key as typed or pasted, without surrounding spaces.
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// The key as text, for the request header.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "sk-live/4f9+Za81bcQ==77";

    #[test]
    fn a_key_is_never_printed() {
        assert_eq!(format!("{:?}", ApiKey::new(SECRET)), "Key(…)");
        assert_eq!(ApiKey::new(&format!(" {SECRET}\n")).expose(), SECRET);
    }
}
