//! A whole conversation as data for exports and imports. Its ids are local to it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::compaction_point::CompactionPoint;
use crate::draft::Draft;
use crate::generation::Generation;
use crate::ids::{BlobId, OutputId};
use crate::message::Message;
use crate::message::queued_message::QueuedMessage;
use crate::reminder::Reminder;
use crate::session::{Session, Thread};

/// A whole conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    /// The title, overrides and times of the session.
    pub session: Session,
    /// The threads by number; the current one need not be the last.
    pub threads: Vec<ThreadRecord>,
    /// The reminders of this session alone.
    #[serde(default)]
    pub reminders: Vec<Reminder>,
    /// The queued messages, in the order they are sent.
    #[serde(default)]
    pub waiting: Vec<QueuedMessage>,
    /// The draft of its composer.
    #[serde(default)]
    pub draft: Draft,
    /// The bytes of its attachments.
    #[serde(default)]
    #[specta(type = BTreeMap<String, String>)]
    pub blobs: BTreeMap<BlobId, Base64>,
    /// Whole tool outputs.
    #[serde(default)]
    #[specta(type = BTreeMap<String, String>)]
    pub outputs: BTreeMap<OutputId, String>,
}

impl Conversation {
    /// The index of the current thread: the last that has not ended; if a file says that all have, the last.
    pub fn current(&self) -> usize {
        let open = self.threads.iter().rposition(|it| it.thread.ended_at.is_none());
        open.unwrap_or(self.threads.len().saturating_sub(1))
    }
}

/// A thread of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ThreadRecord {
    /// The number, start and leaf of the thread.
    pub thread: Thread,
    /// The messages of all branches, and those beside the path.
    pub messages: Vec<Message>,
    /// The compaction points, oldest first.
    #[serde(default)]
    pub points: Vec<CompactionPoint>,
    /// The generations, oldest first.
    #[serde(default)]
    pub generations: Vec<Generation>,
}

/// Bytes, serialised as base64.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Base64(pub Vec<u8>);

impl From<Base64> for String {
    fn from(bytes: Base64) -> Self {
        use base64::Engine;
        base64::engine::general_purpose::STANDARD.encode(bytes.0)
    }
}

impl TryFrom<String> for Base64 {
    type Error = base64::DecodeError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        use base64::Engine;
        base64::engine::general_purpose::STANDARD.decode(text).map(Self)
    }
}
