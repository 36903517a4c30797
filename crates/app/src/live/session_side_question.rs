//! The only side question that a session answers at a time.
//!
//! Not here: answering it (`side_questions`).

use parking_lot::Mutex;
use skein_domain::error::{Error, Result};
use tokio_util::sync::{CancellationToken, DropGuard};

/// The latest side question of a session.
#[derive(Default)]
pub struct SessionSideQuestion {
    /// `None`: none was asked since the program started.
    latest: Mutex<Option<LatestQuestion>>,
}

struct LatestQuestion {
    cancel: CancellationToken,
    /// Cancelled once the question is answered, has failed or was stopped.
    ended: CancellationToken,
}

impl SessionSideQuestion {
    /// Starts a question. Returns the token that stops it; it ends when the guard is dropped.
    ///
    /// # Errors
    /// [`Error::Busy`] while another is answered.
    pub fn start(&self) -> Result<(CancellationToken, DropGuard)> {
        let mut latest = self.latest.lock();
        if latest.as_ref().is_some_and(|it| !it.ended.is_cancelled()) {
            return Err(Error::Busy {});
        }
        let (cancel, ended) = (CancellationToken::new(), CancellationToken::new());
        *latest = Some(LatestQuestion { cancel: cancel.clone(), ended: ended.clone() });
        Ok((cancel, ended.drop_guard()))
    }

    /// True while a question is answered.
    pub fn is_running(&self) -> bool {
        self.latest.lock().as_ref().is_some_and(|it| !it.ended.is_cancelled())
    }

    /// Stops the question that is being answered, if there is one.
    pub fn stop(&self) {
        if let Some(latest) = self.latest.lock().as_ref() {
            latest.cancel.cancel();
        }
    }

    pub async fn wait_for_end(&self) {
        let ended = self.latest.lock().as_ref().map(|it| it.ended.clone());
        if let Some(ended) = ended {
            ended.cancelled().await;
        }
    }
}
