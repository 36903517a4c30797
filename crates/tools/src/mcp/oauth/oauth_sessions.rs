//! The sign-ins that wait for the browser, at most one for each server.
//!
//! Not here: the steps of a sign-in (`oauth_flow`).

use std::collections::HashMap;

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::mcp::ChangeCallback;

/// The sign-ins in progress. Watchers are notified of each beginning and end.
pub(crate) struct SignInSessions {
    active: Mutex<HashMap<String, CancellationToken>>,
    on_change: ChangeCallback,
}

impl SignInSessions {
    pub fn new(on_change: ChangeCallback) -> Self {
        Self { active: Mutex::default(), on_change }
    }

    /// Begins a sign-in and cancels an earlier one of the same server.
    pub fn begin(&self, server: &str) -> SignInSession<'_> {
        let stopped = CancellationToken::new();
        if let Some(before) = self.active.lock().insert(server.to_owned(), stopped.clone()) {
            before.cancel();
        }
        (self.on_change)();
        SignInSession { all: self, server: server.to_owned(), stopped }
    }

    pub fn cancel(&self, server: &str) {
        {
            let mut begun = self.active.lock();
            let Some(stopped) = begun.remove(server) else { return };
            stopped.cancel();
        }
        (self.on_change)();
    }

    pub fn is_active(&self, server: &str) -> bool {
        self.active.lock().contains_key(server)
    }
}

/// A sign-in in progress, until it is dropped or cancelled.
pub(crate) struct SignInSession<'a> {
    all: &'a SignInSessions,
    server: String,
    stopped: CancellationToken,
}

impl SignInSession<'_> {
    /// Returns when it was cancelled or replaced.
    pub async fn wait_cancelled(&self) {
        self.stopped.cancelled().await;
    }
}

impl Drop for SignInSession<'_> {
    fn drop(&mut self) {
        {
            let mut begun = self.all.active.lock();
            if self.stopped.is_cancelled() {
                return;
            }
            begun.remove(&self.server);
        }
        (self.all.on_change)();
    }
}
