//! `read_file`: a text file by its lines.

use std::io::{BufRead, BufReader};
use std::path::Path;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use skein_context::window::ToolDeclaration;

use super::builtin::{blocking, declare};
use super::folder::{Folder, describe};
use super::{Call, Effect, Outcome, Tool, output, parse_args};

/// Lines that one call reads when no number is named.
const LINES: usize = 2_000;
/// Characters of a line that are shown.
const LINE_CHARS: u32 = 2_000;

/// `read_file`.
pub(super) struct ReadFile {
    pub folder: Folder,
}

#[derive(Deserialize)]
struct Args {
    path: String,
    #[serde(default = "first")]
    start_line: usize,
    #[serde(default = "lines")]
    lines: usize,
}

fn first() -> usize {
    1
}

fn lines() -> usize {
    LINES
}

#[async_trait]
impl Tool for ReadFile {
    fn declaration(&self) -> ToolDeclaration {
        declare(
            "read_file",
            include_str!("descriptions/read_file.md"),
            json!({
                "type": "object",
                "properties": {
                    "path": { "type": "string" },
                    "start_line": { "type": "integer", "minimum": 1 },
                    "lines": { "type": "integer", "minimum": 1 }
                },
                "required": ["path"]
            }),
        )
    }

    fn effect(&self, _args: &Value) -> Effect {
        Effect::ReadOnly
    }

    async fn run(&self, call: Call) -> Outcome {
        let folder = self.folder.clone();
        blocking(call, move |args, _| {
            let args: Args = parse_args(args)?;
            read(&folder, &folder.resolve(&args.path)?, args.start_line.max(1), args.lines.max(1))
        })
        .await
    }
}

/// The lines asked for, numbered, and where the rest is.
fn read(folder: &Folder, path: &Path, start: usize, count: usize) -> Result<String, String> {
    let mut file = BufReader::new(folder.open_file(path)?);
    let describe = |error| describe(path, &error);
    if file.fill_buf().map_err(describe)?.contains(&0) {
        return Err(format!("{} is not a text file.", path.display()));
    }
    let mut shown = Vec::new();
    let mut bytes = Vec::new();
    let mut chars = 0;
    let mut total = 0;
    while file.read_until(b'\n', &mut bytes).map_err(describe)? > 0 {
        total += 1;
        // What could not enter the context at any limit is counted, and not held.
        if total >= start && shown.len() < count && chars < 1_000_000 {
            let text = String::from_utf8_lossy(&bytes);
            let line = output::head(text.trim_end_matches(['\r', '\n']), LINE_CHARS);
            chars += line.len();
            shown.push(format!("{total}\t{line}"));
        }
        bytes.clear();
    }
    if total == 0 {
        return Ok("The file is empty.".into());
    }
    if shown.is_empty() {
        return Err(format!("{} has only {total} lines.", path.display()));
    }
    let last = start + shown.len() - 1;
    if start > 1 || last < total {
        shown.push(format!("[lines {start} to {last} of {total}]"));
    }
    Ok(shown.join("\n"))
}
