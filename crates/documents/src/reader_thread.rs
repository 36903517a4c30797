//! Runs work on a thread that may panic without harm and has a time limit.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use skein_domain::error::FileError;

use crate::text_builder::TextBuilder;

/// The interval at which `go_on` is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The stack of the thread, in bytes. Nested documents recurse deeper than the default allows.
const STACK: usize = 32 * 1024 * 1024;

/// Runs `work` on a thread of its own, for at most `waited` and as long as `go_on` succeeds. After
/// that the thread is told to stop and ends at its next check.
pub(crate) fn run_with_limits<T: Send + 'static>(
    waited: Duration,
    go_on: impl Fn() -> Result<(), FileError>,
    work: impl FnOnce(TextBuilder) -> Result<T, FileError> + Send + 'static,
) -> Result<T, FileError> {
    let (words, stop) = TextBuilder::new();
    let (done, coming) = sync_channel(1);
    let begun = thread::Builder::new().name("document".into()).stack_size(STACK).spawn(move || {
        // The receiver is gone if the result came too late.
        let _ = done.send(work(words));
    });
    if let Err(error) = begun {
        tracing::warn!(%error, "no thread to read a document on");
        return Err(FileError::Unreadable {});
    }
    let begun = Instant::now();
    loop {
        let fault = match coming.recv_timeout(POLL_INTERVAL) {
            Ok(found) => return found,
            Err(RecvTimeoutError::Timeout) if begun.elapsed() > waited => {
                let seconds = u32::try_from(waited.as_secs()).unwrap_or(u32::MAX);
                FileError::TooSlow { seconds }
            }
            Err(RecvTimeoutError::Timeout) => match go_on() {
                Ok(()) => continue,
                Err(fault) => fault,
            },
            Err(RecvTimeoutError::Disconnected) => {
                tracing::warn!("the reader of a document gave up");
                FileError::Broken {}
            }
        };
        stop.stop();
        return Err(fault);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    const TIME_LIMIT: Duration = Duration::from_secs(60);

    #[test]
    fn a_reader_that_panics_says_that_the_file_is_broken() {
        let found =
            run_with_limits::<()>(TIME_LIMIT, || Ok(()), |_| panic!("an index beyond the end"));
        assert_eq!(found, Err(FileError::Broken {}));
    }

    /// A reader without an end, which reports the error that stopped it.
    fn endless(
        waited: Duration,
        go_on: impl Fn() -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let (ended, end) = channel();
        let found = run_with_limits(waited, go_on, move |mut words| {
            let fault = loop {
                if let Err(fault) = words.push("") {
                    break fault;
                }
            };
            ended.send(()).unwrap();
            Err(fault)
        });
        end.recv().unwrap();
        found
    }

    #[test]
    fn a_reader_that_does_not_end_is_not_waited_for_and_told_so() {
        let found = endless(Duration::ZERO, || Ok(()));
        assert_eq!(found, Err(FileError::TooSlow { seconds: 0 }));
    }

    #[test]
    fn a_reader_for_which_there_is_no_more_room_is_told_so() {
        let full = || Err(FileError::Unpacks { limit: 7 });
        assert_eq!(endless(TIME_LIMIT, full), Err(FileError::Unpacks { limit: 7 }));
    }
}
