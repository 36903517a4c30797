//! What a server says beside the protocol, and what it fails at while it runs, for the person.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skein_domain::error::NotSignedIn;
use skein_platform::redactor::Redactor;

use super::Fault;
use crate::output;

/// Lines that are kept.
const LINES: usize = 200;
/// Characters of a line that are kept: the address of a page to sign in at is long, and useless when cut.
const LINE_CHARS: u32 = 4_000;

/// The last lines of a server's own words, without its keys: what it was started with it may well
/// repeat.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    lines: VecDeque<String>,
    keys: Redactor,
}

impl Log {
    /// From here on these are read nowhere; those of before neither.
    pub(super) fn hide(&self, keys: &[String]) {
        self.heard().keys.learn(keys.iter().map(String::as_str));
    }

    pub(super) fn push(&self, words: &str) {
        let mut heard = self.heard();
        for line in words.lines() {
            let clean = heard.keys.clean(line.trim_end());
            heard.lines.push_back(output::head(&clean, LINE_CHARS));
        }
        let over = heard.lines.len().saturating_sub(LINES);
        heard.lines.drain(..over);
    }

    /// A list that was asked for and did not come: said here, where the person looks for what is
    /// wrong with a server that runs.
    pub(super) fn failed(&self, list: &str, fault: &Fault) {
        self.push(&format!("{list}: {fault:?}"));
    }

    /// Words of the server that are shown elsewhere.
    pub(super) fn clean(&self, words: &str) -> String {
        self.heard().keys.clean(words)
    }

    /// What it returned, which may be megabytes of honest words: without a key that is in it as a whole.
    pub(super) fn without_keys(&self, returned: String) -> String {
        // Not held while so much is searched.
        let keys = self.heard().keys.clone();
        keys.clean_whole(returned)
    }

    /// A fault without the keys that its words may repeat.
    pub(super) fn cleaned(&self, mut fault: Fault) -> Fault {
        match &mut fault {
            Fault::ProgramMissing { program: words }
            | Fault::Invalid { detail: words }
            | Fault::Ended { detail: words, .. }
            | Fault::Unreachable { detail: words }
            | Fault::NotRenewed { detail: words }
            | Fault::Protocol { detail: words } => *words = self.clean(words),
            Fault::ValueMissing { .. }
            | Fault::Unauthorized {}
            | Fault::NotSpoken { .. }
            | Fault::TimedOut { .. } => {}
        }
        fault
    }

    /// The same of why a sign-in failed.
    pub(super) fn cleaned_reason(&self, reason: NotSignedIn) -> NotSignedIn {
        match reason {
            NotSignedIn::Failed { detail } => NotSignedIn::Failed { detail: self.clean(&detail) },
            other => other,
        }
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.heard().lines.iter().cloned().collect()
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
