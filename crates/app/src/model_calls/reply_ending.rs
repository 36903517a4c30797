//! The ending of a reply.

use skein_domain::error::Error;
use skein_domain::finish_reason::FinishReason;
use skein_domain::message::{MessageState, OutputCap, StopReason};

/// The reason why no more of a reply will arrive.
pub(crate) enum ReplyEnding {
    /// The provider sent a finish reason.
    Finished(FinishReason),
    /// The user stopped it, or the stream ended without a finish reason.
    Interrupted,
    /// The provider failed, before or after the first text.
    Failed(Error),
}

/// The state of a reply by its finish reason.
pub(crate) fn finished_state(reason: FinishReason, shortened: Option<OutputCap>) -> MessageState {
    let at = match reason {
        FinishReason::Stop | FinishReason::ToolCalls => return MessageState::Complete {},
        FinishReason::Length => StopReason::Output { shortened },
        FinishReason::WindowFull => StopReason::Window {},
        FinishReason::Filtered => StopReason::Filter {},
    };
    MessageState::Ended { at }
}
