//! `write_file` and `edit_file`. The user sees the diff before it is written.

use std::path::Path;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use similar::TextDiff;
use skein_domain::ids::GrantKey;
use skein_domain::tool_declaration::ToolDeclaration;

use super::declare::{declare, run_blocking_tool};
use crate::files::sensitive_paths::is_sensitive;
use crate::files::workspace::{Workspace, display_path};
use crate::{
    ApprovalPreview, FileBaseline, OmittedLines, Tool, ToolEffect, ToolInvocation, ToolOutcome,
    output_truncation, parse_args,
};

/// The limit of shown diff lines.
const MAX_DIFF_LINES: usize = 2_000;
/// The limit of shown diff characters: some files are one line.
const MAX_DIFF_CHARS: u32 = 200_000;

pub(crate) struct WriteFile {
    pub folder: Workspace,
}

#[derive(Deserialize, JsonSchema)]
struct WriteArgs {
    path: String,
    content: String,
}

#[async_trait]
impl Tool for WriteFile {
    fn declaration(&self) -> ToolDeclaration {
        declare::<WriteArgs>("write_file", include_str!("descriptions/write_file.md"))
    }

    fn effect(&self, _args: &Value) -> ToolEffect {
        ToolEffect::Writes
    }

    fn grant(&self, args: &Value) -> GrantKey {
        grant("write_file", &self.folder, args)
    }

    async fn preview(&self, args: &Value) -> Result<Option<ApprovalPreview>, String> {
        preview(&self.folder, args, plan_write).await.map(Some)
    }

    async fn check_preview(&self, args: &Value, shown: &ApprovalPreview) -> Result<(), String> {
        let ApprovalPreview::Diff { basis, .. } = *shown else { return Ok(()) };
        let now =
            plan_change(&self.folder, args, |folder, args| Ok(plan_write(folder, args)?.baseline));
        let same = now.await? == basis;
        same.then_some(()).ok_or_else(|| {
            "The file has changed since the person was asked. Read it again.".to_owned()
        })
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        run(&self.folder, call, plan_write).await
    }
}

pub(crate) struct EditFile {
    pub folder: Workspace,
}

#[derive(Deserialize, JsonSchema)]
struct EditArgs {
    path: String,
    old_text: String,
    new_text: String,
    #[serde(default)]
    replace_all: bool,
}

#[async_trait]
impl Tool for EditFile {
    fn declaration(&self) -> ToolDeclaration {
        declare::<EditArgs>("edit_file", include_str!("descriptions/edit_file.md"))
    }

    fn effect(&self, _args: &Value) -> ToolEffect {
        ToolEffect::Writes
    }

    fn grant(&self, args: &Value) -> GrantKey {
        grant("edit_file", &self.folder, args)
    }

    async fn preview(&self, args: &Value) -> Result<Option<ApprovalPreview>, String> {
        preview(&self.folder, args, plan_edit).await.map(Some)
    }

    async fn run(&self, call: ToolInvocation) -> ToolOutcome {
        run(&self.folder, call, plan_edit).await
    }
}

/// A grant for every file in the folder, or for one sensitive file alone, resolved through links.
/// No path contains `//`, so the two forms cannot be confused.
fn grant(tool: &str, folder: &Workspace, args: &Value) -> GrantKey {
    let root = folder.root().display();
    let path = args.get("path").and_then(Value::as_str).and_then(|path| folder.resolve(path).ok());
    let acting = path.and_then(|path| {
        let target = folder.resolve_links(&path).unwrap_or_else(|_| path.clone());
        [target, path].into_iter().find(|path| is_sensitive(path))
    });
    match acting {
        Some(path) => GrantKey::new(format!("{tool} {root}//{}", display_path(&path))),
        None => GrantKey::new(format!("{tool} {root}")),
    }
}

/// The change that a call makes to a file.
struct FileChange {
    path: std::path::PathBuf,
    before: Option<String>,
    after: String,
    baseline: FileBaseline,
}

/// Computes a change from the arguments and the present file.
type ChangePlanner = fn(&Workspace, &Value) -> Result<FileChange, String>;

fn plan_write(folder: &Workspace, args: &Value) -> Result<FileChange, String> {
    let args: WriteArgs = parse_args(args)?;
    let path = folder.resolve(&args.path)?;
    folder.writable_path(&path)?;
    let before = existing_text(folder, &path)?;
    let basis = match &before {
        Some(text) => FileBaseline::Text(Sha256::digest(text).into()),
        None => FileBaseline::Absent,
    };
    Ok(FileChange { path, before, after: args.content, baseline: basis })
}

fn plan_edit(folder: &Workspace, args: &Value) -> Result<FileChange, String> {
    let args: EditArgs = parse_args(args)?;
    let path = folder.resolve(&args.path)?;
    folder.writable_path(&path)?;
    let before = folder.read_text(&path)?;
    let after = replace(&before, &args).map_err(|why| format!("{}: {why}", display_path(&path)))?;
    Ok(FileChange { path, before: Some(before), after, baseline: FileBaseline::Any })
}

/// The text of an existing file; `None` if there is none.
fn existing_text(folder: &Workspace, path: &Path) -> Result<Option<String>, String> {
    match folder.dir().metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Ok(_) | Err(_) => folder.read_text(path).map(Some),
    }
}

fn replace(text: &str, args: &EditArgs) -> Result<String, String> {
    if args.old_text.is_empty() {
        return Err("old_text is empty; use write_file to write a whole file.".into());
    }
    // Models write line feeds. A file with CRLF keeps them.
    let crlf = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
    let windows = (crlf(&args.old_text), crlf(&args.new_text));
    let (old, new) = if text.contains("\r\n") && text.contains(&windows.0) {
        windows
    } else {
        (args.old_text.clone(), args.new_text.clone())
    };
    match (text.matches(&old).count(), args.replace_all) {
        (0, _) => Err("old_text is not in the file. Read the file and copy it exactly.".into()),
        (1, _) | (_, true) => Ok(text.replace(&old, &new)),
        (times, false) => Err(format!(
            "old_text is there {times} times. Give more of the lines around it, or replace_all."
        )),
    }
}

async fn preview(
    folder: &Workspace,
    args: &Value,
    plan: ChangePlanner,
) -> Result<ApprovalPreview, String> {
    let preview = plan_change(folder, args, move |folder, args| {
        let FileChange { path, before, after, baseline: basis } = plan(folder, args)?;
        let before = before.unwrap_or_default();
        let diff = TextDiff::configure()
            .timeout(std::time::Duration::from_secs(1))
            .diff_lines(&before, &after)
            .unified_diff()
            .context_radius(3)
            .to_string();
        let (diff, left_out) = shorten_diff(&diff);
        // The target of a link, because that is written.
        let target = folder.writable_path(&path)?;
        Ok(ApprovalPreview::Diff { path: display_path(&target), diff, left_out, basis })
    });
    preview.await
}

/// Computes a change on another thread, without writing it.
async fn plan_change<T: Send + 'static>(
    folder: &Workspace,
    args: &Value,
    look: impl FnOnce(&Workspace, &Value) -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let (folder, args) = (folder.clone(), args.clone());
    let looked = tokio::task::spawn_blocking(move || look(&folder, &args));
    looked.await.unwrap_or_else(|error| Err(error.to_string()))
}

/// The beginning of a diff, and the number of omitted lines. A very long diff would block the UI
/// that shows the question.
fn shorten_diff(diff: &str) -> (String, Option<OmittedLines>) {
    let (mut shown, mut room) = (String::new(), MAX_DIFF_CHARS);
    let mut left_out: Option<OmittedLines> = None;
    for (at, line) in diff.split_inclusive('\n').enumerate() {
        let chars = output_truncation::char_count(line);
        if at < MAX_DIFF_LINES && chars <= room {
            shown.push_str(line);
            room -= chars;
            continue;
        }
        if at < MAX_DIFF_LINES && room > 0 {
            // A shortened line counts as omitted, too.
            shown.push_str(&output_truncation::truncate_end(line, room));
            shown.push('\n');
        }
        // After the first omitted line, no later one is shown.
        room = 0;
        let counts = left_out.get_or_insert_default();
        match line.as_bytes().first() {
            Some(b'+') => counts.added += 1,
            Some(b'-') => counts.removed += 1,
            Some(_) | None => (),
        }
    }
    (shown, left_out)
}

async fn run(folder: &Workspace, call: ToolInvocation, plan: ChangePlanner) -> ToolOutcome {
    let folder = folder.clone();
    run_blocking_tool(call, move |args: Value, _| {
        let change = plan(&folder, &args)?;
        folder.write(&change.path, &change.after)?;
        let lines = change.after.lines().count();
        let verb = if change.before.is_some() { "Changed" } else { "Wrote" };
        Ok(format!("{verb} {}; it has {lines} lines now.", display_path(&change.path)))
    })
    .await
}
