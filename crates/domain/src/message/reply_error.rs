//! The error of a failed reply: typed in memory, JSON within a text in storage.

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The error of a failed reply. Stored, exported and sent to the UI as a text with the JSON of [`Error`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum ReplyError {
    /// An error of this version.
    Known(Error),
    /// A text that this version would write differently: of another version, or of an import. It is written
    /// back unchanged.
    Foreign(String),
}

impl From<String> for ReplyError {
    fn from(text: String) -> Self {
        match serde_json::from_str::<Error>(&text) {
            Ok(error) if json(&error) == text => Self::Known(error),
            Ok(_) | Err(_) => Self::Foreign(text),
        }
    }
}

impl From<ReplyError> for String {
    fn from(error: ReplyError) -> Self {
        match error {
            ReplyError::Known(error) => json(&error),
            ReplyError::Foreign(text) => text,
        }
    }
}

/// The JSON of an error. Serialising an [`Error`] cannot fail: it has only texts and numbers.
fn json(error: &Error) -> String {
    serde_json::to_string(error).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_error_is_read_as_its_kind_and_written_again_byte_for_byte() {
        let busy = r#"{"kind":"busy"}"#;
        assert_eq!(ReplyError::from(busy.to_owned()), ReplyError::Known(Error::Busy {}));
        let newer = r#"{"kind":"ofALaterVersion"}"#;
        let older = r#"{"kind":"unreachable","host":"h","port":1}"#;
        for text in [busy, newer, older, "{}", "no JSON", ""] {
            assert_eq!(String::from(ReplyError::from(text.to_owned())), text);
        }
    }
}
