//! Prefix of the opaque data that is sent back to OpenAI Responses servers.

/// Identifies signatures of this format, so that those of other providers are never sent here.
pub(super) const SIGNED: &str = "responses:";
