//! The prefix of the opaque data that goes back to a server of OpenAI Responses.

/// Marks signatures as ours, so that another provider's are never sent here.
pub(super) const SIGNED: &str = "responses:";
