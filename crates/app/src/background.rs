//! The background work of the program, from its start to its end.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use crate::maintenance::Maintenance;
use crate::maintenance::orphaned_keys::OrphanedKeys;
use crate::mcp::McpServers;
use crate::models::Models;
use crate::tasks::Tasks;
use crate::updates::Updates;

/// The interval between checks whether a daily or weekly task is due.
const CHECK_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// The work that starts after the app window is open, and the periodic work.
pub(crate) struct Background {
    pub tasks: Tasks,
    pub models: Arc<Models>,
    pub mcp: Arc<McpServers>,
    pub maintenance: Arc<Maintenance>,
    pub orphaned_keys: OrphanedKeys,
    pub updates: Arc<Updates>,
    /// Wakes the periodic work, because a task may be due earlier.
    pub maintenance_due: Arc<Notify>,
}

impl Background {
    /// Starts the work that can wait: loading the vocabulary, MCP servers, the rest of the database check,
    /// the daily backup, then purging old deletions; the weekly catalogue; and, once the user
    /// agreed, the daily question for updates.
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
            // A waiting task holds no strong reference, so that it does not keep an unused app alive.
            let (waiting, look) = (Arc::downgrade(&own), Arc::clone(&own.maintenance_due));
            let tasks = own.tasks.clone();
            drop(own);
            while let Some(own) = waiting.upgrade() {
                let own = tasks.track(own);
                own.maintenance.run_daily_backup().await;
                own.models.refresh_catalogue().await;
                own.orphaned_keys.drop_due().await;
                own.updates.check_daily();
                drop(own);
                let _ = tokio::time::timeout(CHECK_INTERVAL, look.notified()).await;
            }
        });
    }
}
