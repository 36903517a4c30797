//! How long a call waits.

use std::time::Duration;

/// How long is waited for what.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For the first event, of a server that is not on this machine or near it.
    pub first_event: Duration,
    /// Between two pieces of a running answer of such a server.
    pub idle: Duration,
    /// For figures after an answer that is whole.
    pub trailing_usage: Duration,
    /// Before the first repetition; it doubles with each.
    pub backoff: Duration,
    /// How often a request is repeated.
    pub max_retries: u32,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            first_event: Duration::from_secs(600),
            idle: Duration::from_secs(120),
            trailing_usage: Duration::from_secs(3),
            backoff: Duration::from_millis(800),
            max_retries: 3,
        }
    }
}
