//! What each command does: a few lines that hand the question to the runtime.

pub mod about;
