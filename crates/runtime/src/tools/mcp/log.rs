//! What a server says beside the protocol, and what it fails at while it runs, for the person.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::Fault;
use crate::tools::output;

/// Lines that are kept.
const LINES: usize = 200;
/// Characters of a line that are kept.
const LINE_CHARS: u32 = 500;

/// The last lines of a server's own words.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<VecDeque<String>>>);

impl Log {
    pub(super) fn push(&self, words: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for line in words.lines() {
            lines.push_back(output::head(line.trim_end(), LINE_CHARS));
        }
        let over = lines.len().saturating_sub(LINES);
        lines.drain(..over);
    }

    /// A list that was asked for and did not come: said here, where the person looks for what is
    /// wrong with a server that runs.
    pub(super) fn failed(&self, list: &str, fault: &Fault) {
        self.push(&format!("{list}: {fault:?}"));
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
