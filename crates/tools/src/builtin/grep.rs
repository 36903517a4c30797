//! `grep`: searches the files of the workspace with ripgrep's crates.

use std::io::{self, Read};
use std::path::Path;

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::declare::{PlainTool, declare, run_blocking_tool};
use super::list_files::{glob_matcher, here};
use crate::files::file_walk::walk;
use crate::files::workspace::{Workspace, describe_io_error, display_path};
use crate::{ToolEffect, output_truncation};

/// The limit of lines in a result.
const MAX_LINES: usize = 1_000;
/// The limit of characters shown of a line.
const MAX_LINE_CHARS: u32 = 500;
/// The limit of a searched line with its context, in bytes.
const MAX_HELD_BYTES: usize = 16 << 20;

pub(crate) fn grep(folder: Workspace) -> PlainTool<Workspace> {
    PlainTool {
        declaration: declare::<GrepArgs>("grep", include_str!("descriptions/grep.md")),
        effect: ToolEffect::ReadOnly,
        resource: folder,
        run: |folder, call| {
            Box::pin(run_blocking_tool(call, move |args: GrepArgs, stopped| {
                search(&folder, &args, stopped)
            }))
        },
    }
}

#[derive(Deserialize, JsonSchema)]
struct GrepArgs {
    /// regular expression
    pattern: String,
    /// file or folder to search
    #[serde(default = "here")]
    path: String,
    /// only files like *.rs
    glob: Option<String>,
    #[serde(default)]
    ignore_case: bool,
    /// lines shown before and after a match
    #[serde(default)]
    #[schemars(range(max = 20))]
    context: usize,
}

fn search(
    folder: &Workspace,
    args: &GrepArgs,
    stopped: &CancellationToken,
) -> Result<String, String> {
    let regex = RegexMatcherBuilder::new()
        .case_insensitive(args.ignore_case)
        // `^` and `$` match at the ends of a line, which may be CRLF.
        .multi_line(true)
        .crlf(true)
        .line_terminator(None)
        .size_limit(10 * 1024 * 1024)
        .build(&args.pattern)
        .map_err(|error| format!("{error}."))?;
    let only = args.glob.as_deref().map(glob_matcher).transpose()?;
    let start = folder.resolve(&args.path)?;
    let mut search = GrepSearch::new(folder, &regex, args.context.min(20), stopped);
    if folder.dir().metadata(&start).is_ok_and(|metadata| metadata.is_file()) {
        search.file(&start);
    } else {
        let files = walk(folder, &start, stopped)?.filter(|path| {
            let inside = path.strip_prefix(&start).unwrap_or(path);
            only.as_ref().is_none_or(|only| only.is_match(inside))
        });
        for path in files {
            search.file(&path);
            if search.lines.len() >= MAX_LINES || stopped.is_cancelled() {
                break;
            }
        }
    }
    Ok(search.into_text())
}

/// A search through a sequence of files.
struct GrepSearch<'a> {
    folder: &'a Workspace,
    regex: &'a RegexMatcher,
    searcher: Searcher,
    stopped: &'a CancellationToken,
    lines: Vec<String>,
    /// The number of files that were not searched completely, and the first of them with the
    /// reason.
    unread: (usize, Option<String>),
}

impl<'a> GrepSearch<'a> {
    fn new(
        folder: &'a Workspace,
        regex: &'a RegexMatcher,
        context: usize,
        stopped: &'a CancellationToken,
    ) -> Self {
        let searcher = SearcherBuilder::new()
            .line_number(true)
            .before_context(context)
            .after_context(context)
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(MAX_HELD_BYTES))
            .build();
        Self { folder, regex, searcher, stopped, lines: Vec::new(), unread: (0, None) }
    }

    /// Searches a file. An unreadable one is reported and does not stop the search.
    fn file(&mut self, path: &Path) {
        let searched = self.folder.open_file(path).and_then(|file| {
            let file = CancellableReader { file, stopped: self.stopped };
            let sink = MatchSink { path: display_path(path), lines: &mut self.lines };
            let searched = self.searcher.search_reader(self.regex, file, sink);
            searched.map_err(|error| describe_io_error(path, &error))
        });
        if let Err(why) = searched {
            let (count, first) = &mut self.unread;
            *count += 1;
            first.get_or_insert(why);
        }
    }

    fn into_text(self) -> String {
        let Self { mut lines, unread, .. } = self;
        if lines.is_empty() {
            lines.push("Nothing matches.".into());
        }
        if lines.len() >= MAX_LINES {
            lines.push(format!("[stopped after {MAX_LINES} lines]"));
        }
        if let (count, Some(first)) = unread {
            lines.push(format!("[files not searched to their end: {count}. {first}]"));
        }
        lines.join("\n")
    }
}

/// A file that ends early when the call is cancelled.
struct CancellableReader<'a, R> {
    file: R,
    stopped: &'a CancellationToken,
}

impl<R: Read> Read for CancellableReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stopped.is_cancelled() { Ok(0) } else { self.file.read(buffer) }
    }
}

struct MatchSink<'a> {
    path: String,
    lines: &'a mut Vec<String>,
}

impl MatchSink<'_> {
    fn push(&mut self, number: Option<u64>, mark: char, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        for (at, line) in (0..).zip(text.trim_end_matches(['\r', '\n']).split('\n')) {
            let number = number.map_or(0, |first| first + at);
            let line = output_truncation::truncate_end(line.trim_end_matches('\r'), MAX_LINE_CHARS);
            self.lines.push(format!("{}{mark}{number}{mark}{line}", self.path));
        }
        self.lines.len() < MAX_LINES
    }
}

impl Sink for MatchSink<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        Ok(self.push(found.line_number(), ':', found.bytes()))
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> Result<bool, Self::Error> {
        Ok(self.push(found.line_number(), '-', found.bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_ends_once_nobody_waits_for_what_is_found() {
        let stopped = CancellationToken::new();
        let mut file = CancellableReader { file: std::io::repeat(b'x'), stopped: &stopped };
        let mut buffer = [0; 8];
        assert_eq!(file.read(&mut buffer).unwrap(), 8);
        stopped.cancel();
        assert_eq!(file.read(&mut buffer).unwrap(), 0);
    }
}
