//! The log of a server for the user: its messages beside the protocol, and its failures.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use skein_domain::error::SignInError;
use skein_platform::redactor::Redactor;

use super::McpServerError;
use crate::output_truncation;

/// The limit of lines.
const LINES: usize = 200;
/// The limit of a line, in characters. It must hold the address of a sign-in page, which is long
/// and useless when cut.
const LINE_CHARS: u32 = 4_000;

/// The last lines of a server's output. Its secrets are redacted, because servers may log their
/// configuration.
#[derive(Clone, Default)]
pub(crate) struct ServerLog(Arc<Mutex<LogBuffer>>);

#[derive(Default)]
struct LogBuffer {
    lines: VecDeque<String>,
    keys: Redactor,
}

impl ServerLog {
    /// Redacts these from now on, and in earlier lines.
    pub(super) fn add_secrets(&self, keys: &[String]) {
        self.0.lock().keys.add_secrets(keys.iter().map(String::as_str));
    }

    pub(super) fn push(&self, words: &str) {
        let mut log = self.0.lock();
        for line in words.lines() {
            let clean = log.keys.redact(line.trim_end());
            log.lines.push_back(output_truncation::truncate_end(&clean, LINE_CHARS));
        }
        let over = log.lines.len().saturating_sub(LINES);
        log.lines.drain(..over);
    }

    /// Logs a list that could not be read. The user looks here if a running server lacks something.
    pub(super) fn list_failed(&self, list: &str, fault: &McpServerError) {
        self.push(&format!("{list}: {fault:?}"));
    }

    /// Redacts a text of the server that is shown elsewhere.
    pub(super) fn redact(&self, words: &str) -> String {
        self.0.lock().keys.redact(words)
    }

    /// Redacts whole secrets in a result, which may have megabytes of ordinary text.
    pub(super) fn redact_whole(&self, returned: String) -> String {
        // The lock is not held during the long search.
        let keys = self.0.lock().keys.clone();
        keys.redact_whole(returned)
    }

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
