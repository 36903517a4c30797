//! Extracts the text of documents (PDF, Word, spreadsheets, PowerPoint) and of web pages. The kind of a
//! document is read from its bytes.
//!
//! Such files come from anywhere, and most of the parsers are third-party code. Each file is read
//! in a process of its own (`worker`), with limited memory, on a thread with a time limit that may
//! panic without harm. The unpacked size and the extracted text are limited as well. Not here:
//! pictures and text files (`attachment`).

pub mod attachment;
mod compound_file;
mod document;
mod document_kind;
mod html;
mod html_depth;
pub mod image_info;
mod office97;
mod ooxml;
mod pdf;
mod reader_thread;
mod sheet_table;
mod text_builder;
mod workbook;
mod worker;

use skein_domain::error::FileError;

pub use document::Document;
pub use document_kind::DocumentKind;
pub use html::WebPage;
pub use worker::worker_process::{run_worker, set_worker_program};

use document_kind::{ReadResult, read_here};
use worker::worker_process::{WorkerTask, read_in_worker};

/// Extracts the text of a document; `None` if it is not one. Blocks.
///
/// # Errors
/// The reason why it cannot be read.
pub fn read(bytes: &[u8]) -> ReadResult {
    if !DocumentKind::is_possible_document(bytes) {
        return Ok(None);
    }
    read_in_worker(WorkerTask::Document, bytes)
        .unwrap_or_else(|| read_here(bytes.to_vec(), || Ok(())))
}

/// Extracts the text of a web page as Markdown, or the reason in words why it has none. Blocks.
///
/// # Errors
/// The reason why it cannot be read.
pub fn read_web_page(page: WebPage) -> Result<Result<String, String>, FileError> {
    let asked = serde_json::to_vec(&page).map_err(|_| FileError::Broken {})?;
    read_in_worker(WorkerTask::Page, &asked)
        .unwrap_or_else(|| html::extract_in_process(page, || Ok(())))
}
