//! Polling, which most steps of an app window test need.

use std::thread;
use std::time::{Duration, Instant};

/// The time after which an effect counts as missing. Long, because a busy machine is slow.
pub const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(50);

/// Polls until there is a result.
///
/// # Errors
/// The last error, when the time is over.
pub fn patiently<T>(mut ask: impl FnMut() -> Result<T, String>) -> Result<T, String> {
    let end = Instant::now() + PATIENCE;
    loop {
        match ask() {
            Ok(answer) => return Ok(answer),
            Err(reason) if Instant::now() > end => return Err(reason),
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

/// Polls until `holds`, which `what` describes.
///
/// # Panics
/// The time is over.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let outcome = patiently(|| if holds() { Ok(()) } else { Err(String::new()) });
    assert!(outcome.is_ok(), "waited {} s in vain until {what}", PATIENCE.as_secs());
}
