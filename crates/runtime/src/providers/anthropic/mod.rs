//! Anthropic messages.

mod answer;
mod request;

pub(super) use answer::Answer;
pub(super) use request::Body;

/// Marks signatures as ours, so that another provider's are never sent here.
const SIGNED: &str = "anthropic:";
/// Marks reasoning that only its provider can read.
const REDACTED: &str = "anthropic-redacted:";
