//! Skein's side of a connection: handles the notifications of a server.

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

/// The shortest interval between progress reports of a call; others are dropped.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// Handles notifications. It offers no client features: no sampling, elicitation or roots.
#[derive(Clone)]
pub(crate) struct McpClientHandler {
    /// Notified when a list of the server has changed.
    pub changed: Arc<Notify>,
    /// The reason why the last answer with an unknown request id could not be read.
    pub missed: Arc<watch::Sender<String>>,
    log: ServerLog,
    progress: Arc<Mutex<HashMap<ProgressToken, ProgressListener>>>,
}

struct ProgressListener {
    to: UnboundedSender<String>,
    last_sent: Option<Instant>,
}

impl McpClientHandler {
    /// A handler for one connection. Redacts what the log redacts.
    pub(crate) fn new(log: &ServerLog) -> Self {
        let (changed, missed, progress) = Default::default();
        Self { changed, missed, log: log.clone(), progress }
    }

    /// Fails all pending calls: an answer could not be read, and its call is unknown.
    pub(crate) fn fail_pending(&self, reason: &str) {
        self.missed.send_replace(reason.to_owned());
    }

    /// Forwards the progress of one call until the guard is dropped. A cancelled call may still
    /// report; that is ignored.
    pub(crate) fn subscribe_progress(
        &self,
        token: ProgressToken,
        to: UnboundedSender<String>,
    ) -> ProgressGuard {
        let progress = ProgressListener { to, last_sent: None };
        self.progress.lock().insert(token.clone(), progress);
        ProgressGuard { handler: self.clone(), token }
    }
}

/// Forwards the progress of a call until it is dropped.
pub(crate) struct ProgressGuard {
    handler: McpClientHandler,
    token: ProgressToken,
}

impl ProgressGuard {
    pub(crate) fn has_progress(&self) -> bool {
        let progress = self.handler.progress.lock();
        progress.get(&self.token).is_some_and(|call| call.last_sent.is_some())
    }
}

impl Drop for ProgressGuard {
    fn drop(&mut self) {
        let mut progress = self.handler.progress.lock();
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
        notification: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let mut progress = self.progress.lock();
        let Some(call) = progress.get_mut(&notification.progress_token) else { return };
        if call.last_sent.is_some_and(|at| at.elapsed() < PROGRESS_INTERVAL) {
            return;
        }
        call.last_sent = Some(Instant::now());
        let numbers = match notification.total {
            Some(total) => format!("{} / {total}", notification.progress),
            None => notification.progress.to_string(),
        };
        let text =
            notification.message.map_or(numbers.clone(), |words| format!("{numbers} {words}"));
        let _ = call.to.send(output_truncation::truncate_end(&self.log.redact(&text), 200));
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
