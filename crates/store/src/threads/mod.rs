//! The step from one thread of a session to the next, and its undo.

pub(crate) mod move_messages;
pub(crate) mod new_thread;
pub(crate) mod undo_thread;
