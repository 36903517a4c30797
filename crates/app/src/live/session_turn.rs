//! The only turn that a session may have at a time: start, stop, wait.
//!
//! No turn begins while the session is being moved to another thread or branch. If the user deletes a message
//! before its reply has begun, the turn ends.

use std::sync::Arc;

use parking_lot::Mutex;
use skein_domain::error::{Error, Result};
use skein_domain::ids::MessageId;
use tokio::sync::OwnedMutexGuard;
use tokio_util::sync::CancellationToken;

use crate::view::TurnOutcome;

struct ActiveTurn {
    cancel: CancellationToken,
    /// True if a message was queued behind the turn since it last tried to end.
    joined: bool,
    /// The message to answer.
    question: PendingReply,
}

/// The message that a turn is to answer, until a reply begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PendingReply {
    /// The turn has no message to answer, or its reply has begun.
    Idle,
    /// The message to answer; no reply has begun.
    Message(MessageId),
    /// The user deleted the message: there is nothing to answer.
    Cancelled,
}

/// The turn of a session, and how the last one ended.
#[derive(Default)]
pub struct SessionTurn {
    /// Locked while a turn begins, and while the session switches to another thread or branch.
    beginning: Arc<tokio::sync::Mutex<()>>,
    state: Mutex<TurnState>,
    ended: tokio::sync::Notify,
}

#[derive(Default)]
struct TurnState {
    active: Option<ActiveTurn>,
    /// `None`: no turn has ended since the session was opened.
    last_outcome: Option<TurnOutcome>,
}

impl SessionTurn {
    /// Begins the only turn of the session, once turns are not blocked; dropping the guard ends it.
    ///
    /// # Errors
    /// [`Error::Busy`] while another runs.
    pub async fn begin(&self) -> Result<TurnGuard<'_>> {
        let _standing = self.beginning.lock().await;
        let mut state = self.state.lock();
        if state.active.is_some() {
            return Err(Error::Busy {});
        }
        let cancel = CancellationToken::new();
        state.active = Some(ActiveTurn {
            cancel: cancel.clone(),
            joined: false,
            question: PendingReply::Idle,
        });
        state.last_outcome = None;
        Ok(TurnGuard { turn: self, cancel, is_held: true })
    }

    /// Blocks new turns until the guard is dropped: they would start in the thread or branch that the session
    /// leaves. The caller must then check whether a turn is already running.
    pub async fn block(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.beginning).lock_owned().await
    }

    /// Stops the turn, if one is running.
    pub fn stop(&self) {
        if let Some(turn) = &self.state.lock().active {
            turn.cancel.cancel();
        }
    }

    /// Sets the message that the turn is to answer.
    pub fn set_pending_reply(&self, message: Option<MessageId>) {
        if let Some(turn) = &mut self.state.lock().active {
            turn.question = message.map_or(PendingReply::Idle, PendingReply::Message);
        }
    }

    /// True if the turn is to answer this message and its reply has not begun.
    pub fn is_reply_pending(&self, message: MessageId) -> bool {
        let state = self.state.lock();
        state.active.as_ref().is_some_and(|turn| turn.question == PendingReply::Message(message))
    }

    /// Begins the reply; `false`: the message was deleted, and no reply may begin.
    pub fn start_reply(&self) -> bool {
        let mut state = self.state.lock();
        let question = state.active.as_mut().map(|turn| &mut turn.question);
        let Some(question) = question.filter(|it| **it != PendingReply::Cancelled) else {
            return false;
        };
        *question = PendingReply::Idle;
        true
    }

    /// Stops the turn before its reply to this message begins; `false`: the reply has begun, or no turn is
    /// running.
    pub fn cancel_pending_reply(&self, message: MessageId) -> bool {
        let mut state = self.state.lock();
        let matching =
            state.active.as_mut().filter(|turn| turn.question == PendingReply::Message(message));
        let Some(turn) = matching else { return false };
        turn.question = PendingReply::Cancelled;
        turn.cancel.cancel();
        true
    }

    /// True if the message to answer was deleted.
    pub fn is_reply_cancelled(&self) -> bool {
        self.state
            .lock()
            .active
            .as_ref()
            .is_some_and(|turn| turn.question == PendingReply::Cancelled)
    }

    /// Records that a message was queued: the running turn looks for it before it ends. `false`: no turn is
    /// running.
    pub fn enqueue_behind(&self) -> bool {
        let mut state = self.state.lock();
        if let Some(turn) = &mut state.active {
            turn.joined = true;
        }
        state.active.is_some()
    }

    /// Sets the outcome before the turn ends, so that a reader who sees no running turn sees the outcome.
    pub fn set_last_outcome(&self, ended: TurnOutcome) {
        self.state.lock().last_outcome = Some(ended);
    }

    /// The outcome of the last turn; `None`: a new turn has begun, or none has ended.
    pub fn last_outcome(&self) -> Option<TurnOutcome> {
        self.state.lock().last_outcome
    }

    pub fn is_running(&self) -> bool {
        self.state.lock().active.is_some()
    }

    /// Returns when no turn is running.
    pub async fn wait_for_end(&self) {
        loop {
            let ended = self.ended.notified();
            if !self.is_running() {
                return;
            }
            ended.await;
        }
    }

    /// # Errors
    /// [`Error::Busy`] while a turn is running: a turn must end in the thread where it began.
    pub fn check_idle(&self) -> Result<()> {
        if self.is_running() { Err(Error::Busy {}) } else { Ok(()) }
    }
}

/// The running turn of a session. Dropping it ends the turn, even if messages are queued.
pub struct TurnGuard<'a> {
    turn: &'a SessionTurn,
    /// Fires when the user stops it.
    pub cancel: CancellationToken,
    /// True until the turn has ended.
    is_held: bool,
}

impl TurnGuard<'_> {
    /// Ends the turn.
    ///
    /// # Errors
    /// The turn itself, if a message was queued since the last call.
    pub fn end(mut self) -> std::result::Result<(), Self> {
        let mut state = self.turn.state.lock();
        if state.active.as_mut().is_some_and(|turn| std::mem::take(&mut turn.joined)) {
            drop(state);
            return Err(self);
        }
        state.active = None;
        drop(state);
        self.is_held = false;
        self.turn.ended.notify_waiters();
        Ok(())
    }
}

impl Drop for TurnGuard<'_> {
    fn drop(&mut self) {
        if self.is_held {
            self.turn.state.lock().active = None;
            self.turn.ended.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_turn_begins_while_turns_are_held_back() {
        let turn = SessionTurn::default();
        let held = turn.block().await;
        let mut next = std::pin::pin!(turn.begin());
        assert!(futures::poll!(&mut next).is_pending());
        assert_eq!(turn.check_idle(), Ok(()));
        drop(held);
        let _turn = next.await.unwrap();
        let _held = turn.block().await;
        assert_eq!(turn.check_idle(), Err(Error::Busy {}), "one that runs goes on");
    }

    #[tokio::test]
    async fn a_turn_does_not_end_before_it_has_looked_for_what_came_to_wait_behind_it() {
        let turn = SessionTurn::default();
        assert!(!turn.enqueue_behind(), "none runs");
        let guard = turn.begin().await.unwrap();
        assert!(turn.enqueue_behind());
        let guard = guard.end().unwrap_err();
        assert!(turn.is_running());
        assert!(guard.end().is_ok());
        assert!(!turn.enqueue_behind(), "it has ended");
    }

    #[tokio::test]
    async fn a_question_is_withdrawn_until_its_answer_is_begun() {
        let turn = SessionTurn::default();
        let (question, other) = (MessageId(1), MessageId(2));
        assert!(!turn.cancel_pending_reply(question), "no turn runs");
        let guard = turn.begin().await.unwrap();
        turn.set_pending_reply(Some(question));
        assert!(!turn.cancel_pending_reply(other));
        assert!(turn.start_reply());
        assert!(!turn.cancel_pending_reply(question), "it is being answered");
        assert!(!guard.cancel.is_cancelled());

        turn.set_pending_reply(Some(question));
        assert!(turn.cancel_pending_reply(question));
        assert!(guard.cancel.is_cancelled());
        assert!(turn.is_reply_cancelled());
        assert!(!turn.start_reply());
    }

    #[tokio::test]
    async fn a_turn_that_has_ended_does_not_end_the_next() {
        let turn = SessionTurn::default();
        turn.begin().await.unwrap().end().ok();
        let _next = turn.begin().await.unwrap();
        assert_eq!(turn.begin().await.map(drop), Err(Error::Busy {}));
    }
}
