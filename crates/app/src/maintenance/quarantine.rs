//! What a database from elsewhere would allow, and the user's word on it.

use std::sync::Arc;

use skein_domain::error::Result;
use skein_store::{QuarantineDecision, QuarantineEntry, QuarantineId, Store};

use crate::events::Topic;
use crate::mcp::McpServers;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;

/// What waits for the person's decision.
pub struct Quarantine {
    store: Store,
    notifier: Notifier,
    mcp: Arc<McpServers>,
}

impl Quarantine {
    pub(crate) fn new(shared: &SharedState, mcp: Arc<McpServers>) -> Self {
        Self { store: shared.store.clone(), notifier: shared.notifier.clone(), mcp }
    }

    /// What is not decided on.
    pub async fn list(&self) -> Result<Vec<QuarantineEntry>> {
        self.store.quarantine().await
    }

    /// Decides on all of these at once. A server that was agreed to is started.
    pub async fn decide(&self, ids: Vec<QuarantineId>, decision: QuarantineDecision) -> Result<()> {
        self.store.decide_quarantine(ids, decision).await?;
        self.notifier.changed([Topic::Everything {}]);
        self.mcp.sync().await;
        Ok(())
    }
}
