//! `grep`: searching the files of the session's folder, with ripgrep's own crates.

use std::path::Path;

use async_trait::async_trait;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use serde::Deserialize;
use serde_json::{Value, json};
use skein_context::window::ToolDeclaration;

use super::builtin::{blocking, declare};
use super::folder::Folder;
use super::list::{here, matcher, walk};
use super::{Call, Effect, Outcome, Tool, output, parse_args};

/// Lines that one call returns at most.
const LINES: usize = 1_000;
/// Characters of a line that are shown.
const LINE_CHARS: u32 = 500;

/// `grep`.
pub(super) struct Grep {
    pub folder: Folder,
}

#[derive(Deserialize)]
struct Args {
    pattern: String,
    #[serde(default = "here")]
    path: String,
    glob: Option<String>,
    #[serde(default)]
    ignore_case: bool,
    #[serde(default)]
    context: usize,
}

#[async_trait]
impl Tool for Grep {
    fn declaration(&self) -> ToolDeclaration {
        declare(
            "grep",
            include_str!("descriptions/grep.md"),
            json!({
                "type": "object",
                "properties": {
                    "pattern": { "type": "string", "description": "regular expression" },
                    "path": { "type": "string", "description": "file or folder to search" },
                    "glob": { "type": "string", "description": "only files like *.rs" },
                    "ignore_case": { "type": "boolean" },
                    "context": { "type": "integer", "minimum": 0, "maximum": 20,
                        "description": "lines shown before and after a match" }
                },
                "required": ["pattern"]
            }),
        )
    }

    fn effect(&self, _args: &Value) -> Effect {
        Effect::ReadOnly
    }

    async fn run(&self, call: Call) -> Outcome {
        let folder = self.folder.clone();
        blocking(call, move |args, stopped| {
            let args: Args = parse_args(args)?;
            let regex = RegexMatcherBuilder::new()
                .case_insensitive(args.ignore_case)
                .size_limit(10 * 1024 * 1024)
                .build(&args.pattern)
                .map_err(|error| format!("{error}."))?;
            let only = args.glob.as_deref().map(matcher).transpose()?;
            let start = folder.resolve(&args.path)?;
            let context = args.context.min(20);
            let mut searcher = SearcherBuilder::new()
                .line_number(true)
                .before_context(context)
                .after_context(context)
                .binary_detection(BinaryDetection::quit(0))
                .build();
            let mut found = Vec::new();
            if folder.dir().metadata(&start).is_ok_and(|found| found.is_file()) {
                search(&folder, &start, &regex, &mut searcher, &mut found)?;
            } else {
                for path in walk(&folder, &start)?.take_while(|_| !stopped.is_cancelled()) {
                    let inside = path.strip_prefix(&start).unwrap_or(&path);
                    if only.as_ref().is_some_and(|only| !only.is_match(inside)) {
                        continue;
                    }
                    // A file that cannot be read takes nothing from the others.
                    let _ = search(&folder, &path, &regex, &mut searcher, &mut found);
                    if found.len() >= LINES {
                        found.push(format!("[stopped after {LINES} lines]"));
                        break;
                    }
                }
            }
            Ok(if found.is_empty() { "Nothing matches.".into() } else { found.join("\n") })
        })
        .await
    }
}

fn search(
    folder: &Folder,
    path: &Path,
    regex: &RegexMatcher,
    searcher: &mut Searcher,
    found: &mut Vec<String>,
) -> Result<(), String> {
    let file = folder.open_file(path)?;
    let lines = Lines { path: path.display().to_string(), found };
    searcher.search_reader(regex, file, lines).map_err(|error| format!("{error}."))
}

struct Lines<'a> {
    path: String,
    found: &'a mut Vec<String>,
}

impl Lines<'_> {
    fn push(&mut self, number: Option<u64>, mark: char, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        for (at, line) in (0..).zip(text.trim_end_matches(['\r', '\n']).split('\n')) {
            let number = number.map_or(0, |first| first + at);
            let line = output::head(line.trim_end_matches('\r'), LINE_CHARS);
            self.found.push(format!("{}{mark}{number}{mark}{line}", self.path));
        }
        self.found.len() < LINES
    }
}

impl Sink for Lines<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        Ok(self.push(found.line_number(), ':', found.bytes()))
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> Result<bool, Self::Error> {
        Ok(self.push(found.line_number(), '-', found.bytes()))
    }
}
