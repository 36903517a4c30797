//! A connection to a server, its session and the calls in progress.

use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::service::Peer;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use super::EXIT_TIMEOUT;
use crate::mcp::transport::client_handler::McpClientHandler;

/// One connection to a server, shared by the requests that run over it.
#[derive(Clone)]
pub struct ConnectionHandle {
    pub peer: Peer<RoleClient>,
    pub(super) handler: McpClientHandler,
    pub(super) signed_in: bool,
    /// Cancelled when the server answers that it does not know the session. It belongs to this connection, so
    /// that a late answer does not end the next one.
    pub(super) session_lost: CancellationToken,
    /// Notified when a request got no answer; the server is pinged then.
    pub(super) doubt: Arc<Notify>,
    /// Tool calls in progress. A server that works on one may be too busy to answer a ping.
    calls: Arc<watch::Sender<u32>>,
}

impl ConnectionHandle {
    pub(super) fn new(peer: Peer<RoleClient>, ears: McpClientHandler, signed_in: bool) -> Self {
        let (forgotten, doubt) = (CancellationToken::new(), Arc::default());
        let calls = Arc::new(watch::Sender::new(0));
        Self { peer, handler: ears, signed_in, session_lost: forgotten, doubt, calls }
    }

    pub(super) fn is_idle(&self) -> bool {
        *self.calls.borrow() == 0
    }

    /// Waits until the server has forgotten the session, and then for its calls, at most `EXIT_TIMEOUT`.
    pub(super) async fn over(&self) {
        self.session_lost.cancelled().await;
        let mut calls = self.calls.subscribe();
        let _ = tokio::time::timeout(EXIT_TIMEOUT, calls.wait_for(|calls| *calls == 0)).await;
    }

    /// Counts a call until the guard is dropped.
    pub(super) fn call(&self) -> CallGuard {
        self.calls.send_modify(|calls| *calls += 1);
        CallGuard(Arc::clone(&self.calls))
    }
}

/// Decrements the number of calls in progress when it is dropped.
pub(super) struct CallGuard(Arc<watch::Sender<u32>>);

impl Drop for CallGuard {
    fn drop(&mut self) {
        self.0.send_modify(|calls| *calls = calls.saturating_sub(1));
    }
}
