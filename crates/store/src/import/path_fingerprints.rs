//! The fingerprints of the paths and ranges of an imported thread, by which points stay valid or stale.

use std::collections::HashMap;
use std::iter;

use rusqlite::Connection;
use skein_context::compaction::{Fingerprints, fingerprint};
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::Message;

use crate::db::error::StoreError;
use crate::messages::{branch_path, message_rows};

/// The paths of a thread by the ids in the file and in the store, with their fingerprints.
pub(super) struct PathFingerprints {
    original: HashMap<MessageId, Message>,
    before: Fingerprints,
    now: Fingerprints,
}

impl PathFingerprints {
    pub fn of(messages: &[Message]) -> Self {
        Self {
            original: messages.iter().map(|message| (message.id, message.clone())).collect(),
            before: Fingerprints::default(),
            now: Fingerprints::default(),
        }
    }

    /// The fingerprints of the messages that a point covers after message `after`, in the file and in the
    /// store.
    pub fn of_range(
        &self,
        tx: &Connection,
        (after, last): (MessageId, MessageId),
        (new_after, new_last): (MessageId, MessageId),
    ) -> Result<(String, String), StoreError> {
        let up = |message: &&Message| self.original.get(&message.parent_id?);
        let path = iter::successors(self.original.get(&last), up).take(self.original.len());
        let mut covered: Vec<_> = path.take_while(|message| message.id != after).collect();
        covered.reverse();
        let ids = branch_path::path_ids_between(tx, Some(new_after), new_last)?;
        let stored = message_rows::get_all(tx, ids)?;
        Ok((fingerprint(covered), fingerprint(&stored)))
    }

    /// The fingerprint of the messages from the root to this message of the imported file.
    pub fn fingerprint_before(&mut self, last: MessageId) -> Result<Option<String>, StoreError> {
        self.before.of(last, |id| Ok(self.original.get(&id).cloned()))
    }

    /// The fingerprint of the path that ends with this message of the store.
    pub fn fingerprint_now(
        &mut self,
        tx: &Connection,
        thread: ThreadId,
        last: MessageId,
    ) -> Result<Option<String>, StoreError> {
        self.now.of(last, |id| {
            let message = message_rows::get(tx, id)?;
            // A path ends where it leaves its thread.
            let parent_id = message.parent_id.filter(|_| message.thread_id == thread);
            Ok(Some(Message { parent_id, ..message }))
        })
    }
}
