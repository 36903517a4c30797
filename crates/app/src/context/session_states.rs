//! The stored state of sessions, read once for each version of the database.
//!
//! A turn, the estimate beside the composer and the health ask for it one after the other. Not here: the
//! messages (`thread_cache`), or the context built from both (`turn_contexts`).

use std::sync::Arc;

use hashlink::LruCache;
use parking_lot::Mutex;
use skein_domain::error::Result;
use skein_domain::ids::SessionId;
use skein_store::{SessionState, Store};

/// The number of kept sessions.
const CAPACITY: usize = 6;

/// The states that were read last.
pub(super) struct SessionStates {
    store: Store,
    /// Each with the version of the database before it was read.
    cache: Mutex<LruCache<SessionId, (u64, Arc<SessionState>)>>,
}

impl SessionStates {
    pub fn new(store: Store) -> Self {
        Self { store, cache: Mutex::new(LruCache::new(CAPACITY)) }
    }

    /// The state of a session. It is read again only after a write.
    pub async fn get(&self, id: SessionId) -> Result<Arc<SessionState>> {
        let version = self.store.version();
        if let Some((read_at, state)) = self.cache.lock().get(&id)
            && *read_at == version
        {
            return Ok(Arc::clone(state));
        }
        let state = Arc::new(self.store.session_state(id).await?);
        self.cache.lock().insert(id, (version, Arc::clone(&state)));
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use skein_platform::paths::AppPaths;
    use skein_store::NewSession;

    use super::*;

    #[tokio::test]
    async fn the_state_of_a_session_is_read_again_after_a_write_and_not_sooner() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&AppPaths::in_folder(folder.path()), 0).unwrap();
        let id = store.create_session(NewSession::default()).await.unwrap().id;
        let states = SessionStates::new(store.clone());
        let first = states.get(id).await.unwrap();
        assert!(Arc::ptr_eq(&first, &states.get(id).await.unwrap()));
        store.rename_session(id, Some("Looms".into())).await.unwrap();
        assert_eq!(states.get(id).await.unwrap().session.title.as_deref(), Some("Looms"));
    }
}
