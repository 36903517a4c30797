//! The text that is taken out of a document, as far as it may grow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use skein_domain::error::FileFault;

use super::Document;

/// The most text that is taken out of one document, in bytes: more than any model reads.
const AT_MOST: u32 = 32 * 1024 * 1024;

/// What was said so far.
pub(super) struct Words {
    text: String,
    /// Where what stands under the last heading begins, in bytes.
    under: usize,
    /// Whether any of that is of the document itself.
    said: bool,
    /// Whether any of it is that stands before the last heading.
    said_before: bool,
    stop: Arc<AtomicBool>,
}

/// Tells a reader that nobody waits for it.
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(super) fn stop(self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Words {
    pub(super) fn new() -> (Self, Stop) {
        let stop = Arc::new(AtomicBool::new(false));
        let words = Self {
            text: String::new(),
            under: 0,
            said: false,
            said_before: false,
            stop: Arc::clone(&stop),
        };
        (words, Stop(stop))
    }

    /// Adds what the document says, or tells why its reader has to end.
    pub(super) fn push(&mut self, words: &str) -> Result<(), FileFault> {
        self.said = self.said || !words.trim().is_empty();
        self.add(words)
    }

    fn add(&mut self, words: &str) -> Result<(), FileFault> {
        self.go_on()?;
        self.fits(words.len())?;
        self.text.push_str(words);
        Ok(())
    }

    /// Whether so many bytes more may be said.
    pub(super) fn fits(&self, more: usize) -> Result<(), FileFault> {
        let fits = self.text.len().saturating_add(more) <= AT_MOST as usize;
        if fits { Ok(()) } else { Err(FileFault::Unpacks { limit: AT_MOST }) }
    }

    /// A line in brackets before a page, a sheet or a slide.
    pub(super) fn heading(&mut self, name: &str) -> Result<(), FileFault> {
        let between = if self.text.is_empty() { "" } else { "\n" };
        self.add(&format!("{between}[{name}]\n"))?;
        self.under = self.text.len();
        self.said_before |= std::mem::take(&mut self.said);
        Ok(())
    }

    /// Whether the document says anything under the last heading.
    pub(super) fn has_said(&self) -> bool {
        self.said
    }

    /// Takes back what was said under the last heading, and puts into that heading why.
    pub(super) fn unsay(&mut self, why: &str) {
        self.text.truncate(self.under);
        self.text.truncate(self.text.trim_end_matches(['\n', ']']).len());
        self.text.push_str(&format!(": {why}]\n"));
        self.under = self.text.len();
        self.said = false;
    }

    /// Whether somebody still waits.
    pub(super) fn go_on(&self) -> Result<(), FileFault> {
        // What is said then is heard by nobody.
        if self.stop.load(Ordering::Relaxed) { Err(FileFault::Unreadable {}) } else { Ok(()) }
    }

    /// The document, where it said anything at all.
    pub(super) fn document(self, pages: Option<usize>) -> Result<Document, FileFault> {
        if !self.said && !self.said_before {
            return Err(FileFault::NoWords {});
        }
        let pages = pages.map(|pages| u32::try_from(pages).unwrap_or(u32::MAX));
        Ok(Document { text: self.text, pages })
    }
}
