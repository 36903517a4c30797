//! Ids, each with a type of its own, so that they cannot be confused.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Declares an id newtype over the integer key of its table.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
        )]
        #[serde(transparent)]
        pub struct $name(pub i64);
    };
}

id!(
    /// Key of a session.
    SessionId
);
id!(
    /// Key of a thread.
    ThreadId
);
id!(
    /// Key of a message.
    MessageId
);
id!(
    /// Key of a compaction point.
    PointId
);
id!(
    /// Key of the bytes of an attachment.
    BlobId
);
id!(
    /// Key of a whole tool output kept outside the context.
    OutputId
);
id!(
    /// Key of a reminder.
    ReminderId
);
id!(
    /// Key of a waiting message.
    WaitingId
);

/// The name of a lasting permission: for one tool, or narrower, such as one command line, host or folder.
/// Written by
/// `tools` (`Tool::grant`, `consent_key`); equal keys are the same permission.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct GrantKey(String);

impl GrantKey {
    /// A key from its stored text.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The text, as it is stored and shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A provider that the user configured (or the built-in `demo`), by its key in the settings.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct ProviderId(pub String);
