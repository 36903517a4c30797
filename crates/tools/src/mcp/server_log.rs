//! What a server says beside the protocol, and what it fails at while it runs, for the user.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use skein_domain::error::SignInError;
use skein_platform::redactor::Redactor;

use super::McpServerError;
use crate::output_truncation;

/// Lines that are kept.
const LINES: usize = 200;
/// Characters of a line that are kept: the address of a page to sign in at is long, and useless when cut.
const LINE_CHARS: u32 = 4_000;

/// The last lines of a server's own words, without its keys: what it was started with it may well
/// repeat.
#[derive(Clone, Default)]
pub(crate) struct ServerLog(Arc<Mutex<LogBuffer>>);

#[derive(Default)]
struct LogBuffer {
    lines: VecDeque<String>,
    keys: Redactor,
}

impl ServerLog {
    /// From here on these are read nowhere; those of before neither.
    pub(super) fn add_secrets(&self, keys: &[String]) {
        self.0.lock().keys.add_secrets(keys.iter().map(String::as_str));
    }

    pub(super) fn push(&self, words: &str) {
        let mut heard = self.0.lock();
        for line in words.lines() {
            let clean = heard.keys.redact(line.trim_end());
            heard.lines.push_back(output_truncation::truncate_end(&clean, LINE_CHARS));
        }
        let over = heard.lines.len().saturating_sub(LINES);
        heard.lines.drain(..over);
    }

    /// A list that was asked for and did not come: said here, where the user looks for what is
    /// wrong with a server that runs.
    pub(super) fn list_failed(&self, list: &str, fault: &McpServerError) {
        self.push(&format!("{list}: {fault:?}"));
    }

    /// Words of the server that are shown elsewhere.
    pub(super) fn redact(&self, words: &str) -> String {
        self.0.lock().keys.redact(words)
    }

    /// What it returned, which may be megabytes of honest words: without a key that is in it as a whole.
    pub(super) fn redact_whole(&self, returned: String) -> String {
        // Not held while so much is searched.
        let keys = self.0.lock().keys.clone();
        keys.redact_whole(returned)
    }

    /// A fault without the keys that its words may repeat.
    pub(super) fn redact_error(&self, mut fault: McpServerError) -> McpServerError {
        match &mut fault {
            McpServerError::ProgramMissing { program: words }
            | McpServerError::Invalid { detail: words }
            | McpServerError::Ended { detail: words, .. }
            | McpServerError::Unreachable { detail: words }
            | McpServerError::NotRenewed { detail: words }
            | McpServerError::Protocol { detail: words } => *words = self.redact(words),
            McpServerError::ValueMissing { .. }
            | McpServerError::Unauthorized {}
            | McpServerError::NotSpoken { .. }
            | McpServerError::TimedOut { .. } => {}
        }
        fault
    }

    /// The same of why a sign-in failed.
    pub(super) fn redact_sign_in_error(&self, reason: SignInError) -> SignInError {
        match reason {
            SignInError::Failed { detail } => SignInError::Failed { detail: self.redact(&detail) },
            other => other,
        }
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().lines.iter().cloned().collect()
    }
}
