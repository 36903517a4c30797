//! A session that is open: at most one turn, its questions and its running calls.
//!
//! Lives in memory only; everything a person could miss is in the store. Not here: what a turn does
//! (`turn`), what a compaction does (`compaction`).

use parking_lot::Mutex;
use skein_domain::ids::SessionId;
use skein_tools::permission::ApprovalDecision;
use tokio::sync::oneshot;

use super::session_compaction::SessionCompaction;
use super::session_turn::SessionTurn;
use super::title_attempts::TitleAttempts;
use super::tool_approvals::{RunningCalls, ToolApprovals};
use crate::events::{ApprovalRequest, TurnEvent};
use crate::live::turn_broadcast::TurnBroadcast;
use crate::view::Activity;

/// The model wants its mind cleared after the generation that runs.
pub struct ClearRequest {
    /// What it wants to know of this afterwards, in its own words.
    pub handoff: Option<String>,
}

/// A session that is open.
pub struct LiveSession {
    pub session_id: SessionId,
    /// Where its turn is watched.
    pub stage: TurnBroadcast,
    /// Held while facts for summaries are looked for and until these carry them: the search would not
    /// notice what changes meanwhile.
    pub facts_lock: tokio::sync::Mutex<()>,
    pub turn: SessionTurn,
    pub compaction: SessionCompaction,
    pub approvals: ToolApprovals,
    pub calls: RunningCalls,
    /// How often its title was asked for.
    pub titles: TitleAttempts,
    /// `clear_mind` was called in this generation.
    clear: Mutex<Option<ClearRequest>>,
}

impl LiveSession {
    /// A session in which nothing runs.
    pub fn new(session_id: SessionId) -> Self {
        Self {
            session_id,
            stage: TurnBroadcast::default(),
            facts_lock: tokio::sync::Mutex::default(),
            turn: SessionTurn::default(),
            compaction: SessionCompaction::default(),
            approvals: ToolApprovals::default(),
            calls: RunningCalls::default(),
            titles: TitleAttempts::default(),
            clear: Mutex::default(),
        }
    }

    /// What it is doing at this moment.
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

    /// Asks the person, and shows the question. The answer comes to the receiver.
    pub fn request_approval(
        &self,
        question: ApprovalRequest,
    ) -> oneshot::Receiver<ApprovalDecision> {
        let answer = self.approvals.request(question.clone());
        self.stage.send(&TurnEvent::Question { question });
        answer
    }

    /// D15: the model asked for its mind to be cleared after this generation.
    pub fn request_clear(&self, package: Option<String>) {
        *self.clear.lock() = Some(ClearRequest { handoff: package });
    }

    /// Takes that request; `None` if there was none.
    pub fn take_clear_request(&self) -> Option<ClearRequest> {
        self.clear.lock().take()
    }
}
