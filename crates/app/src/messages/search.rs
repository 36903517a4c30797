//! Finding words in everything that was said. The UI numbers its searches, so that it can end one whose
//! result nobody waits for any more: at each letter there is a new one.

use std::collections::HashMap;

use parking_lot::Mutex;
use skein_domain::error::Result;
use skein_domain::ids::ThreadId;
use skein_store::{MatchMode, ReadAccess, SearchHit, SearchQuery};
use tokio_util::sync::CancellationToken;

use super::Messages;

/// Hits shown at most.
const MOST: u32 = 60;

/// Characters shown on each side of what was found.
const MARGIN: u32 = 60;

/// The searches under way, by the numbers that the UI gave them.
#[derive(Default)]
pub(crate) struct RunningSearches(Mutex<HashMap<u32, CancellationToken>>);

impl Messages {
    /// Over everything, or within a thread. Finds nothing if [`Self::cancel_search`] ends it.
    pub async fn search(
        &self,
        query: String,
        thread: Option<ThreadId>,
        number: u32,
    ) -> Result<Vec<SearchHit>> {
        let cancel = CancellationToken::new();
        self.searches.0.lock().insert(number, cancel.clone());
        let found = cancel.run_until_cancelled(self.find(query, thread)).await;
        self.searches.0.lock().remove(&number);
        found.unwrap_or_else(|| Ok(Vec::new()))
    }

    /// Ends the search of this number, if it is under way.
    pub fn cancel_search(&self, number: u32) {
        if let Some(cancel) = self.searches.0.lock().remove(&number) {
            cancel.cancel();
        }
    }

    async fn find(&self, query: String, thread: Option<ThreadId>) -> Result<Vec<SearchHit>> {
        if query.trim().is_empty() {
            return Ok(Vec::new());
        }
        let session = match thread {
            Some(thread) => Some(self.store.thread(thread).await?.session_id),
            None => None,
        };
        let query = SearchQuery {
            text: query,
            session,
            thread,
            matching: MatchMode::All,
            reader: ReadAccess::User,
            limit: MOST,
            margin: MARGIN,
        };
        self.store.search(query).await
    }
}
