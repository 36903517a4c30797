//! Waits for asynchronous effects of a program.

use std::fmt::Debug;
use std::future::poll_fn;
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant};

/// The time after which an effect counts as missing. Long, because a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(5);

/// Polls until there is a result. `what` describes it.
///
/// # Panics
/// The time is over; the message has the last error.
pub async fn patiently<T, E: Debug>(what: &str, ask: impl AsyncFn() -> Result<T, E>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        match ask().await {
            Ok(answer) => return answer,
            Err(reason) if Instant::now() > end => {
                panic!("waited {} s in vain until {what}: {reason:?}", PATIENCE.as_secs())
            }
            Err(_) => rest().await,
        }
    }
}

/// Polls until a condition holds. `what` describes it.
///
/// # Panics
/// The time is over.
pub async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    patiently(what, async || if holds().await { Ok(()) } else { Err("it does not hold") }).await;
}

/// Yields for a moment. A thread wakes the task, because no runtime is known here.
async fn rest() {
    let end = Instant::now() + PAUSE;
    poll_fn(|context| {
        if Instant::now() >= end {
            return Poll::Ready(());
        }
        let waker = context.waker().clone();
        thread::spawn(move || {
            thread::sleep(PAUSE);
            waker.wake();
        });
        Poll::Pending
    })
    .await;
}
