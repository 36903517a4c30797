//! Finding words in everything that was said.

use skein_context::session::SessionId;

use super::App;
use crate::error::Result;
use crate::store::{Hit, Matching, Query};

/// Hits shown at most.
const MOST: u32 = 60;

/// Characters shown on each side of what was found.
const MARGIN: u32 = 60;

impl App {
    /// Over everything, or within a session.
    pub async fn search(&self, query: String, session: Option<SessionId>) -> Result<Vec<Hit>> {
        if query.trim().is_empty() {
            return Ok(Vec::new());
        }
        let query =
            Query { text: query, session, matching: Matching::All, limit: MOST, margin: MARGIN };
        self.store.search(query).await
    }
}
