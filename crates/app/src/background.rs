//! The background work of the program, from its start to its end.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use crate::maintenance::Maintenance;
use crate::maintenance::orphaned_keys::OrphanedKeys;
use crate::mcp::McpServers;
use crate::models::Models;
use crate::tasks::Tasks;

/// How often it is asked whether what is made daily or fetched weekly is due.
const LOOK_EVERY: Duration = Duration::from_secs(60 * 60);

/// The work that the start leaves for later, and the work that is due from time to time.
pub(crate) struct Background {
    pub tasks: Tasks,
    pub models: Arc<Models>,
    pub mcp: Arc<McpServers>,
    pub maintenance: Arc<Maintenance>,
    pub orphaned_keys: OrphanedKeys,
    /// Something that is made daily or fetched weekly may be due earlier than was thought.
    pub maintenance_due: Arc<Notify>,
}

impl Background {
    /// Does the work that the start leaves for later: the vocabulary, the MCP servers, what is left of the
    /// database's check, its daily copy, and only then old deletions; the weekly catalogue.
    pub fn start(self: &Arc<Self>) {
        self.maintenance.checkpoint_when_quiet();
        self.maintenance.watch_database_presence();
        let own = self.tasks.track(Arc::clone(self));
        self.tasks.spawn_waiting(async move {
            let warming = tokio::task::spawn_blocking(skein_context::tokens::preload);
            own.mcp.sync().await;
            let _ = warming.await;
            own.models.load_cached_catalogue();
            own.maintenance.finish_integrity_check().await;
            own.maintenance.run_daily_backup().await;
            own.maintenance.purge_old().await;
            // Nothing that waits keeps a program from ending that nobody uses any more.
            let (waiting, look) = (Arc::downgrade(&own), Arc::clone(&own.maintenance_due));
            let tasks = own.tasks.clone();
            drop(own);
            while let Some(own) = waiting.upgrade() {
                let own = tasks.track(own);
                own.maintenance.run_daily_backup().await;
                own.models.refresh_catalogue().await;
                own.orphaned_keys.drop_due().await;
                drop(own);
                let _ = tokio::time::timeout(LOOK_EVERY, look.notified()).await;
            }
        });
    }
}
