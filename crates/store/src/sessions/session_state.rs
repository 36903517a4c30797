//! The stored state, apart from the messages, that a context is built from. One transaction reads it from
//! several tables.

use skein_context::compaction::remediation::Remediation;
use skein_domain::error::Result;
use skein_domain::generation::Generation;
use skein_domain::ids::SessionId;
use skein_domain::reminder::Reminder;
use skein_domain::session::Session;

use super::{queued_messages, reminders, session_rows, thread_rows};
use crate::content::generations;
use crate::db::store::Store;
use crate::log::activity_log::{self, FailedCompaction};

/// The number of replies that say how the thread went lately.
const LATEST_REPLIES: u32 = 10;

/// A session with its reminders, and the state of its current thread.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionState {
    pub session: Session,
    pub thread: ThreadStatus,
    /// Its reminders and the global ones, in the user's order.
    pub reminders: Vec<Reminder>,
}

/// The state of a thread, beside its messages.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadStatus {
    pub remediation: Remediation,
    /// The latest generations of its replies, ten at most, oldest first.
    pub latest_replies: Vec<Generation>,
    /// The failed automatic compactions since its latest point, oldest first.
    pub failed_compactions: Vec<FailedCompaction>,
    /// True if a message will be sent automatically after this turn.
    pub has_queued_message: bool,
}

impl ThreadStatus {
    /// The latest generation of its replies; `None` if there is none.
    pub fn last_reply(&self) -> Option<&Generation> {
        self.latest_replies.last()
    }
}

impl Store {
    /// A session with its reminders and the state of its current thread, in one read.
    pub async fn session_state(&self, id: SessionId) -> Result<SessionState> {
        self.read(move |tx| {
            let session = session_rows::get_session(tx, id)?;
            let thread = session.current_thread;
            Ok(SessionState {
                thread: ThreadStatus {
                    remediation: thread_rows::remediation(tx, thread)?,
                    latest_replies: generations::latest_replies(tx, thread, LATEST_REPLIES)?,
                    failed_compactions: activity_log::failed_compactions(tx, thread)?,
                    has_queued_message: queued_messages::has_queued(tx, id)?,
                },
                reminders: reminders::of_session(tx, id)?,
                session,
            })
        })
        .await
    }
}
