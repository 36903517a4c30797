//! The error of a call, and what may be done about it without the user.

use std::time::Duration;

use skein_domain::error::Error;
use skein_domain::message::OutputCapReason;

use crate::quirks::quirk::Quirk;
use crate::quirks::quirk_memory::ReportedLimit;

/// Tokens subtracted from a shortened reply, because token counts differ slightly.
pub(crate) const OUTPUT_MARGIN: u32 = 64;
/// The shortest useful reply, in tokens.
pub(crate) const MIN_OUTPUT: u32 = 256;

/// A call that failed, and whether it can recover without the user.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallError {
    /// The error for the user if the call does not recover.
    pub(crate) error: Error,
    /// The way in which the call may recover.
    pub(crate) recovery: ErrorRecovery,
}

/// The way in which a model call can be repeated after the provider refused it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorRecovery {
    None,
    /// Sends the same request again, later.
    Retry {
        /// The shortest wait, as the server states it.
        retry_after: Option<Duration>,
        /// The number of repetitions, at most the configured one.
        times: u32,
    },
    /// Sends the request again with this quirk of the server respected.
    ApplyQuirk(Quirk),
    /// Sends the request again with a shorter reply.
    CapOutput {
        /// The longest reply, in tokens.
        output: u32,
        by: OutputCapReason,
        /// A limit that later requests must respect as well; `None` if the cause is temporary.
        limit: Option<ReportedLimit>,
    },
}

impl From<Error> for CallError {
    fn from(error: Error) -> Self {
        Self { error, recovery: ErrorRecovery::None }
    }
}

impl ErrorRecovery {
    /// A repetition as often as configured. The request was not processed, and nothing was billed.
    pub(crate) const fn retry_later(asked: Option<Duration>) -> Self {
        Self::Retry { retry_after: asked, times: u32::MAX }
    }
}
