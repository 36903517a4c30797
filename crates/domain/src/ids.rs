//! Ids, each with a type of its own, so that they cannot be confused.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Declares id newtypes over the integer keys of tables.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        $(
            $(#[$doc])*
            #[derive(
                Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
            )]
            #[serde(transparent)]
            pub struct $name(pub i64);
        )*
    };
}

ids! {
    /// Key of a session.
    SessionId,
    /// Key of a thread.
    ThreadId,
    /// Key of a message.
    MessageId,
    /// Key of a compaction point.
    PointId,
    /// Key of the bytes of an attachment.
    BlobId,
    /// Key of a whole tool output kept outside the context.
    OutputId,
    /// Key of a reminder.
    ReminderId,
    /// Key of a waiting message.
    WaitingId,
}

/// The name of a lasting permission: for one tool, or narrower, such as one command line, host or folder.
/// Written by `tools` (`Tool::grant`, `consent_key`); equal keys are the same permission.
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
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type, JsonSchema,
)]
#[serde(transparent)]
pub struct ProviderId(pub String);
