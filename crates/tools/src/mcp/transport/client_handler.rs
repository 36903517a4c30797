//! Skein's side of a connection: what a server may ask or tell without being asked.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProgressToken,
};
use rmcp::service::{NotificationContext, RoleClient};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Notify, watch};

use crate::mcp::server_log::ServerLog;
use crate::output_truncation;

/// How often one call may tell of its progress; what comes faster is dropped.
const PROGRESS_EVERY: Duration = Duration::from_millis(50);

/// Listens. It offers a server nothing: no sampling, no elicitation, no roots.
#[derive(Clone)]
pub(crate) struct McpClientHandler {
    /// Something a server listed has changed.
    pub changed: Arc<Notify>,
    /// Why the last answer could not be read whose request is unknown.
    pub missed: Arc<watch::Sender<String>>,
    log: ServerLog,
    progress: Arc<Mutex<HashMap<ProgressToken, ProgressListener>>>,
}

struct ProgressListener {
    to: UnboundedSender<String>,
    told: Option<Instant>,
}

impl McpClientHandler {
    /// For one connection. What the log hides is heard by nobody.
    pub(crate) fn new(log: &ServerLog) -> Self {
        let (changed, missed, progress) = Default::default();
        Self { changed, missed, log: log.clone(), progress }
    }

    /// An answer could not be read: whichever call it was for, none of those that wait can count on theirs.
    pub(crate) fn miss_answers(&self, reason: &str) {
        self.missed.send_replace(reason.to_owned());
    }

    /// Passes on the progress of one call until the guard is dropped. A cancelled call may go on
    /// telling: nobody hears it.
    pub(crate) fn subscribe_progress(
        &self,
        token: ProgressToken,
        to: UnboundedSender<String>,
    ) -> ProgressGuard {
        let progress = ProgressListener { to, told: None };
        self.progress.lock().insert(token.clone(), progress);
        ProgressGuard { ears: self.clone(), token }
    }
}

/// As long as it lives, a call's progress is heard.
pub(crate) struct ProgressGuard {
    ears: McpClientHandler,
    token: ProgressToken,
}

impl ProgressGuard {
    /// Whether any was heard.
    pub(crate) fn has_progress(&self) -> bool {
        let progress = self.ears.progress.lock();
        progress.get(&self.token).is_some_and(|call| call.told.is_some())
    }
}

impl Drop for ProgressGuard {
    fn drop(&mut self) {
        let mut progress = self.ears.progress.lock();
        progress.remove(&self.token);
    }
}

impl ClientHandler for McpClientHandler {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("skein", env!("CARGO_PKG_VERSION")),
        )
    }

    async fn on_progress(
        &self,
        told: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let mut progress = self.progress.lock();
        let Some(call) = progress.get_mut(&told.progress_token) else { return };
        if call.told.is_some_and(|at| at.elapsed() < PROGRESS_EVERY) {
            return;
        }
        call.told = Some(Instant::now());
        let numbers = match told.total {
            Some(total) => format!("{} / {total}", told.progress),
            None => told.progress.to_string(),
        };
        let words = told.message.map_or(numbers.clone(), |words| format!("{numbers} {words}"));
        let _ = call.to.send(output_truncation::truncate_end(&self.log.redact(&words), 200));
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn on_prompt_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn on_resource_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }
}
