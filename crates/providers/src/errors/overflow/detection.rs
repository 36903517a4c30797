//! Tells "the context is too long" from all errors that look like it (P09).
//!
//! The steps: remove what repeats the request, unwrap, then check status, vetoes, codes, patterns
//! and numbers. Gateways wrap errors in different ways, so patterns are matched, not sentences. An
//! error that mentions a rate or a time is never an overflow. Not here: the reaction (`turn`), or
//! silent truncation (`silent_truncation`).

use super::numbers;
use super::overflow_error::Overflow;
use super::patterns;
use super::request_echo::without_echo;
use super::unwrap::{self, UnwrappedError};

/// Facts about the server that sent the error.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ServerHints {
    /// True if the server is on this machine or in this network, where windows below 1,000 tokens are real.
    pub local: bool,
    /// True if the server rejects a long context without a message.
    pub mute_overflow: bool,
}

/// Reads an error; `None` if it is not about the length of the context.
///
/// `status` is the HTTP status: 200 for an error inside a stream, `None` if there was none.
pub fn detect_overflow(status: Option<u16>, body: &str, hints: ServerHints) -> Option<Overflow> {
    let error = unwrap::unwrap_error(&without_echo(body));
    if error.is_empty() {
        let mute = hints.mute_overflow && matches!(status, Some(400 | 413));
        return mute.then(Overflow::default);
    }
    let gate = gate(status, &error);
    if gate == StatusGate::Shut || patterns::is_vetoed(&error) {
        return None;
    }
    let is_overflow = patterns::has_code(&error)
        || patterns::mentions_length(&error)
        || (status == Some(413) && patterns::mentions_bytes(&error));
    let overflow = is_overflow.then(|| numbers::extract_numbers(&error, hints.local))?;
    let exact = overflow.limit.is_some() && overflow.actual.is_some();
    (gate == StatusGate::Open || exact).then_some(overflow)
}

/// The strictness that a status demands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatusGate {
    Open,
    /// A proxy's 503: only with a text that states both numbers.
    Exact,
    Shut,
}

fn gate(status: Option<u16>, error: &UnwrappedError) -> StatusGate {
    let outer = match status {
        None | Some(200 | 400 | 413 | 422) => StatusGate::Open,
        Some(503) => StatusGate::Exact,
        Some(_) => StatusGate::Shut,
    };
    let inner = error.statuses.iter().any(|status| match status {
        401 | 403 | 404 | 408 | 429 => true,
        503 => outer == StatusGate::Open,
        other => (500..600).contains(other),
    });
    if inner && outer != StatusGate::Shut { StatusGate::Shut } else { outer }
}
