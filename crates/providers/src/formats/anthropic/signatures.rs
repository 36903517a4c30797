//! Prefixes of the opaque data that is sent back to Anthropic servers.

/// Identifies signatures of this format, so that those of other providers are never sent here.
pub(super) const SIGNED: &str = "anthropic:";
/// Identifies encrypted reasoning.
pub(super) const REDACTED: &str = "anthropic-redacted:";
