//! Sessions, their threads, drafts, queues and reminders.

pub(crate) mod drafts;
pub(crate) mod period_spending;
pub(crate) mod purge;
pub(crate) mod queued_messages;
pub(crate) mod recent_sessions;
pub(crate) mod reminders;
pub(crate) mod running_turns;
pub(crate) mod session_names;
pub(crate) mod session_rows;
pub(crate) mod session_state;
pub(crate) mod thread_rows;
pub(crate) mod usage_totals;
