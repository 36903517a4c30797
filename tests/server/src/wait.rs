//! Waiting for what a program does by itself.

use std::fmt::Debug;
use std::future::poll_fn;
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant};

/// How long something may take before it counts as not happening. Generous: a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(5);

/// Asks again and again until there is an answer. `what` says in words what is waited for.
///
/// # Panics
/// With the last reason there was none, when patience ends.
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

/// Waits until it holds, which `what` says in words.
///
/// # Panics
/// When it does not come to hold.
pub async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    patiently(what, async || if holds().await { Ok(()) } else { Err("it does not hold") }).await;
}

/// Lets others run for a moment. A thread wakes it: no runtime is known here.
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
