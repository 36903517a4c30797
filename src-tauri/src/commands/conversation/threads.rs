//! Beginning and resuming threads.

use skein_domain::ids::{SessionId, ThreadId};

use crate::commands::commands;

commands! {
    /// Begins a new thread; the old one stays readable.
    fn new_thread(session_id: SessionId) -> ThreadId => threads.begin;

    /// Begins a new thread at the user's request; the reminders stay (D15).
    fn clear_mind(session_id: SessionId) -> ThreadId => threads.clear_mind;

    /// Returns to the previous thread, if the new one is still empty.
    fn undo_clear(session_id: SessionId) -> ThreadId => threads.undo_clear;

    /// Resumes a thread that has ended; the current one ends.
    fn resume_thread(thread_id: ThreadId) -> () => threads.resume;
}
