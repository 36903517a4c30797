//! What a document says: a PDF, or what Word, Excel and PowerPoint write. Its kind is read from its bytes.
//! And what a page of the web says.
//!
//! Such files come from anywhere, and much of what reads them is not ours. Each is read in a process of its
//! own (`worker_process`), which ends where it holds too much, on a thread that may panic without harm and is
//! not waited for without end; and what it unpacks and says has a limit. Not here: pictures and text files
//! (`attachment`).

pub mod attachment;
mod document;
mod document_kind;
mod html;
mod html_depth;
pub mod image_info;
mod ooxml;
mod pdf;
mod text_builder;
mod worker;

use skein_domain::error::FileError;

pub use document::Document;
pub use document_kind::DocumentKind;
pub use html::WebPage;
pub use worker::worker_process::{run_worker, set_worker_program};

use document_kind::{ReadResult, read_here};
use worker::worker_process::{WorkerTask, read_in_worker};

/// Takes out what a document says; `None`: it is none. Blocks.
///
/// # Errors
/// Why it cannot be read.
pub fn read(bytes: &[u8]) -> ReadResult {
    if !DocumentKind::is_possible_document(bytes) {
        return Ok(None);
    }
    read_in_worker(WorkerTask::Document, bytes)
        .unwrap_or_else(|| read_here(bytes.to_vec(), || Ok(())))
}

/// Takes out what a page says as Markdown, or says in words why it says nothing. Blocks.
///
/// # Errors
/// Why it cannot be read.
pub fn read_web_page(page: WebPage) -> Result<Result<String, String>, FileError> {
    let asked = serde_json::to_vec(&page).map_err(|_| FileError::Broken {})?;
    read_in_worker(WorkerTask::Page, &asked)
        .unwrap_or_else(|| html::extract_in_process(page, || Ok(())))
}
