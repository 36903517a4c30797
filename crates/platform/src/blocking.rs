//! Runs blocking work off the async threads.

use skein_domain::error::{Error, Result};

/// Runs `work` on the blocking pool and waits for it. `what` names the work in the log.
///
/// # Errors
/// The work panicked; the caller must change nothing.
pub async fn run_blocking<T: Send + 'static>(
    what: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let broke_off = |error| Error::Storage { detail: format!("{what} broke off: {error}") };
    tokio::task::spawn_blocking(work).await.map_err(broke_off)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_breaks_off_is_an_error_and_never_an_empty_answer() {
        assert_eq!(run_blocking("counting", || 2).await, Ok(2));
        let broken =
            run_blocking::<String>("finding facts", || panic!("no facts")).await.unwrap_err();
        let Error::Storage { detail } = broken else { panic!("{broken:?}") };
        assert!(detail.starts_with("finding facts broke off: "), "{detail}");
    }
}
