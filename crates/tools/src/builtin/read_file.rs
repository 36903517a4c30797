//! `read_file`: reads a text file or a document by lines. The last document is cached for the next
//! part.

use std::io::{BufRead, BufReader, Cursor};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use skein_documents::DocumentKind;
use skein_domain::error::FileError;
use skein_domain::tool_declaration::ToolDeclaration;
use skein_platform::charset;
use tokio_util::sync::CancellationToken;

use super::declare::{declare, run_blocking_tool};
use crate::files::workspace::{FileStamp, Workspace, describe_io_error, display_path, file_stamp};
use crate::{Tool, ToolEffect, ToolInvocation, ToolOutcome, output_truncation};

const DEFAULT_LINES: usize = 2_000;
/// The limit of characters shown of a line.
const MAX_LINE_CHARS: u32 = 2_000;
/// The limit of a buffered line, in bytes: one character more than is shown, at the longest
/// encoding.
const MAX_LINE_BYTES: usize = 4 * (MAX_LINE_CHARS as usize + 1);
/// The limit of shown bytes. Output beyond any possible limit is counted but not buffered.
const MAX_BYTES: usize = 1_000_000;

pub(crate) struct ReadFile {
    pub folder: Workspace,
}

/// The last document. It is static because the tools of a session are rebuilt for each reply.
static LAST_DOCUMENT: LastDocument = Mutex::new(None);

type LastDocument = Mutex<Option<CachedDocument>>;

/// The text of the document that was read last: a model reads a long one in several calls.
struct CachedDocument {
    /// Its absolute path, and the version that was read.
    file: (PathBuf, FileStamp),
    text: Arc<str>,
}

#[derive(Deserialize, JsonSchema)]
struct ReadFileArgs {
    path: String,
    #[serde(default = "first")]
    #[schemars(range(min = 1))]
    start_line: usize,
    #[serde(default = "default_lines")]
    #[schemars(range(min = 1))]
    lines: usize,
}

fn first() -> usize {
    1
}

fn default_lines() -> usize {
    DEFAULT_LINES
}

#[async_trait]
impl Tool for ReadFile {
    fn declaration(&self) -> ToolDeclaration {
        declare::<ReadFileArgs>("read_file", include_str!("descriptions/read_file.md"))
    }

    fn folder(&self) -> Option<&Path> {
        Some(self.folder.root())
    }

    fn effect(&self, _args: &Value) -> ToolEffect {
        ToolEffect::ReadOnly
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        let folder = self.folder.clone();
        run_blocking_tool(call, move |args: ReadFileArgs, stopped| {
            let selection = LineSelection::new(args.start_line.max(1), args.lines.max(1));
            read(&folder, &folder.resolve(&args.path)?, &LAST_DOCUMENT, selection, stopped)
        })
        .await
    }
}

/// The requested lines with numbers, and a note on the rest.
fn read(
    folder: &Workspace,
    path: &Path,
    last: &LastDocument,
    selection: LineSelection,
    stopped: &CancellationToken,
) -> Result<String, String> {
    let file = folder.open_file(path)?;
    let metadata = file.metadata().map_err(|error| describe_io_error(path, &error))?;
    let mut file = BufReader::new(file);
    let begin = file.fill_buf().map_err(|error| describe_io_error(path, &error))?;
    if DocumentKind::is_possible_document(begin)
        && let Some(text) = document(folder, path, file_stamp(&metadata), last)?
    {
        return lines_of(Cursor::new(text.as_bytes()), path, selection, stopped);
    }
    if is_utf8(begin) {
        return lines_of(file, path, selection, stopped);
    }
    let text = charset::decode(&folder.read(path)?)
        .ok_or_else(|| format!("{} is not a text file.", display_path(path)))?;
    lines_of(Cursor::new(text.as_bytes()), path, selection, stopped)
}

/// True if a file with this beginning is UTF-8 text. The last character may be cut off.
fn is_utf8(begin: &[u8]) -> bool {
    let broken = std::str::from_utf8(begin).is_err_and(|error| error.error_len().is_some());
    !broken && !begin.contains(&0)
}

/// The text of a document; `None` if it is not one.
fn document(
    folder: &Workspace,
    path: &Path,
    stamp: FileStamp,
    last: &LastDocument,
) -> Result<Option<Arc<str>>, String> {
    let cached = || last.lock();
    let file = (folder.root().join(path), stamp);
    if let Some(known) = cached().as_ref().filter(|known| known.file == file) {
        return Ok(Some(Arc::clone(&known.text)));
    }
    let bytes = folder.read(path)?;
    let read = skein_documents::read(&bytes);
    let read =
        read.map_err(|error| format!("{}: {}.", display_path(path), file_error_text(&error)))?;
    let Some((_, document)) = read else { return Ok(None) };
    let text: Arc<str> = document.text.into();
    *cached() = Some(CachedDocument { file, text: Arc::clone(&text) });
    Ok(Some(text))
}

/// The reason why a document cannot be read, for the model.
pub(crate) fn file_error_text(error: &FileError) -> &'static str {
    match error {
        FileError::Locked {} => "it is protected with a password",
        FileError::NoWords {} => "it has no text, only pictures",
        FileError::OtherOffice {} => "it is of another format of Office",
        FileError::CutOff {} => "it ends in the middle",
        FileError::Unpacks { .. } | FileError::TooSlow { .. } => "there is too much in it",
        FileError::Broken {}
        | FileError::Empty {}
        | FileError::TooLarge { .. }
        | FileError::NotText {}
        | FileError::NotImage {}
        | FileError::OtherPicture {}
        | FileError::Unreadable {}
        | FileError::NotJson {}
        | FileError::UnknownFormat {}
        | FileError::NewerFormat {}
        | FileError::Misbuilt { .. }
        | FileError::NoConversation {}
        | FileError::CherrySnapshot {}
        | FileError::NotSkein {}
        | FileError::ForeignSchema { .. }
        | FileError::Damaged {} => "it is damaged",
    }
}

fn lines_of(
    mut file: impl BufRead,
    path: &Path,
    mut selection: LineSelection,
    stopped: &CancellationToken,
) -> Result<String, String> {
    loop {
        let bytes = file.fill_buf().map_err(|error| describe_io_error(path, &error))?;
        // A cancelled call has been answered already.
        if bytes.is_empty() || stopped.is_cancelled() {
            break;
        }
        bytes.split_inclusive(|byte| *byte == b'\n').for_each(|piece| selection.take(piece));
        let read = bytes.len();
        file.consume(read);
    }
    selection.into_text(path)
}

/// The requested lines, selected while the file is streamed.
struct LineSelection {
    start: usize,
    count: usize,
    lines: Vec<String>,
    bytes: usize,
    /// Lines begun so far.
    total: usize,
    line: LineState,
}

enum LineState {
    Ended,
    /// Outside the selection: counted only.
    Counted,
    /// Within the selection: its beginning.
    Collected(Vec<u8>),
}

impl LineSelection {
    fn new(start: usize, count: usize) -> Self {
        Self { start, count, lines: Vec::new(), bytes: 0, total: 0, line: LineState::Ended }
    }

    /// Handles a piece of a line. Of a line without end, no more is buffered than is shown.
    fn take(&mut self, piece: &[u8]) {
        if matches!(self.line, LineState::Ended) {
            self.total += 1;
            let room = self.lines.len() < self.count && self.bytes < MAX_BYTES;
            let is_selected = self.total >= self.start && room;
            self.line =
                if is_selected { LineState::Collected(Vec::new()) } else { LineState::Counted };
        }
        if let LineState::Collected(line) = &mut self.line {
            let room = MAX_LINE_BYTES.saturating_sub(line.len());
            line.extend(piece.iter().take(room));
        }
        if piece.ends_with(b"\n") {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        if let LineState::Collected(line) = mem::replace(&mut self.line, LineState::Ended) {
            let text = String::from_utf8_lossy(&line);
            let text = output_truncation::truncate_end(
                text.trim_end_matches(['\r', '\n']),
                MAX_LINE_CHARS,
            );
            self.bytes += text.len();
            self.lines.push(format!("{}\t{text}", self.total));
        }
    }

    fn into_text(mut self, path: &Path) -> Result<String, String> {
        self.end_line();
        let Self { start, mut lines, total, .. } = self;
        if total == 0 {
            return Ok("The file is empty.".into());
        }
        if lines.is_empty() {
            return Err(format!("{} has only {total} lines.", display_path(path)));
        }
        let last = start + lines.len() - 1;
        if start > 1 || last < total {
            lines.push(format!("[lines {start} to {last} of {total}]"));
        }
        Ok(lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_line_without_an_end_no_more_is_held_than_is_shown() {
        let mut selection = LineSelection::new(1, 10);
        for _ in 0..1_000 {
            selection.take("好".repeat(1_000).as_bytes());
        }
        let LineState::Collected(line) = &selection.line else { panic!("not shown") };
        assert_eq!(line.len(), MAX_LINE_BYTES);
        selection.take(b"\r\n");
        selection.take(b"short\r\n");
        selection.take(b"last");
        let long = "好".repeat(MAX_LINE_CHARS as usize);
        let told = selection.into_text(Path::new("a"));
        assert_eq!(told, Ok(format!("1\t{long}…\n2\tshort\n3\tlast")));
    }

    #[test]
    fn a_file_is_not_read_on_once_nobody_waits_for_it() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("a"), "line\n".repeat(100_000)).unwrap();
        let folder = Workspace::open(place.path()).unwrap();
        let stopped = CancellationToken::new();
        let told = |stopped| {
            read(&folder, Path::new("a"), &LAST_DOCUMENT, LineSelection::new(1, 1), stopped)
        };
        assert_eq!(told(&stopped), Ok("1\tline\n[lines 1 to 1 of 100000]".into()));
        stopped.cancel();
        assert_eq!(told(&stopped), Ok("The file is empty.".into()));
    }

    #[test]
    fn a_document_is_read_once_for_all_its_parts_and_anew_when_it_has_changed() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.pdf");
        std::fs::write(&path, include_bytes!("../../../documents/tests/documents/pages.pdf"))
            .unwrap();
        let folder = Workspace::open(place.path()).unwrap();
        let last = LastDocument::default();
        let told = |start| {
            let selection = LineSelection::new(start, 1);
            read(&folder, Path::new("a.pdf"), &last, selection, &CancellationToken::new()).unwrap()
        };
        assert!(told(1).starts_with("1\t[Page 1]\n"));
        let held = || Arc::clone(&last.lock().as_ref().unwrap().text);
        let first = held();
        assert!(told(2).starts_with("2\tThe loom’s café\n"));
        assert!(Arc::ptr_eq(&first, &held()));
        std::fs::write(&path, include_bytes!("../../../documents/tests/documents/mapped.pdf"))
            .unwrap();
        assert!(told(2).starts_with("2\t会话"));
        assert!(!Arc::ptr_eq(&first, &held()));
    }
}
