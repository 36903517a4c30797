//! Fingerprints of many paths through one tree.
//!
//! Not here: the fingerprint of one path (`staleness`).

use std::collections::HashMap;

use skein_domain::ids::MessageId;
use skein_domain::message::Message;

use super::staleness::hash_message;
use crate::hash::Fnv;

/// The fingerprints of paths that share a beginning: each message is read once, however many paths contain
/// it. See [`super::fingerprint`].
#[derive(Default)]
pub struct Fingerprints {
    /// The hash of the path that ends with each message. `None`: its parents are still being read, or form a
    /// circle.
    known: HashMap<MessageId, Option<Fnv>>,
}

impl Fingerprints {
    /// The fingerprint of the path that ends with `last`; `None`: its parents form a circle. `read` returns a
    /// message, or `None` if the path begins below it.
    ///
    /// # Errors
    /// The errors of `read`.
    pub fn of<E>(
        &mut self,
        last: MessageId,
        mut read: impl FnMut(MessageId) -> Result<Option<Message>, E>,
    ) -> Result<Option<String>, E> {
        let mut hash = Some(Fnv::new());
        let (mut up, mut next) = (Vec::new(), Some(last));
        while let Some(id) = next {
            if let Some(known) = self.known.get(&id) {
                hash = *known;
                break;
            }
            let Some(message) = read(id)? else { break };
            self.known.insert(id, None);
            next = message.parent_id;
            up.push((id, message));
        }
        for (id, message) in up.into_iter().rev() {
            if let Some(hash) = &mut hash {
                hash_message(hash, &message);
            }
            self.known.insert(id, hash);
        }
        Ok(hash.map(|hash| hash.to_hex()))
    }
}
