//! Prompts of the user's own: Markdown files in a folder, each of which is a command of its name in the
//! composer.
//!
//! Nothing of them is sent by itself, and no model sees one before the user has put it into the composer. Not
//! here: what the variables in one are filled with (`composer/prompts.tsx`), or the prompts of MCP servers
//! (`tools`).

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

/// Characters of a name.
const NAME: u32 = 64;

/// A prompt that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UserPrompt {
    /// That of its file, in small letters: letters and digits of any script, `-` and `_`.
    pub name: String,
    /// As written before it; `None` where nothing is.
    pub description: Option<String>,
    /// What it says, with its variables as they are written.
    pub words: String,
}

/// A file that should hold a prompt and holds none that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PromptProblem {
    /// Its name in the folder.
    pub file: String,
    /// What is wrong with it.
    pub fault: PromptError,
}

/// What is wrong with a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PromptError {
    /// No command can be called so.
    BadName {},
    /// It cannot be read.
    Unreadable {
        /// Why.
        detail: String,
    },
    /// Its front matter is not YAML.
    BadFrontMatter {
        /// Why, with line and column.
        detail: String,
    },
    /// It says nothing.
    Empty {},
    /// Another file has the same name in small letters.
    Taken {
        /// Which.
        by: String,
    },
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UserPromptList {
    /// Where it was looked for; it may not be there.
    pub folder: String,
    /// By file.
    pub prompts: Vec<UserPrompt>,
    /// By file.
    pub problems: Vec<PromptProblem>,
}

/// What came of saving a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SavePromptResult {
    /// It is there.
    Saved {
        /// What it is called now.
        name: String,
    },
    /// No command can be called so.
    BadName {},
    /// There is one of this name, which stays as it is.
    Taken {},
}

#[derive(Deserialize)]
struct PromptFrontMatter {
    description: Option<String>,
}

/// Reads the prompts of a folder.
pub fn read(folder: &Path) -> UserPromptList {
    let mut found =
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
                found.prompts.push(prompt);
            }
            Err(fault) => found.problems.push(PromptProblem { file, fault }),
        }
    }
    found
}

/// What a user would take for a prompt: not what systems and editors leave beside one.
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
    let (front, words) = split_front_matter(&text).unwrap_or(("", &text));
    let words = words.trim_start_matches('\u{feff}').trim();
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
    let said = front.description.map(|said| said.trim().to_owned());
    Ok(said.filter(|said| !said.is_empty()))
}

/// What a prompt is called that a user calls so; `None`: no command can be.
fn name_of(called: &str) -> Option<String> {
    let name = called.to_lowercase();
    let fits = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let is_short = (1..=NAME).contains(&char_count(&name));
    // Some names are devices of Windows, where the folder may be opened next.
    (is_short && name.chars().all(fits) && parse_relative_path(&file_of(&name)).is_ok())
        .then_some(name)
}

fn file_of(name: &str) -> String {
    format!("{name}.md")
}

/// Keeps a prompt as a file. None that is there is written over.
///
/// # Errors
/// Those of a file that cannot be written.
pub fn save(folder: &Path, called: &str, words: &str) -> Result<SavePromptResult> {
    let Some(name) = name_of(called.trim()) else { return Ok(SavePromptResult::BadName {}) };
    let taken = files_in(folder).iter().any(|path| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        stem.is_some_and(|stem| stem.to_lowercase() == name)
    });
    if taken {
        return Ok(SavePromptResult::Taken {});
    }
    fs::create_dir_all(folder).map_err(|error| Error::from_io(folder, &error))?;
    let words = words.trim();
    // What begins with a rule would be read as what stands before a prompt.
    let before = if words.starts_with("---") { "\n" } else { "" };
    let text = format!("{before}{words}\n");
    atomic_file::write_bytes(&folder.join(file_of(&name)), text.as_bytes())?;
    Ok(SavePromptResult::Saved { name })
}
