//! The error of a call, and what may be done about it without the user.

use std::time::Duration;

use skein_domain::error::Error;
use skein_domain::message::OutputCapReason;

use crate::quirks::quirk::Quirk;

/// A call that failed, and whether it can recover without the user.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CallError {
    /// The error for the user if the call does not recover.
    pub(crate) error: Error,
    /// How the call may recover.
    pub(crate) recovery: ErrorRecovery,
}

/// How a call may recover from a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorRecovery {
    None,
    /// The same request again, later.
    Retry {
        /// Not before so long, by the server's own word.
        retry_after: Option<Duration>,
        /// So many times, at most as often as is tried anyway.
        times: u32,
    },
    /// The same request, as the server wants it.
    ApplyQuirk(Quirk),
    /// The same request, asking for a shorter answer.
    CapOutput {
        /// Of so many tokens.
        output: u32,
        /// What leaves no more.
        by: OutputCapReason,
        /// What the next request has to keep to as well; `None`: that passes.
        limit: Option<ReportedLimit>,
    },
}

/// A limit that a refusal names, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportedLimit {
    /// What the account lets through in a minute.
    TokensPerMinute(u32),
    /// What prompt and answer may take together.
    Window(u32),
    /// What an answer may take.
    Output(u32),
}

impl ErrorRecovery {
    /// The same again, as often as is tried anyway: it was not begun, and nothing was billed.
    pub(crate) const fn retry_later(asked: Option<Duration>) -> Self {
        Self::Retry { retry_after: asked, times: u32::MAX }
    }
}
