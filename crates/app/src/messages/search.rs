//! Finding words in everything that was said.

use skein_domain::error::Result;
use skein_domain::ids::ThreadId;
use skein_store::{MatchMode, ReadAccess, SearchHit, SearchQuery};

use super::Messages;

/// Hits shown at most.
const MOST: u32 = 60;

/// Characters shown on each side of what was found.
const MARGIN: u32 = 60;

impl Messages {
    /// Over everything, or within a thread.
    pub async fn search(&self, query: String, thread: Option<ThreadId>) -> Result<Vec<SearchHit>> {
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
