//! The questions about tool calls that wait for an answer, and the calls that run.

use std::collections::HashMap;

use parking_lot::Mutex;
use skein_domain::error::{Error, Result};
use skein_tools::permission::ApprovalDecision;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::events::ApprovalRequest;

/// The questions that wait for an answer.
#[derive(Default)]
pub struct ToolApprovals {
    waiting: Mutex<Vec<(ApprovalRequest, oneshot::Sender<ApprovalDecision>)>>,
}

impl ToolApprovals {
    /// Asks the person. The answer comes to the receiver.
    pub fn request(&self, question: ApprovalRequest) -> oneshot::Receiver<ApprovalDecision> {
        let (sender, answer) = oneshot::channel();
        self.waiting.lock().push((question, sender));
        answer
    }

    /// Asks no longer, whether it was answered or not.
    pub fn close(&self, call_id: &str) {
        self.waiting.lock().retain(|(question, _)| question.call_id != call_id);
    }

    /// The questions that wait for an answer.
    pub fn list(&self) -> Vec<ApprovalRequest> {
        self.waiting.lock().iter().map(|(question, _)| question.clone()).collect()
    }

    /// The person's answer.
    ///
    /// # Errors
    /// [`Error::NotFound`] when nobody waits for it any more.
    pub fn resolve(&self, call_id: &str, answer: ApprovalDecision) -> Result<()> {
        let mut state = self.waiting.lock();
        let at = state.iter().position(|(question, _)| question.call_id == call_id);
        let Some(at) = at else { return Err(Error::NotFound { what: "question".into() }) };
        let (_, sender) = state.swap_remove(at);
        // Nobody listens when the turn was stopped in this very moment: then the call is cancelled.
        let _ = sender.send(answer);
        Ok(())
    }
}

/// The calls that run, each with what stops it.
#[derive(Default)]
pub struct RunningCalls {
    calls: Mutex<HashMap<String, CancellationToken>>,
}

impl RunningCalls {
    /// A token that stops one call, or all of them with the turn.
    pub fn register(&self, call_id: &str, turn: &CancellationToken) -> CancellationToken {
        let cancel = turn.child_token();
        self.calls.lock().insert(call_id.to_owned(), cancel.clone());
        cancel
    }

    /// The call has ended.
    pub fn unregister(&self, call_id: &str) {
        self.calls.lock().remove(call_id);
    }

    pub fn cancel(&self, call_id: &str) {
        if let Some(cancel) = self.calls.lock().get(call_id) {
            cancel.cancel();
        }
    }
}
