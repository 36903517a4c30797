//! Fingerprints of many paths through one tree.

use std::collections::HashMap;

use skein_domain::ids::MessageId;
use skein_domain::message::Message;

use super::staleness::hash_message;
use crate::hash::Fnv;

/// The fingerprints of paths that begin alike: each message is read once, however many of them lead
/// through it. See [`super::fingerprint`].
#[derive(Default)]
pub struct Fingerprints {
    /// Of the path that ends with each. `None`: it is being gone up, or has no beginning.
    known: HashMap<MessageId, Option<Fnv>>,
}

impl Fingerprints {
    /// That of the path that ends with `last`; `None` where its parents lead round in a circle. `read`
    /// gives a message, or nothing where the path begins below it.
    ///
    /// # Errors
    /// What `read` fails with.
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
