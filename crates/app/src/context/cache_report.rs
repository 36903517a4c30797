//! The part of a session's prompts that the provider's cache held, and why the latest reply did not use it.
//!
//! Not here: what the cache likely holds of the next prompt (`next_message_cost`).

use skein_context::cost::prompt_cache::CacheLifetime;
use skein_domain::error::Result;
use skein_domain::ids::SessionId;

use super::context_reports::ContextReports;
use crate::view::CacheReport;

impl ContextReports {
    /// The use of the provider's cache in a session, as far as it was reported.
    pub async fn cache_report(&self, session: SessionId) -> Result<CacheReport> {
        let context = self.contexts.of(session).await?;
        let last = context.status.last_reply().and_then(|reply| reply.message_id);
        let miss = match last {
            Some(reply) => self.store.cache_misses(reply, reply).await?.remove(&reply),
            None => None,
        };
        let totals = self.store.cache_totals(session).await?;
        let keeps_hour = context.cache_lifetime == CacheLifetime::Hour;
        Ok(CacheReport { totals, miss, keeps_hour })
    }
}
