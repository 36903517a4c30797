//! The only compaction that a session may have at a time: its progress, or how the last one ended.
//!
//! Not here: running it (`compaction::compactor`).

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{PointId, ThreadId};
use tokio_util::sync::CancellationToken;

use super::live_session::LiveSession;
use crate::view::{CompactionProgress, CompactionStatus};

/// The state of a session's compaction.
#[derive(Default)]
enum CompactionState {
    /// No compaction has run since the program started.
    #[default]
    Idle,
    Running {
        cancel: CancellationToken,
        progress: CompactionProgress,
    },
    /// The last compaction, with its point or its error.
    Ended {
        thread: ThreadId,
        how: Result<PointId>,
    },
}

/// The compaction of a session, and how many were applied.
#[derive(Default)]
pub struct SessionCompaction {
    state: Mutex<CompactionState>,
    /// The number of compactions of each thread that were applied since the program started.
    applied: Mutex<HashMap<ThreadId, u32>>,
    ended: tokio::sync::Notify,
}

impl SessionCompaction {
    /// The number of compactions of a thread that were applied. Read it before the thread that a compaction
    /// is planned for.
    pub fn applied(&self, thread: ThreadId) -> u32 {
        self.applied.lock().get(&thread).copied().unwrap_or_default()
    }

    /// Starts the compaction. Returns the token that cancels it.
    fn start(&self, progress: CompactionProgress, applied: u32) -> Result<CancellationToken> {
        let mut state = self.state.lock();
        let is_running = matches!(*state, CompactionState::Running { .. });
        if is_running || self.applied(progress.thread_id) != applied {
            return Err(Error::Compacting {});
        }
        let cancel = CancellationToken::new();
        *state = CompactionState::Running { cancel: cancel.clone(), progress };
        Ok(cancel)
    }

    fn set_ended(&self, thread: ThreadId, how: Result<PointId>) {
        let mut state = self.state.lock();
        *self.applied.lock().entry(thread).or_default() += u32::from(how.is_ok());
        *state = CompactionState::Ended { thread, how };
        drop(state);
        self.ended.notify_waiters();
    }

    /// Cancels the compaction, if one is running.
    pub fn cancel(&self) {
        if let CompactionState::Running { cancel, .. } = &*self.state.lock() {
            cancel.cancel();
        }
    }

    pub fn is_running(&self) -> bool {
        self.thread().is_some()
    }

    /// The thread that is being compacted; `None`: none is.
    pub fn thread(&self) -> Option<ThreadId> {
        match &*self.state.lock() {
            CompactionState::Running { progress, .. } => Some(progress.thread_id),
            CompactionState::Idle | CompactionState::Ended { .. } => None,
        }
    }

    /// Returns when no compaction is running.
    pub async fn wait_for_end(&self) {
        loop {
            let ended = self.ended.notified();
            if !self.is_running() {
                return;
            }
            ended.await;
        }
    }

    /// The progress of the compaction, or how the last one ended.
    pub fn status(&self) -> CompactionStatus {
        match &*self.state.lock() {
            CompactionState::Idle => CompactionStatus::Idle {},
            CompactionState::Running { progress, .. } => {
                CompactionStatus::Running { progress: progress.clone() }
            }
            CompactionState::Ended { how: Ok(point), .. } => {
                CompactionStatus::Done { point_id: *point }
            }
            CompactionState::Ended { how: Err(error), .. } => {
                CompactionStatus::Failed { error: error.clone() }
            }
        }
    }

    /// The result of the last compaction if it was of this thread; `None`: it was of another one, or is
    /// running.
    pub fn result(&self, thread: ThreadId) -> Option<Result<PointId>> {
        match &*self.state.lock() {
            CompactionState::Ended { thread: ended, how } if *ended == thread => Some(how.clone()),
            CompactionState::Idle
            | CompactionState::Running { .. }
            | CompactionState::Ended { .. } => None,
        }
    }

    /// Sets the progress of the running compaction.
    pub fn set_progress(&self, shown: CompactionProgress) {
        if let CompactionState::Running { progress, .. } = &mut *self.state.lock() {
            *progress = shown;
        }
    }
}

impl LiveSession {
    /// Starts the only compaction of the session; dropping the guard ends it. `applied` is the
    /// [`SessionCompaction::applied`] of its plan: the summary of an older plan would be paid for and then
    /// dropped, because another point applies.
    ///
    /// # Errors
    /// [`Error::Compacting`] while another runs, and if one was applied since.
    pub fn begin_compaction(
        self: &Arc<Self>,
        progress: CompactionProgress,
        applied: u32,
    ) -> Result<CompactionGuard> {
        let thread = progress.thread_id;
        let cancel = self.compaction.start(progress, applied)?;
        let how = Err(Error::Storage { detail: "the compaction broke off".into() });
        Ok(CompactionGuard { live: Arc::clone(self), cancel, thread, how })
    }
}

/// The running compaction of a session.
pub struct CompactionGuard {
    pub live: Arc<LiveSession>,
    /// Fires when the user cancels it.
    pub cancel: CancellationToken,
    thread: ThreadId,
    /// The result; an error until it is set, because a dropped guard means that the work broke off.
    how: Result<PointId>,
}

impl CompactionGuard {
    /// Ends the compaction with its result.
    pub fn end(mut self, how: Result<PointId>) {
        self.how = how;
    }
}

impl Drop for CompactionGuard {
    fn drop(&mut self) {
        let how = self.how.clone();
        self.live.compaction.set_ended(self.thread, how);
    }
}

#[cfg(test)]
mod tests {
    use skein_domain::ids::SessionId;

    use super::*;

    fn progress_in(thread_id: ThreadId) -> CompactionProgress {
        let text = String::new();
        CompactionProgress { thread_id, pieces: 1, piece: 1, text, model: None, unstored: None }
    }

    #[test]
    fn how_a_compaction_ended_is_told_of_its_own_thread_alone() {
        let live = Arc::new(LiveSession::new(SessionId(1)));
        let (own, other) = (ThreadId(1), ThreadId(2));
        let guard = live.begin_compaction(progress_in(other), 0).unwrap();
        // A turn of this thread finds it in the way, and looks once it has ended already.
        let again = live.begin_compaction(progress_in(own), 0);
        assert_eq!(again.map(drop), Err(Error::Compacting {}));
        assert_eq!((live.compaction.thread(), live.compaction.result(other)), (Some(other), None));
        guard.end(Err(Error::Busy {}));
        assert_eq!((live.compaction.thread(), live.compaction.result(own)), (None, None));
        assert_eq!(live.compaction.result(other), Some(Err(Error::Busy {})));
        live.begin_compaction(progress_in(own), 0).unwrap().end(Ok(PointId(3)));
        assert_eq!(live.compaction.result(own), Some(Ok(PointId(3))));
        assert_eq!(live.compaction.result(other), None);
    }

    #[test]
    fn no_compaction_begins_by_a_plan_that_is_older_than_the_last_point() {
        let live = Arc::new(LiveSession::new(SessionId(1)));
        let begin = |applied| live.begin_compaction(progress_in(ThreadId(1)), applied);
        let planned = live.compaction.applied(ThreadId(1));
        begin(planned).unwrap().end(Err(Error::Busy {}));
        begin(planned).unwrap().end(Ok(PointId(1)));
        assert_eq!(begin(planned).map(drop), Err(Error::Compacting {}), "it would be paid twice");
        assert_eq!(live.compaction.result(ThreadId(1)), Some(Ok(PointId(1))), "that stays its end");
        assert!(begin(live.compaction.applied(ThreadId(1))).is_ok(), "a plan that knows the point");
    }

    #[test]
    fn a_compaction_runs_from_its_beginning_and_has_failed_where_it_does_not_say_how_it_ended() {
        let live = Arc::new(LiveSession::new(SessionId(1)));
        let progress = progress_in(ThreadId(1));
        let running = CompactionStatus::Running { progress: progress.clone() };
        let done = CompactionStatus::Done { point_id: PointId(1) };
        let guard = live.begin_compaction(progress.clone(), 0).unwrap();
        assert_eq!(live.compaction.status(), running);
        let again = live.begin_compaction(progress.clone(), 0);
        assert_eq!(again.map(drop), Err(Error::Compacting {}));
        let further = CompactionProgress { piece: 2, ..progress.clone() };
        live.compaction.set_progress(further.clone());
        assert_eq!(
            live.compaction.status(),
            CompactionStatus::Running { progress: further.clone() }
        );
        guard.end(Ok(PointId(1)));
        live.compaction.set_progress(further);
        assert_eq!(live.compaction.status(), done, "what is shown late runs no more");
        drop(live.begin_compaction(progress, live.compaction.applied(ThreadId(1))).unwrap());
        let error = Error::Storage { detail: "the compaction broke off".into() };
        assert_eq!(live.compaction.status(), CompactionStatus::Failed { error });
        assert!(!live.compaction.is_running());
    }
}
