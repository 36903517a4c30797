//! Reads a PDF: the text of its pages, in drawing order.
//!
//! `lopdf` parses and unpacks the file. This module finds words and lines, because only the
//! positions of glyphs tell them. Form values and comments follow the text of their page. Not here:
//! text in pictures.

mod accents;
mod annotations;
mod cid_collections;
mod content_stream;
mod encodings;
mod font;
mod font_program;
mod glyph_names;
mod layout;
mod matrix;
mod radicals;
mod resources;
mod symbol_encodings;
mod to_unicode;
mod widths;

use lopdf::{DecompressError, Error, LoadOptions};
use skein_domain::error::FileError;

use super::document::Document;
use super::text_builder::TextBuilder;
use content_stream::{ContentInterpreter, FormBytes};
use font::FontCache;
use layout::TextLayout;
use resources::{MAX_UNPACKED, Resources};

/// The limit of the unpacked index of a file, in bytes. One byte of it may become an object of a
/// hundred bytes.
const MAX_INDEX: usize = 4 * 1024 * 1024;
/// The end marker is searched within so many bytes of the end, because some programs append data.
const MARGIN: usize = 1_024;

/// True if the header stands at the very beginning. A text about PDF may contain it later.
pub(super) fn is_pdf(begin: &[u8]) -> bool {
    let begin = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin).trim_ascii_start();
    let version = begin.strip_prefix(b"%PDF-").and_then(|behind| behind.first());
    version.is_some_and(u8::is_ascii_digit)
}

pub(super) fn read(bytes: &[u8], words: TextBuilder) -> Result<Document, FileError> {
    let options = LoadOptions::with_max_decompressed_size(MAX_INDEX);
    let file =
        lopdf::Document::load_mem_with_options(bytes, options).map_err(|error| fault(&error))?;
    if file.is_encrypted() {
        return Err(FileError::Locked {});
    }
    // A file whose index was rebuilt may have lost its last pages.
    if file.xref_recovery.is_some() && !has_end(bytes) {
        return Err(FileError::CutOff {});
    }
    let pages = file.get_pages();
    if pages.is_empty() {
        return Err(FileError::Broken {});
    }
    let fonts = FontCache::new(&file);
    let mut lines = TextLayout::new(words);
    let mut shown = FormBytes::default();
    for (number, page) in &pages {
        lines.heading(&format!("Page {number}"))?;
        let content = file.get_page_content_with_limit(*page, MAX_UNPACKED as usize);
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
            FileError::Unpacks { limit: MAX_UNPACKED }
        }
        Error::InvalidPassword
        | Error::Decryption(_)
        | Error::UnsupportedSecurityHandler(_)
        | Error::Unimplemented(_) => FileError::Locked {},
        _ => FileError::Broken {},
    }
}
