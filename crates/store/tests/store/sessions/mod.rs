//! Sessions, threads, and what belongs to them.

mod clearing;
mod deletion;
mod drafts;
mod fixtures;
mod listing;
mod queued_messages;
mod reminders;
mod titles;
mod tool_outputs;
mod turns;
mod unused_sessions;
