//! The user's own prompts: Markdown files in a folder, each a `/` command in the composer.
//!
//! Nothing of them is sent until the user puts it into the composer. Not here: filling in variables
//! (`composer/prompts.tsx`), or the prompts of MCP servers (`mcp`).

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use skein_domain::error::{Error, Result};
use skein_platform::atomic_file;
use specta::Type;

use crate::files::workspace::parse_relative_path;
use crate::output_truncation::char_count;
use crate::skills::{MarkdownFile, split_front_matter};

/// The limit of a name, in characters.
const MAX_NAME: u32 = 64;

/// A valid prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UserPrompt {
    /// The file's name in lower case: letters and digits of any script, `-` and `_`.
    pub name: String,
    /// The description in the front matter; `None` if absent.
    pub description: Option<String>,
    /// The text, with its variables.
    pub words: String,
}

/// A file without a valid prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PromptProblem {
    /// The file name.
    pub file: String,
    /// The reason.
    pub fault: PromptError,
}

/// The reason why a prompt is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PromptError {
    /// The name cannot be a command.
    BadName {},
    /// The file cannot be read.
    Unreadable {
        /// The error.
        detail: String,
    },
    /// The front matter is not YAML.
    BadFrontMatter {
        /// The error, with line and column.
        detail: String,
    },
    /// The file has no text.
    Empty {},
    /// Another file has the same name in lower case.
    Taken {
        /// The other file.
        by: String,
    },
}

/// All prompts and problems.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UserPromptList {
    /// The folder; it need not exist.
    pub folder: String,
    /// By file.
    pub prompts: Vec<UserPrompt>,
    /// By file.
    pub problems: Vec<PromptProblem>,
}

/// The result of saving a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SavePromptResult {
    Saved {
        /// The name of the command.
        name: String,
    },
    /// The name cannot be a command.
    BadName {},
    /// A prompt of this name exists and was not changed.
    Taken {},
}

#[derive(Deserialize)]
struct PromptFrontMatter {
    description: Option<String>,
}

/// The prompts of a folder, and the files that are none, each with the reason.
pub fn read(folder: &Path) -> UserPromptList {
    let mut prompts =
        UserPromptList { folder: folder.display().to_string(), ..UserPromptList::default() };
    let mut names: HashMap<String, String> = HashMap::new();
    for path in files_in(folder) {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let prompt = one(&path).and_then(|prompt| match names.get(&prompt.name) {
            Some(by) => Err(PromptError::Taken { by: by.clone() }),
            None => Ok(prompt),
        });
        match prompt {
            Ok(prompt) => {
                names.insert(prompt.name.clone(), file);
                prompts.prompts.push(prompt);
            }
            Err(fault) => prompts.problems.push(PromptProblem { file, fault }),
        }
    }
    prompts
}

/// The files that look like prompts, without files of the system and of editors.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_meant = |path: &PathBuf| {
        let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        !hidden && path.extension().is_some_and(|it| it.eq_ignore_ascii_case("md"))
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_meant).collect();
    files.sort_unstable();
    files
}

fn one(path: &Path) -> Result<UserPrompt, PromptError> {
    let name = path.file_stem().and_then(|stem| stem.to_str()).and_then(name_of);
    let name = name.ok_or(PromptError::BadName {})?;
    let text = MarkdownFile::open_user_file(path).and_then(|manual| manual.text());
    let text = text.map_err(|detail| PromptError::Unreadable { detail })?;
    let (front, body) = split_front_matter(&text).unwrap_or(("", &text));
    let words = body.trim_start_matches('\u{feff}').trim();
    if words.is_empty() {
        return Err(PromptError::Empty {});
    }
    Ok(UserPrompt { name, description: description(front)?, words: words.into() })
}

fn description(front: &str) -> Result<Option<String>, PromptError> {
    if front.trim().is_empty() {
        return Ok(None);
    }
    let front: PromptFrontMatter = serde_saphyr::from_str(front)
        .map_err(|error| PromptError::BadFrontMatter { detail: error.to_string() })?;
    let description = front.description.map(|said| said.trim().to_owned());
    Ok(description.filter(|said| !said.is_empty()))
}

/// The command name for a name that the user typed; `None` if none is possible.
fn name_of(called: &str) -> Option<String> {
    let name = called.to_lowercase();
    let fits = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let is_short = (1..=MAX_NAME).contains(&char_count(&name));
    // Some names are devices on Windows, where the folder may be opened later.
    (is_short && name.chars().all(fits) && parse_relative_path(&file_of(&name)).is_ok())
        .then_some(name)
}

fn file_of(name: &str) -> String {
    format!("{name}.md")
}

/// Saves a prompt as a new file. An existing file is never replaced.
///
/// # Errors
/// The file cannot be written.
pub fn save(folder: &Path, called: &str, text: &str) -> Result<SavePromptResult> {
    let Some(name) = name_of(called.trim()) else { return Ok(SavePromptResult::BadName {}) };
    let exists = files_in(folder).iter().any(|path| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        stem.is_some_and(|stem| stem.to_lowercase() == name)
    });
    if exists {
        return Ok(SavePromptResult::Taken {});
    }
    fs::create_dir_all(folder).map_err(|error| Error::from_io(folder, &error))?;
    let body = text.trim();
    // A text that begins with a rule would be read as front matter.
    let before = if body.starts_with("---") { "\n" } else { "" };
    let text = format!("{before}{body}\n");
    atomic_file::write_bytes(&folder.join(file_of(&name)), text.as_bytes())?;
    Ok(SavePromptResult::Saved { name })
}
