//! What lives in memory of the sessions: their turns, compactions and questions.
//!
//! Everything a person could miss is in the store.

pub mod live_session;
pub mod reply_builder;
pub mod session_compaction;
pub mod session_turn;
pub mod title_attempts;
pub mod tool_approvals;
pub mod turn_broadcast;

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use skein_domain::ids::SessionId;

use live_session::LiveSession;

/// The sessions that were asked for since the program was opened.
#[derive(Default)]
pub struct LiveSessions {
    sessions: Mutex<HashMap<SessionId, Arc<LiveSession>>>,
}

impl LiveSessions {
    /// The session as it lives in memory; made when it is first asked for.
    pub fn get(&self, id: SessionId) -> Arc<LiveSession> {
        let mut lives = self.sessions.lock();
        Arc::clone(lives.entry(id).or_insert_with(|| Arc::new(LiveSession::new(id))))
    }

    /// All that are there. Nothing runs in the others, nor has since the start.
    pub fn all(&self) -> HashMap<SessionId, Arc<LiveSession>> {
        self.sessions.lock().clone()
    }
}
