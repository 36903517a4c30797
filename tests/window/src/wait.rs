//! Waiting, which is most of what a test of a window does.

use std::thread;
use std::time::{Duration, Instant};

/// How long something may take before it counts as not happening. Generous: a busy machine is
/// slow, and a test that fails for that tells nothing.
pub const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(50);

/// Asks again and again until there is an answer.
///
/// # Errors
/// With the last reason there was none, when patience ends.
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

/// Waits until `holds`, which `what` says in words.
///
/// # Panics
/// When it does not come to hold.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let outcome = patiently(|| if holds() { Ok(()) } else { Err(String::new()) });
    assert!(outcome.is_ok(), "waited {} s in vain until {what}", PATIENCE.as_secs());
}
