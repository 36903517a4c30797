//! Classifies the error of a server: the error for the user, and how the call may recover.
//!
//! Not here: the recovery itself (`calls`), or the text of the error (`error_message`).

use std::time::Duration;

use reqwest::StatusCode;
use skein_domain::error::Error;
use skein_domain::message::OutputCapReason;
use skein_domain::provider_config::ReasoningEffort;
use skein_platform::redactor::Redactor;

use super::call_error::{CallError, ErrorRecovery};
use super::error_message::{error_message, is_html, redacted, unexpected_body_error};
use super::error_reason::{self, ErrorReason};
use super::overflow::{Overflow, ServerHints, detect_overflow, without_echo};
use super::{account_limit, output_limit, retry};
use crate::quirks::quirk::Quirks;
use crate::quirks::quirk_memory::ReportedLimit;

/// The request that a server refused, with facts about the server.
pub(crate) struct FailedRequest<'a> {
    pub(crate) hints: ServerHints,
    /// The requested model; `None` for a request without a model.
    pub(crate) model: Option<&'a str>,
    pub(crate) quirks: &'a Quirks,
    /// The effort that the request named; `None` if it named none.
    pub(crate) effort: Option<ReasoningEffort>,
    /// The requested reply length, in tokens; `None` if the provider decides.
    pub(crate) output: Option<u32>,
    /// Removes keys from the text for the user. The error is classified before that: a key may be
    /// as short as a word, and removing it would change the meaning.
    pub(crate) redactor: &'a Redactor,
}

/// Classifies a response with this status and body, and the wait that its headers state.
pub(crate) fn classify_response(
    status: StatusCode,
    body: &str,
    wait: Option<Duration>,
    request: &FailedRequest<'_>,
) -> CallError {
    let body = &*without_echo(body);
    let wait = wait.or_else(|| retry::gemini_retry_delay(body));
    if let Some(overflow) = detect_overflow(Some(status.as_u16()), body, request.hints) {
        let (by, limit) = (OutputCapReason::Window, overflow.limit.map(ReportedLimit::Window));
        let shorter = |output| ErrorRecovery::CapOutput { output, by, limit };
        let recovery = overflow.fitting_output().map_or(ErrorRecovery::None, shorter);
        return CallError { error: too_long(overflow, request.redactor), recovery };
    }
    let message = error_message(body, request.redactor);
    let code = status.as_u16();
    let Some(reason) = ErrorReason::of(code, body, request.model) else {
        return classify_by_status(code, body, message, wait, request);
    };
    let error = match reason {
        ErrorReason::OutOfCredit => Error::Spent { message },
        ErrorReason::InvalidKey => Error::Unauthorized { status: code, message },
        ErrorReason::UnknownModel => {
            Error::UnknownModel { model: request.model.unwrap_or_default().to_owned(), message }
        }
        ErrorReason::Forbidden => Error::Forbidden { message },
    };
    CallError {
        error,
        recovery: account_limit::account_limit_recovery(body, request.output)
            .unwrap_or(ErrorRecovery::None),
    }
}

/// Classifies by the status, for a body that states no reason.
fn classify_by_status(
    code: u16,
    body: &str,
    message: String,
    wait: Option<Duration>,
    request: &FailedRequest<'_>,
) -> CallError {
    let allowed = || account_limit::account_limit_recovery(body, request.output);
    let (error, recovery) = match code {
        429 if retry::is_daily_quota(body) => {
            (Error::RateLimited { retry_after_ms: None, message }, ErrorRecovery::None)
        }
        429 => {
            let error = Error::RateLimited { retry_after_ms: wait.map(millis), message };
            (error, allowed().unwrap_or(ErrorRecovery::retry_later(wait)))
        }
        413 => (Error::Refused { status: code, message }, allowed().unwrap_or(ErrorRecovery::None)),
        400 | 422 => {
            let quirk = request.quirks.detect(body, request.effort).map(ErrorRecovery::ApplyQuirk);
            let recovery =
                quirk.or_else(|| output_limit::output_limit_recovery(body, request.output));
            (Error::Refused { status: code, message }, recovery.unwrap_or(ErrorRecovery::None))
        }
        // The gateway gave up, but the model may still write, and may be billed.
        504 | 524 => (
            Error::Refused { status: code, message },
            ErrorRecovery::Retry { retry_after: wait, times: 1 },
        ),
        _ if error_reason::is_transient_status(code) => {
            (Error::Refused { status: code, message }, ErrorRecovery::retry_later(wait))
        }
        _ if is_html(body) => (unexpected_body_error(body, request.redactor), ErrorRecovery::None),
        _ => (Error::Refused { status: code, message }, ErrorRecovery::None),
    };
    CallError { error, recovery }
}

/// Classifies an error inside a streamed reply. The recovery applies only if nothing else of the
/// reply has arrived.
pub(crate) fn classify_stream_error(
    body: &str,
    hints: ServerHints,
    redactor: &Redactor,
) -> CallError {
    let body = &*without_echo(body);
    let passes = error_reason::is_transient(body) && !retry::is_daily_quota(body);
    let recovery = if passes {
        ErrorRecovery::retry_later(retry::gemini_retry_delay(body))
    } else {
        ErrorRecovery::None
    };
    if let Some(overflow) = detect_overflow(Some(200), body, hints) {
        return too_long(overflow, redactor).into();
    }
    let message = error_message(body, redactor);
    if error_reason::is_out_of_credit(body) {
        return Error::Spent { message }.into();
    }
    let kinds = ["rate_limit", "rate limit", "too many requests", "resource_exhausted", "\"429\""];
    let lower = body.to_lowercase();
    let error = if kinds.iter().any(|kind| lower.contains(kind)) {
        Error::RateLimited { retry_after_ms: None, message }
    } else {
        Error::Refused { status: 200, message }
    };
    CallError { error, recovery }
}

/// Milliseconds of a wait, for the countdown in the UI.
pub(crate) fn millis(wait: Duration) -> u32 {
    u32::try_from(wait.as_millis()).unwrap_or(u32::MAX)
}

fn too_long(overflow: Overflow, redactor: &Redactor) -> Error {
    Error::TooLong {
        limit: overflow.limit,
        actual: overflow.actual,
        output_only: overflow.output_only,
        message: redacted(&overflow.message, redactor),
    }
}

/// The error that a body inside a stream means. For providers outside this crate, such as the demo
/// model.
pub fn error_in_stream(body: &str) -> Error {
    classify_stream_error(body, ServerHints::default(), &Redactor::default()).error
}
