//! The text that is taken out of a document, as far as it may grow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use skein_domain::error::FileError;

use super::document::Document;

/// The most text that is taken out of one document, in bytes: more than any model reads.
const AT_MOST: u32 = 32 * 1024 * 1024;

/// What was said so far.
pub(super) struct TextBuilder {
    text: String,
    /// Where what stands under the last heading begins, in bytes.
    section_start: usize,
    /// Whether any of that is of the document itself.
    section_has_text: bool,
    /// Whether any of it is that stands before the last heading.
    has_earlier_text: bool,
    stop: Arc<AtomicBool>,
}

/// Tells a reader that nobody waits for it.
pub(super) struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    pub(super) fn stop(self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl TextBuilder {
    pub(super) fn new() -> (Self, StopSignal) {
        let stop = Arc::new(AtomicBool::new(false));
        let words = Self {
            text: String::new(),
            section_start: 0,
            section_has_text: false,
            has_earlier_text: false,
            stop: Arc::clone(&stop),
        };
        (words, StopSignal(stop))
    }

    /// Adds what the document says, or tells why its reader has to end.
    pub(super) fn push(&mut self, words: &str) -> Result<(), FileError> {
        self.section_has_text = self.section_has_text || !words.trim().is_empty();
        self.add(words)
    }

    fn add(&mut self, words: &str) -> Result<(), FileError> {
        self.check_stopped()?;
        self.fits(words.len())?;
        self.text.push_str(words);
        Ok(())
    }

    /// Whether so many bytes more may be said.
    pub(super) fn fits(&self, more: usize) -> Result<(), FileError> {
        let fits = self.text.len().saturating_add(more) <= AT_MOST as usize;
        if fits { Ok(()) } else { Err(FileError::Unpacks { limit: AT_MOST }) }
    }

    /// A line in brackets before a page, a sheet or a slide.
    pub(super) fn heading(&mut self, name: &str) -> Result<(), FileError> {
        let between = if self.text.is_empty() { "" } else { "\n" };
        self.add(&format!("{between}[{name}]\n"))?;
        self.section_start = self.text.len();
        self.has_earlier_text |= std::mem::take(&mut self.section_has_text);
        Ok(())
    }

    /// Whether the document says anything under the last heading.
    pub(super) fn has_section_text(&self) -> bool {
        self.section_has_text
    }

    /// Takes back what was said under the last heading, and puts into that heading why.
    pub(super) fn replace_section(&mut self, why: &str) {
        self.text.truncate(self.section_start);
        self.text.truncate(self.text.trim_end_matches(['\n', ']']).len());
        self.text.push_str(&format!(": {why}]\n"));
        self.section_start = self.text.len();
        self.section_has_text = false;
    }

    /// Whether somebody still waits.
    pub(super) fn check_stopped(&self) -> Result<(), FileError> {
        // What is said then is heard by nobody.
        if self.stop.load(Ordering::Relaxed) { Err(FileError::Unreadable {}) } else { Ok(()) }
    }

    /// The document, where it said anything at all.
    pub(super) fn document(self, pages: Option<usize>) -> Result<Document, FileError> {
        if !self.section_has_text && !self.has_earlier_text {
            return Err(FileError::NoWords {});
        }
        let pages = pages.map(|pages| u32::try_from(pages).unwrap_or(u32::MAX));
        Ok(Document { text: self.text, pages })
    }
}
