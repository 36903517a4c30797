//! The state of open sessions in memory: their turns, compactions and questions.
//!
//! Everything that a user could miss is in the store.

pub mod live_session;
pub mod reply_builder;
pub mod session_compaction;
pub mod session_side_question;
pub mod session_turn;
pub mod title_attempts;
pub mod tool_approvals;
pub mod turn_broadcast;

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use skein_domain::ids::SessionId;

use live_session::LiveSession;

/// The sessions that were opened since the program started.
#[derive(Default)]
pub struct LiveSessions {
    sessions: Mutex<HashMap<SessionId, Arc<LiveSession>>>,
}

impl LiveSessions {
    /// The session in memory; created by the first call.
    pub fn get(&self, id: SessionId) -> Arc<LiveSession> {
        let mut lives = self.sessions.lock();
        Arc::clone(lives.entry(id).or_insert_with(|| Arc::new(LiveSession::new(id))))
    }

    /// All sessions in memory. Others have had no running work since the start.
    pub fn all(&self) -> HashMap<SessionId, Arc<LiveSession>> {
        self.sessions.lock().clone()
    }
}
