//! Searches the text of all messages. The UI starts a search at each letter, so it numbers its searches and
//! cancels the former one.

use std::collections::HashMap;

use parking_lot::Mutex;
use skein_domain::error::Result;
use skein_domain::ids::ThreadId;
use skein_store::{MatchMode, ReadAccess, SearchHit, SearchQuery};
use tokio_util::sync::CancellationToken;

use super::Messages;

/// The largest number of hits.
const MAX_HITS: u32 = 60;

/// Characters shown on each side of a hit.
const MARGIN: u32 = 60;

/// The running searches, by the UI's numbers.
#[derive(Default)]
pub(crate) struct RunningSearches(Mutex<HashMap<u32, CancellationToken>>);

impl Messages {
    /// Searches all sessions, or one thread. Finds nothing if [`Self::cancel_search`] cancels it.
    pub async fn search(
        &self,
        query: String,
        thread: Option<ThreadId>,
        number: u32,
    ) -> Result<Vec<SearchHit>> {
        let cancel = CancellationToken::new();
        self.searches.0.lock().insert(number, cancel.clone());
        let hits = cancel.run_until_cancelled(self.find(query, thread)).await;
        self.searches.0.lock().remove(&number);
        hits.unwrap_or_else(|| Ok(Vec::new()))
    }

    /// Cancels the search with this number, if it is running.
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
            limit: MAX_HITS,
            margin: MARGIN,
        };
        self.store.search(query).await
    }
}
