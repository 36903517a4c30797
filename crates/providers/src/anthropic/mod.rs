//! Anthropic messages.

mod request;
mod response;

pub(super) use request::{Body, MAX_TOKENS};
pub(super) use response::Decoder;

/// Marks signatures as ours, so that another provider's are never sent here.
pub(super) const SIGNED: &str = "anthropic:";
/// What a request announces in the header of that name before it says what becomes of thoughts.
pub(super) const BETA: (&str, &str) = ("anthropic-beta", "thinking-binding-controls-2026-08-01");
/// Marks reasoning that only its provider can read.
pub(super) const REDACTED: &str = "anthropic-redacted:";
