//! A session that is open: at most one turn, its questions and its running calls.
//!
//! Lives in memory only; everything a person could miss is in the store. Not here: what a turn does
//! (`turn`), what a compaction does (`compactor`).
//!
//! No turn begins while the session is being moved to another thread or branch. If the user deletes a message
//! before its reply has begun, the turn ends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, PointId, SessionId, ThreadId};
use skein_tools::permission::ApprovalDecision;
use tokio::sync::{OwnedMutexGuard, oneshot};
use tokio_util::sync::CancellationToken;

use crate::events::{ApprovalRequest, TurnEvent};
use crate::live::turn_broadcast::TurnBroadcast;
use crate::view::{Activity, CompactionProgress, CompactionStatus, TurnOutcome};

/// How often a title is asked for, until the program is started anew: each time costs something, and
/// a model that found none twice will hardly find one later.
const TITLES: u32 = 3;
/// How often it is asked for in vain beside that, because the next turn began: what is stopped costs
/// something, too, and who always writes on before it has come does not miss it.
const GIVEN_WAY: u32 = 8;

/// A session that is open.
pub struct LiveSession {
    /// Which.
    pub session_id: SessionId,
    /// Where its turn is watched.
    pub stage: TurnBroadcast,
    /// Held while facts for summaries are looked for and until these carry them: the search would not
    /// notice what changes meanwhile.
    pub facts_lock: tokio::sync::Mutex<()>,
    /// Held while a turn begins, and while the session goes to another thread or to another branch.
    turn_lock: Arc<tokio::sync::Mutex<()>>,
    state: Mutex<LiveState>,
    turn_ended: tokio::sync::Notify,
    compaction_ended: tokio::sync::Notify,
}

#[derive(Default)]
struct LiveState {
    turn: Option<ActiveTurn>,
    /// How the last turn ended.
    last_outcome: Option<TurnOutcome>,
    compaction: CompactionState,
    approvals: Vec<(ApprovalRequest, oneshot::Sender<ApprovalDecision>)>,
    calls: HashMap<String, CancellationToken>,
    /// `clear_mind` was called in this generation.
    clear: Option<ClearRequest>,
    /// How many turns have begun.
    turns: u32,
    /// How often a title was asked for to the end.
    title_attempts: u32,
    /// How often that gave way to a turn.
    title_yields: u32,
    /// Whether the last one did.
    was_title_superseded: bool,
    /// What one is asked for behind, and what ends the asking.
    title: Option<(TurnNumber, CancellationToken)>,
}

/// What the session's one compaction is doing.
#[derive(Default)]
enum CompactionState {
    /// None ran since the program started.
    #[default]
    Idle,
    /// One runs.
    Running { cancel: CancellationToken, progress: CompactionProgress },
    /// The last one, and whether its point is in place.
    Ended { thread: ThreadId, how: Result<PointId> },
}

/// The model wants its mind cleared after the generation that runs.
pub struct ClearRequest {
    /// What it wants to know of this afterwards, in its own words.
    pub handoff: Option<String>,
}

/// Which turn of a session it is, since the program was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnNumber(u32);

/// A turn that runs.
struct ActiveTurn {
    cancel: CancellationToken,
    /// A message has come to wait behind it since it last meant to end.
    joined: bool,
    question: PendingReply,
}

/// What a turn is to answer, as long as nothing was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PendingReply {
    /// Nothing, or an answer was begun.
    Idle,
    /// This message.
    Message(MessageId),
    /// The person deleted it: there is nothing to answer any more.
    Cancelled,
}

impl LiveSession {
    /// A session in which nothing runs.
    pub fn new(session_id: SessionId) -> Self {
        Self {
            session_id,
            stage: TurnBroadcast::default(),
            facts_lock: tokio::sync::Mutex::default(),
            turn_lock: Arc::default(),
            state: Mutex::default(),
            turn_ended: tokio::sync::Notify::new(),
            compaction_ended: tokio::sync::Notify::new(),
        }
    }

    /// Takes the session's one turn, once nothing holds turns back; the guard gives it back.
    ///
    /// # Errors
    /// [`Error::Busy`] while another runs.
    pub async fn begin_turn(&self) -> Result<TurnGuard<'_>> {
        let _standing = self.turn_lock.lock().await;
        let mut state = self.lock();
        if state.turn.is_some() {
            return Err(Error::Busy {});
        }
        let cancel = CancellationToken::new();
        state.turn = Some(ActiveTurn {
            cancel: cancel.clone(),
            joined: false,
            question: PendingReply::Idle,
        });
        state.last_outcome = None;
        Ok(TurnGuard { live: self, cancel, is_held: true })
    }

    /// No turn begins until the guard is dropped: it would start on the thread or branch that is being
    /// left. Whoever holds turns back must then check whether one is already running.
    pub async fn block_turns(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.turn_lock).lock_owned().await
    }

    /// Stops the turn, if one runs.
    pub fn stop(&self) {
        if let Some(turn) = &self.lock().turn {
            turn.cancel.cancel();
        }
    }

    /// The turn is to answer this message, and has not begun to.
    pub fn set_pending_reply(&self, message: Option<MessageId>) {
        if let Some(turn) = &mut self.lock().turn {
            turn.question = message.map_or(PendingReply::Idle, PendingReply::Message);
        }
    }

    /// Whether the turn is to answer this message, and has not begun to.
    pub fn is_reply_pending(&self, message: MessageId) -> bool {
        let state = self.lock();
        state.turn.as_ref().is_some_and(|turn| turn.question == PendingReply::Message(message))
    }

    /// An answer is begun; `false`: what it is to answer was withdrawn, and none may be.
    pub fn start_reply(&self) -> bool {
        let mut state = self.lock();
        let question = state.turn.as_mut().map(|turn| &mut turn.question);
        let Some(question) = question.filter(|it| **it != PendingReply::Cancelled) else {
            return false;
        };
        *question = PendingReply::Idle;
        true
    }

    /// Stops the turn that has not begun to answer this message; `false`: it has, or none runs.
    pub fn cancel_pending_reply(&self, message: MessageId) -> bool {
        let mut state = self.lock();
        let asked =
            state.turn.as_mut().filter(|turn| turn.question == PendingReply::Message(message));
        let Some(turn) = asked else { return false };
        turn.question = PendingReply::Cancelled;
        turn.cancel.cancel();
        true
    }

    /// Whether what the turn was to answer was withdrawn.
    pub fn is_reply_cancelled(&self) -> bool {
        self.lock().turn.as_ref().is_some_and(|turn| turn.question == PendingReply::Cancelled)
    }

    /// A message waits from now on: the running turn does not end with an answer before it has looked
    /// for it. `false`: no turn runs.
    pub fn enqueue_behind_turn(&self) -> bool {
        let mut state = self.lock();
        if let Some(turn) = &mut state.turn {
            turn.joined = true;
        }
        state.turn.is_some()
    }

    /// Notes how the turn ended, before it is given back: whoever sees that none runs sees this, too.
    pub fn set_last_outcome(&self, ended: TurnOutcome) {
        self.lock().last_outcome = Some(ended);
    }

    /// How the last turn ended; `None`: none has since one began.
    pub fn last_outcome(&self) -> Option<TurnOutcome> {
        self.lock().last_outcome
    }

    /// Whether a turn runs.
    pub fn is_replying(&self) -> bool {
        self.lock().turn.is_some()
    }

    /// Returns when no turn runs.
    pub async fn wait_for_turn_end(&self) {
        loop {
            let ended = self.turn_ended.notified();
            if !self.is_replying() {
                return;
            }
            ended.await;
        }
    }

    /// # Errors
    /// [`Error::Busy`] while a turn runs: it stands on the thread it began in.
    pub fn check_idle(&self) -> Result<()> {
        if self.is_replying() { Err(Error::Busy {}) } else { Ok(()) }
    }

    /// Takes the session's one compaction, which shows as running from now on; the guard gives it back.
    ///
    /// # Errors
    /// [`Error::Compacting`] while another runs.
    pub fn begin_compaction(
        self: &Arc<Self>,
        progress: CompactionProgress,
    ) -> Result<CompactionGuard> {
        let mut state = self.lock();
        if let CompactionState::Running { .. } = state.compaction {
            return Err(Error::Compacting {});
        }
        let (cancel, thread) = (CancellationToken::new(), progress.thread_id);
        state.compaction = CompactionState::Running { cancel: cancel.clone(), progress };
        drop(state);
        let how = Err(Error::Storage { detail: "the compaction broke off".into() });
        Ok(CompactionGuard { live: Arc::clone(self), cancel, thread, how })
    }

    /// Stops the compaction, if one runs.
    pub fn cancel_compaction(&self) {
        if let CompactionState::Running { cancel, .. } = &self.lock().compaction {
            cancel.cancel();
        }
    }

    /// Whether a compaction runs.
    pub fn is_compacting(&self) -> bool {
        self.compacting_thread().is_some()
    }

    /// The thread that is being compacted.
    pub fn compacting_thread(&self) -> Option<ThreadId> {
        match &self.lock().compaction {
            CompactionState::Running { progress, .. } => Some(progress.thread_id),
            CompactionState::Idle | CompactionState::Ended { .. } => None,
        }
    }

    /// Returns when no compaction runs.
    pub async fn wait_for_compaction_end(&self) {
        loop {
            let ended = self.compaction_ended.notified();
            if !self.is_compacting() {
                return;
            }
            ended.await;
        }
    }

    /// What the compaction is doing, or how the last one ended.
    pub fn compaction_status(&self) -> CompactionStatus {
        match &self.lock().compaction {
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

    /// How the last compaction ended, with its point, where it was one of this thread; `None`: it was of
    /// another, or runs.
    pub fn compaction_result(&self, thread: ThreadId) -> Option<Result<PointId>> {
        match &self.lock().compaction {
            CompactionState::Ended { thread: ended, how } if *ended == thread => Some(how.clone()),
            CompactionState::Idle
            | CompactionState::Running { .. }
            | CompactionState::Ended { .. } => None,
        }
    }

    /// Shows how far the compaction is that runs.
    pub fn set_compaction_progress(&self, shown: CompactionProgress) {
        if let CompactionState::Running { progress, .. } = &mut self.lock().compaction {
            *progress = shown;
        }
    }

    /// What it is doing at this moment.
    pub fn activity(&self) -> Activity {
        let state = self.lock();
        if !state.approvals.is_empty() {
            Activity::Asking
        } else if state.turn.is_some() {
            Activity::Replying
        } else if let CompactionState::Running { .. } = state.compaction {
            Activity::Compacting
        } else {
            Activity::Idle
        }
    }

    /// Asks the person. The answer comes to the receiver.
    pub fn request_approval(
        &self,
        question: ApprovalRequest,
    ) -> oneshot::Receiver<ApprovalDecision> {
        let (sender, answer) = oneshot::channel();
        self.lock().approvals.push((question.clone(), sender));
        self.stage.send(&TurnEvent::Question { question });
        answer
    }

    /// Asks no longer, whether it was answered or not.
    pub fn close_approval(&self, call_id: &str) {
        self.lock().approvals.retain(|(question, _)| question.call_id != call_id);
    }

    /// The questions that wait for an answer.
    pub fn pending_approvals(&self) -> Vec<ApprovalRequest> {
        self.lock().approvals.iter().map(|(question, _)| question.clone()).collect()
    }

    /// The person's answer.
    ///
    /// # Errors
    /// [`Error::NotFound`] when nobody waits for it any more.
    pub fn resolve_approval(&self, call_id: &str, answer: ApprovalDecision) -> Result<()> {
        let mut state = self.lock();
        let at = state.approvals.iter().position(|(question, _)| question.call_id == call_id);
        let Some(at) = at else { return Err(Error::NotFound { what: "question".into() }) };
        let (_, sender) = state.approvals.swap_remove(at);
        // Nobody listens when the turn was stopped in this very moment: then the call is cancelled.
        let _ = sender.send(answer);
        Ok(())
    }

    /// A token that stops one call, or all of them with the turn.
    pub fn register_call(&self, call_id: &str, turn: &CancellationToken) -> CancellationToken {
        let cancel = turn.child_token();
        self.lock().calls.insert(call_id.to_owned(), cancel.clone());
        cancel
    }

    /// The call has ended.
    pub fn unregister_call(&self, call_id: &str) {
        self.lock().calls.remove(call_id);
    }

    /// D15: the model asked for its mind to be cleared after this generation.
    pub fn request_clear(&self, package: Option<String>) {
        self.lock().clear = Some(ClearRequest { handoff: package });
    }

    /// Takes that request; `None` if there was none.
    pub fn take_clear_request(&self) -> Option<ClearRequest> {
        self.lock().clear.take()
    }

    /// Allows a title to be asked for after this turn. `None`: another turn has begun since, or it was
    /// tried often enough. The next turn cancels the attempt: on a server that answers one request at a
    /// time, the person would otherwise wait for a name.
    pub fn attempt_title(&self, behind: TurnNumber) -> Option<CancellationToken> {
        let mut state = self.lock();
        let enough = state.title_attempts == TITLES || state.title_yields == GIVEN_WAY;
        if enough || state.turns != behind.0 {
            return None;
        }
        let cancel = CancellationToken::new();
        state.title = Some((behind, cancel.clone()));
        Some(cancel)
    }

    /// A turn begins, and whatever is asked for a title gives way.
    pub fn supersede_title(&self) -> TurnNumber {
        let mut state = self.lock();
        if let Some((_, title)) = state.title.take() {
            title.cancel();
            state.title_yields += 1;
            state.was_title_superseded = true;
        }
        state.turns += 1;
        TurnNumber(state.turns)
    }

    /// A title that was asked for behind this turn has come, or none; or the asking gave way.
    pub fn title_ended(&self, behind: TurnNumber) {
        let mut state = self.lock();
        if state.title.take_if(|(turn, _)| *turn == behind).is_some() {
            state.title_attempts += 1;
            state.was_title_superseded = false;
        }
    }

    /// Whether a title that was asked for last gave way to a turn: the next one waits for a quiet moment.
    pub fn was_title_superseded(&self) -> bool {
        self.lock().was_title_superseded
    }

    /// Whether this is still the latest turn.
    pub fn is_latest(&self, turn: TurnNumber) -> bool {
        self.lock().turns == turn.0
    }

    /// Stops one call.
    pub fn cancel_call(&self, call_id: &str) {
        if let Some(cancel) = self.lock().calls.get(call_id) {
            cancel.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, LiveState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The session's one turn. Dropped, it is given back, whatever has come to wait behind it.
pub struct TurnGuard<'a> {
    live: &'a LiveSession,
    /// Fires when the person stops it.
    pub cancel: CancellationToken,
    /// Not given back yet.
    is_held: bool,
}

impl TurnGuard<'_> {
    /// Gives the turn back.
    ///
    /// # Errors
    /// With the turn itself where a message has come to wait since it was last asked for its end.
    pub fn end(mut self) -> std::result::Result<(), Self> {
        let mut state = self.live.lock();
        if state.turn.as_mut().is_some_and(|turn| std::mem::take(&mut turn.joined)) {
            drop(state);
            return Err(self);
        }
        state.turn = None;
        drop(state);
        self.is_held = false;
        self.live.turn_ended.notify_waiters();
        Ok(())
    }
}

impl Drop for TurnGuard<'_> {
    fn drop(&mut self) {
        if self.is_held {
            self.live.lock().turn = None;
            self.live.turn_ended.notify_waiters();
        }
    }
}

/// The session's one compaction.
pub struct CompactionGuard {
    /// Whose.
    pub live: Arc<LiveSession>,
    /// Fires when the person stops it.
    pub cancel: CancellationToken,
    thread: ThreadId,
    /// What does not say how it ended has broken off: nothing was changed.
    how: Result<PointId>,
}

impl CompactionGuard {
    /// Gives the compaction back. Whoever waits for its end then asks how it ended.
    pub fn end(mut self, how: Result<PointId>) {
        self.how = how;
    }
}

impl Drop for CompactionGuard {
    fn drop(&mut self) {
        let how = self.how.clone();
        self.live.lock().compaction = CompactionState::Ended { thread: self.thread, how };
        self.live.compaction_ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_turn_begins_while_turns_are_held_back() {
        let live = LiveSession::new(SessionId(1));
        let held = live.block_turns().await;
        let mut turn = std::pin::pin!(live.begin_turn());
        assert!(futures::poll!(&mut turn).is_pending());
        assert_eq!(live.check_idle(), Ok(()));
        drop(held);
        let _turn = turn.await.unwrap();
        let _held = live.block_turns().await;
        assert_eq!(live.check_idle(), Err(Error::Busy {}), "one that runs goes on");
    }

    #[tokio::test]
    async fn a_turn_does_not_end_before_it_has_looked_for_what_came_to_wait_behind_it() {
        let live = LiveSession::new(SessionId(1));
        assert!(!live.enqueue_behind_turn(), "none runs");
        let guard = live.begin_turn().await.unwrap();
        assert!(live.enqueue_behind_turn());
        let guard = guard.end().unwrap_err();
        assert!(live.is_replying());
        assert!(guard.end().is_ok());
        assert!(!live.enqueue_behind_turn(), "it has ended");
    }

    #[tokio::test]
    async fn a_question_is_withdrawn_until_its_answer_is_begun() {
        let live = LiveSession::new(SessionId(1));
        let (question, other) = (MessageId(1), MessageId(2));
        assert!(!live.cancel_pending_reply(question), "no turn runs");
        let guard = live.begin_turn().await.unwrap();
        live.set_pending_reply(Some(question));
        assert!(!live.cancel_pending_reply(other));
        assert!(live.start_reply());
        assert!(!live.cancel_pending_reply(question), "it is being answered");
        assert!(!guard.cancel.is_cancelled());

        live.set_pending_reply(Some(question));
        assert!(live.cancel_pending_reply(question));
        assert!(guard.cancel.is_cancelled());
        assert!(live.is_reply_cancelled());
        assert!(!live.start_reply());
    }

    #[test]
    fn a_title_that_the_next_turn_ends_was_no_attempt() {
        let live = LiveSession::new(SessionId(1));
        for _ in 1..GIVEN_WAY {
            let turn = live.supersede_title();
            let title = live.attempt_title(turn).unwrap();
            live.supersede_title();
            assert!(title.is_cancelled());
            live.title_ended(turn);
        }
        for _ in 0..TITLES {
            let turn = live.supersede_title();
            let title = live.attempt_title(turn).unwrap();
            live.title_ended(turn);
            live.supersede_title();
            assert!(!title.is_cancelled());
        }
        assert_eq!(live.attempt_title(live.supersede_title()).map(drop), None);
    }

    #[test]
    fn a_title_that_gives_way_time_and_again_is_not_asked_for_any_more() {
        let live = LiveSession::new(SessionId(1));
        let mut turn = live.supersede_title();
        for _ in 0..GIVEN_WAY {
            assert!(live.attempt_title(turn).is_some());
            turn = live.supersede_title();
        }
        assert!(live.attempt_title(turn).is_none());
    }

    #[test]
    fn a_title_is_asked_for_behind_the_latest_turn_alone_and_ends_with_the_next() {
        let live = LiveSession::new(SessionId(1));
        let (first, second) = (live.supersede_title(), live.supersede_title());
        assert!(live.attempt_title(first).is_none(), "the second may run");
        let title = live.attempt_title(second).unwrap();
        live.title_ended(first);
        live.supersede_title();
        assert!(title.is_cancelled(), "what gave way late ends none but its own");
    }

    fn progress_in(thread_id: ThreadId) -> CompactionProgress {
        CompactionProgress { thread_id, pieces: 1, piece: 1, text: String::new(), model: None }
    }

    #[test]
    fn how_a_compaction_ended_is_told_of_its_own_thread_alone() {
        let live = Arc::new(LiveSession::new(SessionId(1)));
        let (own, other) = (ThreadId(1), ThreadId(2));
        let guard = live.begin_compaction(progress_in(other)).unwrap();
        // A turn of this thread finds it in the way, and looks once it has ended already.
        assert_eq!(live.begin_compaction(progress_in(own)).map(drop), Err(Error::Compacting {}));
        assert_eq!((live.compacting_thread(), live.compaction_result(other)), (Some(other), None));
        guard.end(Err(Error::Busy {}));
        assert_eq!((live.compacting_thread(), live.compaction_result(own)), (None, None));
        assert_eq!(live.compaction_result(other), Some(Err(Error::Busy {})));
        live.begin_compaction(progress_in(own)).unwrap().end(Ok(PointId(3)));
        assert_eq!(live.compaction_result(own), Some(Ok(PointId(3))));
        assert_eq!(live.compaction_result(other), None);
    }

    #[test]
    fn a_compaction_runs_from_its_beginning_and_has_failed_where_it_does_not_say_how_it_ended() {
        let live = Arc::new(LiveSession::new(SessionId(1)));
        let progress = progress_in(ThreadId(1));
        let running = CompactionStatus::Running { progress: progress.clone() };
        let done = CompactionStatus::Done { point_id: PointId(1) };
        let guard = live.begin_compaction(progress.clone()).unwrap();
        assert_eq!(live.compaction_status(), running);
        assert_eq!(live.begin_compaction(progress.clone()).map(drop), Err(Error::Compacting {}));
        let further = CompactionProgress { piece: 2, ..progress.clone() };
        live.set_compaction_progress(further.clone());
        assert_eq!(
            live.compaction_status(),
            CompactionStatus::Running { progress: further.clone() }
        );
        guard.end(Ok(PointId(1)));
        live.set_compaction_progress(further);
        assert_eq!(live.compaction_status(), done, "what is shown late runs no more");
        drop(live.begin_compaction(progress).unwrap());
        let error = Error::Storage { detail: "the compaction broke off".into() };
        assert_eq!(live.compaction_status(), CompactionStatus::Failed { error });
        assert!(!live.is_compacting());
    }

    #[tokio::test]
    async fn a_turn_that_has_ended_does_not_end_the_next() {
        let live = LiveSession::new(SessionId(1));
        live.begin_turn().await.unwrap().end().ok();
        let _next = live.begin_turn().await.unwrap();
        assert_eq!(live.begin_turn().await.map(drop), Err(Error::Busy {}));
    }
}
