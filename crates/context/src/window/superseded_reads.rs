//! Reads of a file that a later read of the same file supersedes.
//!
//! Their outputs leave when old tool calls leave, and stay between (law 9). Nothing stored or shown changes.
//! Not here: when tool calls leave (`tool_cleaning`), or how a part is sent (`part_selection`).

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde::Deserialize;
use serde_json::{Map, Value};
use skein_domain::message::{ContentPart, ToolCall, ToolOutput, ToolState};

use crate::hash::Fnv;
use crate::tokens::message_tokens::CountedMessageRef;

/// The tool that reads a file.
const READ_FILE: &str = "read_file";

/// The end of the declared name of a server's tool that reads a file.
const SERVER_READ_FILE: &str = "__read_file";

/// Bytes of the smallest output that a note replaces. The note itself has a third of that.
///
/// Bytes, because tokens are counted otherwise by each model (law 9).
const SMALLEST_OUTPUT: usize = 256;

/// The superseded reads of a path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SupersededReads {
    /// By the index of the message: a bit for each of its calls, the first call lowest. Calls from the 65th
    /// on are never superseded.
    calls: HashMap<usize, u64>,
}

impl SupersededReads {
    /// The reads in a range of the path that a later read in the same range supersedes. A read in a pinned
    /// message is never superseded. A read that is not sent supersedes none; `is_covered` is true for a
    /// message that is not sent because a summary replaces it.
    pub(super) fn within(
        path: &[CountedMessageRef<'_>],
        range: Range<usize>,
        is_covered: impl Fn(usize) -> bool,
    ) -> Self {
        let mut later = LaterReads::default();
        let mut superseded = HashMap::new();
        for at in range.rev() {
            let Some(message) = path.get(at).map(|counted| counted.message) else { continue };
            if message.is_left_out() || (is_covered(at) && !message.is_pinned()) {
                continue;
            }
            let calls: Vec<_> = message.parts.iter().filter_map(ContentPart::as_call).collect();
            for (number, call) in calls.into_iter().enumerate().rev() {
                let Some(read) = FileRead::of(call) else { continue };
                if later.supersede(&read) && !message.is_pinned() && read.is_worth_a_note {
                    *superseded.entry(at).or_insert(0) |= bit(number);
                }
                later.add(read);
            }
        }
        Self { calls: superseded }
    }

    /// The superseded calls of a message, a bit for each.
    pub(super) fn of_message(&self, at: usize) -> u64 {
        self.calls.get(&at).copied().unwrap_or(0)
    }
}

/// The fingerprint of a session's folder, as the outputs of reads in it have it, from the bytes of its path.
/// An exported conversation does not tell the folder itself.
pub fn folder_fingerprint(path: &[u8]) -> String {
    let mut hash = Fnv::new();
    hash.add(path);
    hash.to_hex()
}

/// True if two calls have read the same file with the same tool.
pub(crate) fn read_same_file(first: &ToolCall, second: &ToolCall) -> bool {
    match (FileRead::of(first), FileRead::of(second)) {
        (Some(first), Some(second)) => first.file == second.file,
        _ => false,
    }
}

/// The bit of a call with this number among those of its message.
fn bit(number: usize) -> u64 {
    u32::try_from(number).ok().and_then(|number| 1_u64.checked_shl(number)).unwrap_or(0)
}

/// The reads further down the path.
#[derive(Default)]
struct LaterReads {
    /// File and lines of each, and whether its output is complete.
    parts: HashSet<(ReadPath, FileLines, bool)>,
    /// The files that were read whole.
    whole_files: HashSet<ReadPath>,
}

impl LaterReads {
    /// True if one of them supersedes an earlier read: it has the same lines, or the whole file. A shortened
    /// output supersedes only another shortened one.
    fn supersede(&self, read: &FileRead) -> bool {
        let FileRead { file, lines, is_complete, .. } = read;
        let has_part = |complete| self.parts.contains(&(file.clone(), *lines, complete));
        self.whole_files.contains(file) || has_part(true) || (!is_complete && has_part(false))
    }

    fn add(&mut self, FileRead { file, lines, is_whole, is_complete, .. }: FileRead) {
        if is_whole {
            self.whole_files.insert(file.clone());
        }
        self.parts.insert((file, lines, is_complete));
    }
}

/// A call that has read a file.
struct FileRead {
    file: ReadPath,
    lines: FileLines,
    /// True if the output has the whole file.
    is_whole: bool,
    /// True if the whole output is in the context, not only its beginning and end (P08).
    is_complete: bool,
    /// True if the output is long enough for a note in its place.
    is_worth_a_note: bool,
}

/// The file that a call has read.
#[derive(Clone, PartialEq, Eq, Hash)]
struct ReadPath {
    /// The declared name of the tool.
    tool: String,
    /// The fingerprint of the folder that the path is relative to; `None`: it is not known.
    folder: Option<String>,
    path: String,
}

/// The lines that a call asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct FileLines {
    /// From 1.
    start: u64,
    /// `None`: as many as the tool returns at once.
    count: Option<u64>,
}

/// The arguments of `read_file` that decide which part of the file it reads.
#[derive(Deserialize)]
struct ReadArguments {
    path: String,
    start_line: Option<u64>,
    lines: Option<u64>,
}

impl FileRead {
    /// `None`: the call is another one, has not succeeded, or its output is not sent or has images.
    fn of(call: &ToolCall) -> Option<Self> {
        let ToolState::Done { output } = &call.state else { return None };
        if output.withheld || !output.pictures.is_empty() {
            return None;
        }
        let (path, lines) = match call.name.as_str() {
            READ_FILE => own_read(&call.args)?,
            name if name.ends_with(SERVER_READ_FILE) => server_read(&call.args)?,
            _ => return None,
        };
        let (tool, folder) = (call.name.clone(), output.folder.clone());
        Some(Self {
            file: ReadPath { tool, folder, path: path.trim_start_matches("./").to_owned() },
            is_whole: lines == WHOLE && is_whole(output),
            lines,
            is_complete: output.whole.is_none(),
            is_worth_a_note: output.text.len() >= SMALLEST_OUTPUT,
        })
    }
}

const WHOLE: FileLines = FileLines { start: 1, count: None };

fn own_read(args: &str) -> Option<(String, FileLines)> {
    let ReadArguments { path, start_line, lines } = serde_json::from_str(args).ok()?;
    Some((path, FileLines { start: start_line.unwrap_or(1), count: lines }))
}

/// A server's tool whose only argument is a path. The others may choose a part of the file.
fn server_read(args: &str) -> Option<(String, FileLines)> {
    let args: Map<String, Value> = serde_json::from_str(args).ok()?;
    let path = args.get("path")?.as_str()?;
    (args.len() == 1).then(|| (path.to_owned(), WHOLE))
}

/// True if an output without a requested range is the whole file. Of a long file `read_file` returns the
/// first lines, and says so in the last line.
fn is_whole(output: &ToolOutput) -> bool {
    let last = output.text.lines().next_back().unwrap_or_default();
    output.whole.is_none() && !last.starts_with("[lines ")
}
