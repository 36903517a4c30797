//! Builds the text of a document within a size limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use skein_domain::error::FileError;

use super::document::Document;

/// The limit of extracted text, in bytes. No model reads as much.
const MAX_TEXT: u32 = 32 * 1024 * 1024;

pub(super) struct TextBuilder {
    text: String,
    /// The offset at which the last section begins, in bytes.
    section_start: usize,
    /// True if that section has text besides headings.
    section_has_text: bool,
    /// True if the sections before it have text.
    has_earlier_text: bool,
    stop: Arc<AtomicBool>,
}

/// Tells a reader to stop because its caller gave up.
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

    /// Adds text.
    ///
    /// # Errors
    /// The text is too long, or the reader was told to stop.
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

    /// Fails if `more` bytes exceed the limit.
    pub(super) fn fits(&self, more: usize) -> Result<(), FileError> {
        let fits = self.text.len().saturating_add(more) <= MAX_TEXT as usize;
        if fits { Ok(()) } else { Err(FileError::Unpacks { limit: MAX_TEXT }) }
    }

    /// Begins a page, sheet or slide with a line in brackets.
    pub(super) fn heading(&mut self, name: &str) -> Result<(), FileError> {
        let between = if self.text.is_empty() { "" } else { "\n" };
        self.add(&format!("{between}[{name}]\n"))?;
        self.section_start = self.text.len();
        self.has_earlier_text |= std::mem::take(&mut self.section_has_text);
        Ok(())
    }

    /// True if the last section has text.
    pub(super) fn has_section_text(&self) -> bool {
        self.section_has_text
    }

    /// Replaces the text of the last section by a reason in its heading.
    pub(super) fn replace_section(&mut self, why: &str) {
        self.text.truncate(self.section_start);
        self.text.truncate(self.text.trim_end_matches(['\n', ']']).len());
        self.text.push_str(&format!(": {why}]\n"));
        self.section_start = self.text.len();
        self.section_has_text = false;
    }

    /// Fails if the reader was told to stop.
    pub(super) fn check_stopped(&self) -> Result<(), FileError> {
        // The caller is gone, so the kind of the error is irrelevant.
        if self.stop.load(Ordering::Relaxed) { Err(FileError::Unreadable {}) } else { Ok(()) }
    }

    /// The finished document.
    ///
    /// # Errors
    /// The document has no text.
    pub(super) fn document(self, pages: Option<usize>) -> Result<Document, FileError> {
        if !self.section_has_text && !self.has_earlier_text {
            return Err(FileError::NoWords {});
        }
        let pages = pages.map(|pages| u32::try_from(pages).unwrap_or(u32::MAX));
        Ok(Document { text: self.text, pages })
    }
}
