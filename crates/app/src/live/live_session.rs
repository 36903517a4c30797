//! An open session: at most one turn, its questions and its running calls.
//!
//! Lives in memory only; everything that a user could miss is in the store. Not here: what a turn does
//! (`turn`), what a compaction does (`compaction`).

use parking_lot::Mutex;
use skein_domain::ids::SessionId;
use skein_tools::permission::ApprovalDecision;
use tokio::sync::oneshot;

use super::session_compaction::SessionCompaction;
use super::session_side_question::SessionSideQuestion;
use super::session_turn::SessionTurn;
use super::title_attempts::TitleAttempts;
use super::tool_approvals::{RunningCalls, ToolApprovals};
use crate::events::{ApprovalRequest, TurnEvent};
use crate::live::turn_broadcast::TurnBroadcast;
use crate::view::Activity;

/// The model's request to clear its context after the current generation.
pub struct ClearRequest {
    /// The model's hand-over note for the new context; `None`: it wrote none.
    pub handoff: Option<String>,
}

/// An open session.
pub struct LiveSession {
    pub session_id: SessionId,
    /// Sends the events of its turn.
    pub stage: TurnBroadcast,
    /// Locked while facts are selected and stored: a selection would not notice changes meanwhile.
    pub facts_lock: tokio::sync::Mutex<()>,
    pub turn: SessionTurn,
    pub compaction: SessionCompaction,
    pub side_question: SessionSideQuestion,
    pub approvals: ToolApprovals,
    pub calls: RunningCalls,
    /// The attempts to name it.
    pub titles: TitleAttempts,
    /// The request of a call of `clear_mind` in this generation.
    clear: Mutex<Option<ClearRequest>>,
}

impl LiveSession {
    /// A session without running work.
    pub fn new(session_id: SessionId) -> Self {
        Self {
            session_id,
            stage: TurnBroadcast::default(),
            facts_lock: tokio::sync::Mutex::default(),
            turn: SessionTurn::default(),
            compaction: SessionCompaction::default(),
            side_question: SessionSideQuestion::default(),
            approvals: ToolApprovals::default(),
            calls: RunningCalls::default(),
            titles: TitleAttempts::default(),
            clear: Mutex::default(),
        }
    }

    /// The current activity of the session.
    pub fn activity(&self) -> Activity {
        if !self.approvals.list().is_empty() {
            Activity::Asking
        } else if self.turn.is_running() {
            Activity::Replying
        } else if self.compaction.is_running() {
            Activity::Compacting
        } else {
            Activity::Idle
        }
    }

    /// Shows a question to the user. The answer comes through the receiver.
    pub fn request_approval(
        &self,
        question: ApprovalRequest,
    ) -> oneshot::Receiver<ApprovalDecision> {
        let answer = self.approvals.request(question.clone());
        self.stage.send(&TurnEvent::Question { question });
        answer
    }

    /// D15: requests a clear of the context after this generation.
    pub fn request_clear(&self, package: Option<String>) {
        *self.clear.lock() = Some(ClearRequest { handoff: package });
    }

    /// Takes that request; `None`: there is none.
    pub fn take_clear_request(&self) -> Option<ClearRequest> {
        self.clear.lock().take()
    }
}
