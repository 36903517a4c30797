//! The prefixes of the opaque data that goes back to a server of Anthropic messages.

/// Marks signatures as ours, so that another provider's are never sent here.
pub(super) const SIGNED: &str = "anthropic:";
/// Marks reasoning that only its provider can read.
pub(super) const REDACTED: &str = "anthropic-redacted:";
