//! How a reply ended.

use skein_domain::error::Error;
use skein_domain::finish_reason::FinishReason;

/// Why a reply ended.
pub(crate) enum ReplyEnding {
    /// The provider said it was done.
    Finished(FinishReason),
    /// The person stopped it, or the stream ended without a finish.
    Interrupted,
    /// The provider failed, before or after the first word.
    Failed(Error),
}
