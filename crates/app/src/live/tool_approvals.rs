//! The open questions about tool calls, and the running calls.

use std::collections::HashMap;

use parking_lot::Mutex;
use skein_domain::error::{Error, Result};
use skein_tools::permission::ApprovalDecision;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::events::ApprovalRequest;

/// The open questions.
#[derive(Default)]
pub struct ToolApprovals {
    open: Mutex<Vec<(ApprovalRequest, oneshot::Sender<ApprovalDecision>)>>,
}

impl ToolApprovals {
    /// Adds a question. The answer comes through the receiver.
    pub fn request(&self, question: ApprovalRequest) -> oneshot::Receiver<ApprovalDecision> {
        let (sender, answer) = oneshot::channel();
        self.open.lock().push((question, sender));
        answer
    }

    /// Removes a question, answered or not.
    pub fn close(&self, call_id: &str) {
        self.open.lock().retain(|(question, _)| question.call_id != call_id);
    }

    /// The open questions.
    pub fn list(&self) -> Vec<ApprovalRequest> {
        self.open.lock().iter().map(|(question, _)| question.clone()).collect()
    }

    /// Passes the user's answer on.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the question is no longer open.
    pub fn resolve(&self, call_id: &str, answer: ApprovalDecision) -> Result<()> {
        let mut state = self.open.lock();
        let at = state.iter().position(|(question, _)| question.call_id == call_id);
        let Some(at) = at else { return Err(Error::NotFound { what: "question".into() }) };
        let (_, sender) = state.swap_remove(at);
        // The receiver is gone if the turn was stopped at the same moment; the call is cancelled then.
        let _ = sender.send(answer);
        Ok(())
    }
}

/// The running calls with their cancellation.
#[derive(Default)]
pub struct RunningCalls {
    calls: Mutex<HashMap<String, CancellationToken>>,
}

impl RunningCalls {
    /// A token that cancels one call, or all calls with the turn.
    pub fn register(&self, call_id: &str, turn: &CancellationToken) -> CancellationToken {
        let cancel = turn.child_token();
        self.calls.lock().insert(call_id.to_owned(), cancel.clone());
        cancel
    }

    /// Removes a call that has ended.
    pub fn unregister(&self, call_id: &str) {
        self.calls.lock().remove(call_id);
    }

    pub fn cancel(&self, call_id: &str) {
        if let Some(cancel) = self.calls.lock().get(call_id) {
            cancel.cancel();
        }
    }
}
