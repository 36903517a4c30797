//! What a document says: a PDF, or what Word, Excel and PowerPoint write. Its kind is read from its bytes.
//! And what a page of the web says.
//!
//! Such files come from anywhere, and much of what reads them is not ours. Each is read in a process of its
//! own (`process`), which ends where it holds too much, on a thread that may panic without harm and is not
//! waited for without end; and what it unpacks and says has a limit. Not here: pictures and text files
//! (`attach`).

pub mod attachment;
mod flow;
mod html_depth;
pub mod image_info;
mod limits;
mod marks;
mod package;
mod page;
mod pdf;
mod process;
mod sheets;
mod slides;
mod word;
mod words;
mod xml;

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use skein_domain::error::FileFault;

pub use page::Page;
pub use process::{read_by, serve};

use package::Package;
use process::Reader;
use words::Words;

/// How long a document is waited for. A book of a thousand pages takes a few seconds.
const WAITED: Duration = Duration::from_secs(60);
/// How often it is looked at what its reader holds.
const LOOKED: Duration = Duration::from_millis(20);
/// What is nested goes deeper than a thread has room for otherwise, in bytes.
const STACK: usize = 32 * 1024 * 1024;

/// The kinds of documents whose text is taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
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

impl Kind {
    /// Whether a file that begins so may be a document.
    pub fn may_be(begin: &[u8]) -> bool {
        pdf::is_one(begin) || package::is_archive(begin) || package::is_compound(begin)
    }

    /// `None`: it is no document.
    fn of(bytes: &[u8]) -> Result<Option<Self>, FileFault> {
        if pdf::is_one(bytes) {
            return Ok(Some(Self::Pdf));
        }
        package::refuse_compound(bytes)?;
        if !package::is_archive(bytes) {
            return Ok(None);
        }
        let main = Package::open(bytes)?.main_part()?;
        if main.as_deref().is_some_and(|part| part.ends_with(".bin")) {
            return Err(FileFault::OtherOffice {});
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

    fn read(self, bytes: &[u8], words: Words) -> Result<Document, FileFault> {
        match self {
            Self::Pdf => pdf::read(bytes, words),
            Self::Word => word::read(bytes, words),
            Self::Sheets => sheets::read(bytes, words),
            Self::Slides => slides::read(bytes, words),
        }
    }
}

/// What was found in a file; `None`: it is no document.
type Found = Result<Option<(Kind, Document)>, FileFault>;

/// Takes out what a document says; `None`: it is none. Blocks.
///
/// # Errors
/// Why it cannot be read.
pub fn read(bytes: &[u8]) -> Found {
    if !Kind::may_be(bytes) {
        return Ok(None);
    }
    process::read(Reader::Document, bytes).unwrap_or_else(|| read_here(bytes.to_vec(), || Ok(())))
}

/// Takes out what a page says as Markdown, or says in words why it says nothing. Blocks.
///
/// # Errors
/// Why it cannot be read.
pub fn read_page(page: Page) -> Result<Result<String, String>, FileFault> {
    let asked = serde_json::to_vec(&page).map_err(|_| FileFault::Broken {})?;
    process::read(Reader::Page, &asked).unwrap_or_else(|| page::read_here(page, || Ok(())))
}

/// The same in this process. `go_on` is asked again and again whether there is room for it.
fn read_here(bytes: Vec<u8>, go_on: impl Fn() -> Result<(), FileFault>) -> Found {
    apart(WAITED, go_on, move |words| {
        let Some(kind) = Kind::of(&bytes)? else { return Ok(None) };
        Ok(Some((kind, kind.read(&bytes, words)?)))
    })
}

/// Does work on a thread of its own, and waits for it only so long, and while it may go on. What is not
/// waited for any more is told so, and ends where it looks.
fn apart<T: Send + 'static>(
    waited: Duration,
    go_on: impl Fn() -> Result<(), FileFault>,
    work: impl FnOnce(Words) -> Result<T, FileFault> + Send + 'static,
) -> Result<T, FileFault> {
    let (words, stop) = Words::new();
    let (done, coming) = sync_channel(1);
    let begun = thread::Builder::new().name("document".into()).stack_size(STACK).spawn(move || {
        // Nobody listens any more where it came too late.
        let _ = done.send(work(words));
    });
    if let Err(error) = begun {
        tracing::warn!(%error, "no thread to read a document on");
        return Err(FileFault::Unreadable {});
    }
    let begun = Instant::now();
    loop {
        let fault = match coming.recv_timeout(LOOKED) {
            Ok(found) => return found,
            Err(RecvTimeoutError::Timeout) if begun.elapsed() > waited => {
                let seconds = u32::try_from(waited.as_secs()).unwrap_or(u32::MAX);
                FileFault::TooSlow { seconds }
            }
            Err(RecvTimeoutError::Timeout) => match go_on() {
                Ok(()) => continue,
                Err(fault) => fault,
            },
            Err(RecvTimeoutError::Disconnected) => {
                tracing::warn!("the reader of a document gave up");
                FileFault::Broken {}
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
        let found = apart::<()>(WAITED, || Ok(()), |_| panic!("an index beyond the end"));
        assert_eq!(found, Err(FileFault::Broken {}));
    }

    /// Reads without an end, and hears how it was told to end.
    fn endless(
        waited: Duration,
        go_on: impl Fn() -> Result<(), FileFault>,
    ) -> Result<(), FileFault> {
        let (ended, end) = channel();
        let found = apart(waited, go_on, move |mut words| {
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
        assert_eq!(found, Err(FileFault::TooSlow { seconds: 0 }));
    }

    #[test]
    fn a_reader_for_which_there_is_no_more_room_is_told_so() {
        let full = || Err(FileFault::Unpacks { limit: 7 });
        assert_eq!(endless(WAITED, full), Err(FileFault::Unpacks { limit: 7 }));
    }
}
