//! P09: telling "the context is too long" from everything that looks like it.
//!
//! In this order: leave out what is repeated of the request, unwrap, status, vetoes, codes, patterns,
//! numbers. Every gateway rewraps, so shapes are recognised, not sentences; whatever speaks of a rate or of
//! time is never an overflow. Not here: what is done about it (`turn`), or an overflow that nobody mentions
//! (`silent`).

use super::numbers;
use super::overflow_error::Overflow;
use super::patterns;
use super::request_echo::without_echo;
use super::unwrap::{self, UnwrappedError};

/// What is known of the server that refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ServerHints {
    /// It is on this machine or in this network, where windows under 1,000 tokens are real.
    pub local: bool,
    /// It is known to refuse what is too long without a word.
    pub mute_overflow: bool,
}

/// Reads an error: `None` when it is not about the length of the context.
///
/// `status` is that of HTTP, 200 for an error inside a stream, `None` where there was none.
pub fn detect_overflow(status: Option<u16>, body: &str, hints: ServerHints) -> Option<Overflow> {
    let said = unwrap::unwrap_error(&without_echo(body));
    if said.is_empty() {
        let mute = hints.mute_overflow && matches!(status, Some(400 | 413));
        return mute.then(Overflow::default);
    }
    let gate = gate(status, &said);
    if gate == StatusGate::Shut || patterns::is_vetoed(&said) {
        return None;
    }
    let found = patterns::has_code(&said)
        || patterns::mentions_length(&said)
        || (status == Some(413) && patterns::mentions_bytes(&said));
    let overflow = found.then(|| numbers::extract_numbers(&said, hints.local))?;
    let exact = overflow.limit.is_some() && overflow.actual.is_some();
    (gate == StatusGate::Open || exact).then_some(overflow)
}

/// What a status lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatusGate {
    Open,
    /// A proxy's 503: only around a text with both numbers.
    Exact,
    Shut,
}

fn gate(status: Option<u16>, said: &UnwrappedError) -> StatusGate {
    let outer = match status {
        None | Some(200 | 400 | 413 | 422) => StatusGate::Open,
        Some(503) => StatusGate::Exact,
        Some(_) => StatusGate::Shut,
    };
    let inner = said.statuses.iter().any(|status| match status {
        401 | 403 | 404 | 408 | 429 => true,
        503 => outer == StatusGate::Open,
        other => (500..600).contains(other),
    });
    if inner && outer != StatusGate::Shut { StatusGate::Shut } else { outer }
}
