//! The text that is taken out of a document, as far as it may grow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Document;
use crate::error::FileFault;

/// The most text that is taken out of one document, in bytes: more than any model reads.
const AT_MOST: u32 = 32 * 1024 * 1024;

/// What was said so far.
pub(super) struct Words {
    text: String,
    /// Whether any of it is of the document itself.
    said: bool,
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
        (Self { text: String::new(), said: false, stop: Arc::clone(&stop) }, Stop(stop))
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
        self.add(&format!("{between}[{name}]\n"))
    }

    /// Whether somebody still waits.
    pub(super) fn go_on(&self) -> Result<(), FileFault> {
        // What is said then is heard by nobody.
        if self.stop.load(Ordering::Relaxed) { Err(FileFault::Unreadable {}) } else { Ok(()) }
    }

    /// The document, where it said anything at all.
    pub(super) fn document(self, pages: Option<usize>) -> Result<Document, FileFault> {
        if !self.said {
            return Err(FileFault::NoWords {});
        }
        let pages = pages.map(|pages| u32::try_from(pages).unwrap_or(u32::MAX));
        Ok(Document { text: self.text, pages })
    }
}
