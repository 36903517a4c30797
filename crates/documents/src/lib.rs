//! What a document says: a PDF, or what Word, Excel and PowerPoint write. Its kind is read from its bytes.
//! And what a page of the web says.
//!
//! Such files come from anywhere, and much of what reads them is not ours. Each is read in a process of its
//! own (`worker_process`), which ends where it holds too much, on a thread that may panic without harm and is
//! not waited for without end; and what it unpacks and says has a limit. Not here: pictures and text files
//! (`attachment`).

pub mod attachment;
mod docx;
mod html;
mod html_depth;
pub mod image_info;
mod opc_package;
mod paragraph_prefix;
mod paragraphs;
mod pdf;
mod pptx;
mod process_limits;
mod text_builder;
mod worker_process;
mod xlsx;
mod xml;

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use skein_domain::error::FileError;

pub use html::WebPage;
pub use worker_process::{run_worker, set_worker_program};

use opc_package::OpcPackage;
use text_builder::TextBuilder;
use worker_process::WorkerTask;

/// How long a document is waited for. A book of a thousand pages takes a few seconds.
const WAITED: Duration = Duration::from_secs(60);
/// How often it is looked at what its reader holds.
const LOOKED: Duration = Duration::from_millis(20);
/// What is nested goes deeper than a thread has room for otherwise, in bytes.
const STACK: usize = 32 * 1024 * 1024;

/// The kinds of documents whose text is taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentKind {
    /// It has pages.
    Pdf,
    /// It knows of no pages: they are made where it is printed.
    Word,
    /// It has sheets.
    Sheets,
    /// It has slides.
    Slides,
}

/// A document that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// What it says. A line in brackets stands before each page, sheet and slide, so that it can be cited.
    pub text: String,
    /// How many pages, sheets or slides it has; `None` where its kind has none.
    pub pages: Option<u32>,
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

    /// As the person's other programs call it.
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
type ReadResult = Result<Option<(DocumentKind, Document)>, FileError>;

/// Takes out what a document says; `None`: it is none. Blocks.
///
/// # Errors
/// Why it cannot be read.
pub fn read(bytes: &[u8]) -> ReadResult {
    if !DocumentKind::is_possible_document(bytes) {
        return Ok(None);
    }
    worker_process::read_in_worker(WorkerTask::Document, bytes)
        .unwrap_or_else(|| read_here(bytes.to_vec(), || Ok(())))
}

/// Takes out what a page says as Markdown, or says in words why it says nothing. Blocks.
///
/// # Errors
/// Why it cannot be read.
pub fn read_web_page(page: WebPage) -> Result<Result<String, String>, FileError> {
    let asked = serde_json::to_vec(&page).map_err(|_| FileError::Broken {})?;
    worker_process::read_in_worker(WorkerTask::Page, &asked)
        .unwrap_or_else(|| html::extract_in_process(page, || Ok(())))
}

/// The same in this process. `go_on` is asked again and again whether there is room for it.
fn read_here(bytes: Vec<u8>, go_on: impl Fn() -> Result<(), FileError>) -> ReadResult {
    run_with_limits(WAITED, go_on, move |words| {
        let Some(kind) = DocumentKind::of(&bytes)? else { return Ok(None) };
        Ok(Some((kind, kind.read(&bytes, words)?)))
    })
}

/// Does work on a thread of its own, and waits for it only so long, and while it may go on. What is not
/// waited for any more is told so, and ends where it looks.
fn run_with_limits<T: Send + 'static>(
    waited: Duration,
    go_on: impl Fn() -> Result<(), FileError>,
    work: impl FnOnce(TextBuilder) -> Result<T, FileError> + Send + 'static,
) -> Result<T, FileError> {
    let (words, stop) = TextBuilder::new();
    let (done, coming) = sync_channel(1);
    let begun = thread::Builder::new().name("document".into()).stack_size(STACK).spawn(move || {
        // Nobody listens any more where it came too late.
        let _ = done.send(work(words));
    });
    if let Err(error) = begun {
        tracing::warn!(%error, "no thread to read a document on");
        return Err(FileError::Unreadable {});
    }
    let begun = Instant::now();
    loop {
        let fault = match coming.recv_timeout(LOOKED) {
            Ok(found) => return found,
            Err(RecvTimeoutError::Timeout) if begun.elapsed() > waited => {
                let seconds = u32::try_from(waited.as_secs()).unwrap_or(u32::MAX);
                FileError::TooSlow { seconds }
            }
            Err(RecvTimeoutError::Timeout) => match go_on() {
                Ok(()) => continue,
                Err(fault) => fault,
            },
            Err(RecvTimeoutError::Disconnected) => {
                tracing::warn!("the reader of a document gave up");
                FileError::Broken {}
            }
        };
        stop.stop();
        return Err(fault);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn a_reader_that_panics_says_that_the_file_is_broken() {
        let found = run_with_limits::<()>(WAITED, || Ok(()), |_| panic!("an index beyond the end"));
        assert_eq!(found, Err(FileError::Broken {}));
    }

    /// Reads without an end, and hears how it was told to end.
    fn endless(
        waited: Duration,
        go_on: impl Fn() -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let (ended, end) = channel();
        let found = run_with_limits(waited, go_on, move |mut words| {
            let fault = loop {
                if let Err(fault) = words.push("") {
                    break fault;
                }
            };
            ended.send(()).unwrap();
            Err(fault)
        });
        end.recv().unwrap();
        found
    }

    #[test]
    fn a_reader_that_does_not_end_is_not_waited_for_and_told_so() {
        let found = endless(Duration::ZERO, || Ok(()));
        assert_eq!(found, Err(FileError::TooSlow { seconds: 0 }));
    }

    #[test]
    fn a_reader_for_which_there_is_no_more_room_is_told_so() {
        let full = || Err(FileError::Unpacks { limit: 7 });
        assert_eq!(endless(WAITED, full), Err(FileError::Unpacks { limit: 7 }));
    }
}
