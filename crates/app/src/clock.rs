//! The clock for all stored times.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since the epoch; 0 if the clock is set to a time before it.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
