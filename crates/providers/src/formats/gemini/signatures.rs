//! The prefix of the opaque data that goes back to Gemini.

/// Marks signatures as ours, so that another provider's are never sent here.
pub(super) const SIGNED: &str = "gemini:";
