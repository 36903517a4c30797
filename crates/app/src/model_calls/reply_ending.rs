//! The ending of a reply.

use skein_domain::error::Error;
use skein_domain::finish_reason::FinishReason;

/// The ending of a reply.
pub(crate) enum ReplyEnding {
    /// The provider sent a finish reason.
    Finished(FinishReason),
    /// The user stopped it, or the stream ended without a finish reason.
    Interrupted,
    /// The provider failed, before or after the first text.
    Failed(Error),
}
