//! Time limits of a call.

use std::time::Duration;

/// Time limits and repetitions of a call.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For the first event of a remote server.
    pub first_event: Duration,
    /// Between two pieces of a remote server's reply.
    pub idle: Duration,
    /// For usage that arrives after a complete reply.
    pub trailing_usage: Duration,
    /// The wait before the first repetition; it doubles with each.
    pub backoff: Duration,
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
