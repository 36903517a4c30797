//! The kinds of documents, detected from their bytes, and the reader of each.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use skein_domain::error::FileError;

use super::compound_file;
use super::document::Document;
use super::office97;
use super::ooxml::opc_package::{self, OpcPackage};
use super::ooxml::{docx, pptx, xlsx};
use super::pdf;
use super::reader_thread::run_with_limits;
use super::text_builder::TextBuilder;
use super::workbook::{self, WorkbookFormat};

/// The time limit for one document. A book of a thousand pages takes a few seconds.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The kinds of documents whose text can be extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentKind {
    Pdf,
    /// A Word file. It has no pages of its own: printing makes them.
    Word,
    /// A document of Word before 2007.
    Word97,
    Sheets,
    /// A spreadsheet of Excel 97 to 2003.
    Excel97,
    /// A spreadsheet of Excel's binary format.
    ExcelBinary,
    /// A spreadsheet of OpenDocument.
    OpenDocumentSheets,
    Slides,
    /// A presentation of PowerPoint before 2007.
    Slides97,
}

impl DocumentKind {
    /// True if a file with this beginning may be a document.
    pub fn is_possible_document(begin: &[u8]) -> bool {
        pdf::is_pdf(begin) || opc_package::is_archive(begin) || compound_file::is_compound(begin)
    }

    /// The kind of a file; `None` if it is not a document.
    fn of(bytes: &[u8]) -> Result<Option<Self>, FileError> {
        if pdf::is_pdf(bytes) {
            return Ok(Some(Self::Pdf));
        }
        if compound_file::is_compound(bytes) {
            return compound_file::kind(bytes);
        }
        if !opc_package::is_archive(bytes) {
            return Ok(None);
        }
        let mut package = OpcPackage::open(bytes)?;
        if package.media_type()?.as_deref() == Some(Self::OpenDocumentSheets.media_type()) {
            return Ok(Some(Self::OpenDocumentSheets));
        }
        let main = package.main_part()?;
        if main.as_deref().is_some_and(|part| part.ends_with(".bin")) {
            let is_workbook = main.as_deref() == Some("xl/workbook.bin");
            return is_workbook.then_some(Some(Self::ExcelBinary)).ok_or(FileError::OtherOffice {});
        }
        Ok(match main.as_deref().and_then(|part| part.split('/').next()) {
            Some("word") => Some(Self::Word),
            Some("xl") => Some(Self::Sheets),
            Some("ppt") => Some(Self::Slides),
            Some(_) | None => None,
        })
    }

    /// The media type by which other programs know it.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Word => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Word97 => "application/msword",
            Self::Sheets => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Excel97 => "application/vnd.ms-excel",
            Self::ExcelBinary => "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
            Self::OpenDocumentSheets => "application/vnd.oasis.opendocument.spreadsheet",
            Self::Slides => {
                "application/vnd.openxmlformats-officedocument.presentationml.presentation"
            }
            Self::Slides97 => "application/vnd.ms-powerpoint",
        }
    }

    fn read(self, bytes: &[u8], words: TextBuilder) -> Result<Document, FileError> {
        match self {
            Self::Pdf => pdf::read(bytes, words),
            Self::Word => docx::read(bytes, words),
            Self::Word97 => office97::read_word(bytes, words),
            Self::Sheets => xlsx::read(bytes, words),
            Self::Excel97 => workbook::read(WorkbookFormat::Excel97, bytes, words),
            Self::ExcelBinary => workbook::read(WorkbookFormat::ExcelBinary, bytes, words),
            Self::OpenDocumentSheets => workbook::read(WorkbookFormat::OpenDocument, bytes, words),
            Self::Slides => pptx::read(bytes, words),
            Self::Slides97 => office97::read_slides(bytes, words),
        }
    }
}

/// The kind and text of a file; `None` if it is not a document.
pub(super) type ReadResult = Result<Option<(DocumentKind, Document)>, FileError>;

/// Reads a document in this process. `go_on` is polled and stops the reading by an error, for
/// example when memory runs short.
pub(super) fn read_here(bytes: Vec<u8>, go_on: impl Fn() -> Result<(), FileError>) -> ReadResult {
    run_with_limits(TIME_LIMIT, go_on, move |words| {
        let Some(kind) = DocumentKind::of(&bytes)? else { return Ok(None) };
        Ok(Some((kind, kind.read(&bytes, words)?)))
    })
}
