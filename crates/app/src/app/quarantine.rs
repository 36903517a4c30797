//! What a database from elsewhere would allow, and the user's word on it.

use skein_domain::error::Result;
use skein_store::{QuarantineDecision, QuarantineEntry, QuarantineId};

use super::App;
use crate::events::Topic;

impl App {
    /// What is not decided on.
    pub async fn quarantine(&self) -> Result<Vec<QuarantineEntry>> {
        self.store.quarantine().await
    }

    /// Decides on all of these at once. A server that was agreed to is started.
    pub async fn decide_quarantine(
        &self,
        ids: Vec<QuarantineId>,
        decision: QuarantineDecision,
    ) -> Result<()> {
        self.store.decide_quarantine(ids, decision).await?;
        self.notifier.changed([Topic::Everything {}]);
        self.sync_servers().await;
        Ok(())
    }
}
