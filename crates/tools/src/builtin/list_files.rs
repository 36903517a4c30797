//! `list_directory` and `glob`: list files.

use std::path::Path;

use globset::GlobBuilder;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use super::declare::{PlainTool, declare, run_blocking_tool};
use crate::ToolEffect;
use crate::files::file_walk::walk;
use crate::files::workspace::{Workspace, describe_io_error, display_path};

/// The limit of entries in a result.
const MAX_ENTRIES: usize = 2_000;

pub(crate) fn list_directory(folder: Workspace) -> PlainTool<Workspace> {
    PlainTool {
        declaration: declare::<ListArgs>(
            "list_directory",
            include_str!("descriptions/list_directory.md"),
        ),
        effect: ToolEffect::ReadOnly,
        resource: folder,
        run: |folder, call| {
            Box::pin(run_blocking_tool(call, move |args: ListArgs, _| {
                list(&folder, &folder.resolve(&args.path)?)
            }))
        },
    }
}

#[derive(Deserialize, JsonSchema)]
struct ListArgs {
    #[serde(default = "here")]
    path: String,
}

pub(crate) fn here() -> String {
    ".".into()
}

/// The entries of a folder: folders first, with a slash, then files with their size.
fn list(folder: &Workspace, path: &Path) -> Result<String, String> {
    let describe = |error| describe_io_error(path, &error);
    let mut folders = Vec::new();
    let mut files = Vec::new();
    let mut left_out = 0;
    for entry in folder.dir().read_dir(path).map_err(describe)? {
        let entry = entry.map_err(describe)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if folders.len() + files.len() == MAX_ENTRIES {
            left_out += 1;
            continue;
        }
        match entry.metadata() {
            Ok(found) if found.is_dir() => folders.push(format!("{name}/")),
            Ok(found) if found.is_file() => files.push(format!("{name}\t{} bytes", found.len())),
            Ok(_) => files.push(format!("{name}\t(link or special)")),
            Err(_) => files.push(format!("{name}\t(unreadable)")),
        }
    }
    folders.sort_unstable();
    files.sort_unstable();
    folders.extend(files);
    Ok(report(folders, left_out, "The folder is empty."))
}

fn report(mut lines: Vec<String>, left_out: usize, nothing: &str) -> String {
    if left_out > 0 {
        lines.push(format!("[{left_out} more are not listed]"));
    }
    if lines.is_empty() { nothing.to_owned() } else { lines.join("\n") }
}

pub(crate) fn glob(folder: Workspace) -> PlainTool<Workspace> {
    PlainTool {
        declaration: declare::<GlobArgs>("glob", include_str!("descriptions/glob.md")),
        effect: ToolEffect::ReadOnly,
        resource: folder,
        run: |folder, call| {
            Box::pin(run_blocking_tool(call, move |args: GlobArgs, stopped| {
                matching_files(&folder, &args, stopped)
            }))
        },
    }
}

#[derive(Deserialize, JsonSchema)]
struct GlobArgs {
    /// for example src/**/*.rs
    pattern: String,
    /// folder to look in
    #[serde(default = "here")]
    path: String,
}

fn matching_files(
    folder: &Workspace,
    args: &GlobArgs,
    stopped: &CancellationToken,
) -> Result<String, String> {
    let start = folder.resolve(&args.path)?;
    let pattern = glob_matcher(&args.pattern)?;
    let mut files = Vec::new();
    let mut left_out = 0;
    for path in walk(folder, &start, stopped)? {
        let inside = path.strip_prefix(&start).unwrap_or(&path);
        if !pattern.is_match(inside) {
            continue;
        }
        if files.len() == MAX_ENTRIES {
            left_out += 1;
        } else {
            files.push(display_path(&path));
        }
    }
    files.sort_unstable();
    Ok(report(files, left_out, "Nothing matches."))
}

/// A matcher of paths below a folder. A pattern without a slash matches names at any depth, as in a
/// `.gitignore`.
pub(crate) fn glob_matcher(pattern: &str) -> Result<globset::GlobMatcher, String> {
    let pattern = pattern.trim_start_matches("./");
    let anywhere = if pattern.contains('/') { pattern.to_owned() } else { format!("**/{pattern}") };
    let glob = GlobBuilder::new(&anywhere).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| format!("{error}."))
}
