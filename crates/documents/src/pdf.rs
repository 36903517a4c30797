//! A PDF: the words that its pages show, in the order in which they are drawn.
//!
//! `lopdf` reads the file and unpacks it; what a page says is found here, since only where its letters
//! stand tells which are a word and a line. Behind a page stand what its form is filled in with and what was
//! remarked on it. Not here: pictures, also of text.

mod annotations;
mod content_stream;
mod encodings;
mod font;
mod glyph_names;
mod layout;
mod matrix;
mod radicals;
mod resources;
mod to_unicode;
mod widths;

use lopdf::{DecompressError, Error, LoadOptions};
use skein_domain::error::FileError;

use super::document::Document;
use super::text_builder::TextBuilder;
use content_stream::{ContentInterpreter, Shown};
use font::FontCache;
use layout::TextLayout;
use resources::{Resources, UNPACKED_AT_MOST};

/// The same of what is unpacked to find the parts of the file: a letter of that may become an object of a
/// hundred bytes.
const INDEX_AT_MOST: usize = 4 * 1024 * 1024;
/// So far from a file's end its mark is looked for: some programs write something behind it.
const MARGIN: usize = 1_024;

/// The mark has to stand at the beginning: a text may speak of it further on.
pub(super) fn is_pdf(begin: &[u8]) -> bool {
    let begin = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin).trim_ascii_start();
    let version = begin.strip_prefix(b"%PDF-").and_then(|behind| behind.first());
    version.is_some_and(u8::is_ascii_digit)
}

pub(super) fn read(bytes: &[u8], words: TextBuilder) -> Result<Document, FileError> {
    let options = LoadOptions::with_max_decompressed_size(INDEX_AT_MOST);
    let file =
        lopdf::Document::load_mem_with_options(bytes, options).map_err(|error| fault(&error))?;
    if file.is_encrypted() {
        return Err(FileError::Locked {});
    }
    // One that was rebuilt from what is left of it may have lost its last pages.
    if file.xref_recovery.is_some() && !has_end(bytes) {
        return Err(FileError::CutOff {});
    }
    let pages = file.get_pages();
    if pages.is_empty() {
        return Err(FileError::Broken {});
    }
    let fonts = FontCache::new(&file);
    let mut lines = TextLayout::new(words);
    let mut shown = Shown::default();
    for (number, page) in &pages {
        lines.heading(&format!("Page {number}"))?;
        let content = file.get_page_content_with_limit(*page, UNPACKED_AT_MOST as usize);
        let content = content.map_err(|error| fault(&error))?;
        let resources = Resources::of_page(&file, *page);
        ContentInterpreter::new(&file, &fonts, &mut lines, &mut shown)
            .interpret(&content, &resources)?;
        lines.end_page()?;
        annotations::write_annotations(&file, *page, *number, &mut lines)?;
    }
    lines.document(pages.len())
}

fn has_end(bytes: &[u8]) -> bool {
    let tail = bytes.get(bytes.len().saturating_sub(MARGIN)..).unwrap_or(bytes);
    tail.windows(5).any(|window| window == b"%%EOF")
}

fn fault(error: &Error) -> FileError {
    tracing::info!(%error, "a PDF cannot be read");
    match error {
        Error::Decompress(DecompressError::MemoryLimitExceeded { .. }) => {
            FileError::Unpacks { limit: UNPACKED_AT_MOST }
        }
        Error::InvalidPassword
        | Error::Decryption(_)
        | Error::UnsupportedSecurityHandler(_)
        | Error::Unimplemented(_) => FileError::Locked {},
        _ => FileError::Broken {},
    }
}
