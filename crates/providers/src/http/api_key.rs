//! A key on its way to a request.

use std::fmt;

/// An API key. It is never printed: its `Debug` is silent and it has no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key as typed or pasted; the space around it is not part of it.
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// The key itself, for the one header it belongs in.
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
