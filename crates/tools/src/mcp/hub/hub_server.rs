//! A server of the hub with the task that supervises it.

use std::sync::Arc;

use tokio::task::JoinHandle;

use crate::mcp::McpServerConfig;
use crate::mcp::server::McpServer;

pub(super) struct HubServer {
    pub server: Arc<McpServer>,
    /// Tools that run without approval. May change while the server runs.
    pub always_allow: Vec<String>,
    /// `None` while it is off or waits for consent.
    pub task: Option<JoinHandle<()>>,
}

impl HubServer {
    /// True if the server need not be restarted for `config`. While it runs, `always_allow` may
    /// differ; while it waits for consent it may not, because the question lists these tools.
    pub(super) fn is_unchanged(&self, config: &McpServerConfig) -> bool {
        let own = &self.server.config;
        let always_allow = own.always_allow.clone();
        match self.task {
            Some(_) => *own == McpServerConfig { always_allow, ..config.clone() },
            None => own == config,
        }
    }
}
