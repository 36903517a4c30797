//! The kinds of documents, told apart by their bytes, and reading one in this process.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use skein_domain::error::FileError;

use super::document::Document;
use super::ooxml::opc_package::{self, OpcPackage};
use super::ooxml::{docx, pptx, xlsx};
use super::pdf;
use super::text_builder::TextBuilder;
use super::worker::reader_thread::run_with_limits;

/// How long a document is waited for. A book of a thousand pages takes a few seconds.
const WAITED: Duration = Duration::from_secs(60);

/// The kinds of documents whose text is taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentKind {
    Pdf,
    /// It knows of no pages: they are made where it is printed.
    Word,
    Sheets,
    Slides,
}

impl DocumentKind {
    /// Whether a file that begins so may be a document.
    pub fn is_possible_document(begin: &[u8]) -> bool {
        pdf::is_pdf(begin) || opc_package::is_archive(begin) || opc_package::is_compound(begin)
    }

    /// `None`: it is no document.
    fn of(bytes: &[u8]) -> Result<Option<Self>, FileError> {
        if pdf::is_pdf(bytes) {
            return Ok(Some(Self::Pdf));
        }
        opc_package::reject_compound(bytes)?;
        if !opc_package::is_archive(bytes) {
            return Ok(None);
        }
        let main = OpcPackage::open(bytes)?.main_part()?;
        if main.as_deref().is_some_and(|part| part.ends_with(".bin")) {
            return Err(FileError::OtherOffice {});
        }
        Ok(match main.as_deref().and_then(|part| part.split('/').next()) {
            Some("word") => Some(Self::Word),
            Some("xl") => Some(Self::Sheets),
            Some("ppt") => Some(Self::Slides),
            Some(_) | None => None,
        })
    }

    /// As the user's other programs call it.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Word => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Sheets => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Slides => {
                "application/vnd.openxmlformats-officedocument.presentationml.presentation"
            }
        }
    }

    fn read(self, bytes: &[u8], words: TextBuilder) -> Result<Document, FileError> {
        match self {
            Self::Pdf => pdf::read(bytes, words),
            Self::Word => docx::read(bytes, words),
            Self::Sheets => xlsx::read(bytes, words),
            Self::Slides => pptx::read(bytes, words),
        }
    }
}

/// What was found in a file; `None`: it is no document.
pub(super) type ReadResult = Result<Option<(DocumentKind, Document)>, FileError>;

/// Reads a document in this process. `go_on` is asked again and again whether there is still room.
pub(super) fn read_here(bytes: Vec<u8>, go_on: impl Fn() -> Result<(), FileError>) -> ReadResult {
    run_with_limits(WAITED, go_on, move |words| {
        let Some(kind) = DocumentKind::of(&bytes)? else { return Ok(None) };
        Ok(Some((kind, kind.read(&bytes, words)?)))
    })
}
