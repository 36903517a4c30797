//! Commands about one conversation: its session, threads, messages, turns and context.

pub mod compactions;
pub mod context;
pub mod messages;
pub mod sessions;
pub mod side_questions;
pub mod threads;
pub mod turns;
