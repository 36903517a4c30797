//! Instruction files (`AGENTS.md` and others) of the user, for every conversation or for those in
//! one folder.
//!
//! Skein reads them and never writes them. Each is a part of the system prompt. A file of the
//! workspace is labelled as the folder's and never replaces the user's own. Not here: reminders,
//! which are the model's notes (`store`).

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use skein_context::prompts;
use skein_platform::charset;
use specta::Type;

use crate::files::workspace::{FileStamp, Workspace, file_stamp};
use crate::output_truncation;

/// The file names, in reading order. The first is the common one; the others are of other programs.
const FILE_NAMES: [&str; 3] = ["AGENTS.md", "CLAUDE.md", "QWEN.md"];
/// The limit of a file, in characters. A larger one is a mistake.
const MAX_CHARS: u32 = 200_000;

/// A file such as `AGENTS.md`, with instructions for every session or for those of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InstructionFile {
    /// The path of the file.
    pub path: String,
    /// The conversations it applies to.
    pub scope: InstructionScope,
    /// The text for the model: the content, or its beginning and a line that states the truncation.
    pub text: String,
    /// The length of the content, in characters.
    pub chars: u32,
    /// The characters read from its beginning.
    pub read: u32,
}

/// The conversations that an instruction file applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum InstructionScope {
    /// All sessions: the file is in Skein's configuration folder.
    Everywhere,
    /// The sessions of its folder.
    Folder,
}

impl InstructionFile {
    /// The part of the system prompt. A file of a workspace is labelled as the folder's.
    pub fn as_prompt(&self) -> String {
        match self.scope {
            InstructionScope::Everywhere => self.text.clone(),
            InstructionScope::Folder => prompts::folder_instructions(&self.path, &self.text),
        }
    }
}

#[derive(Default)]
pub struct InstructionFiles {
    read: Mutex<HashMap<PathBuf, (FileStamp, String)>>,
}

impl InstructionFiles {
    /// The files of the configuration folder and of the workspace, in a fixed order. Reads the
    /// disk; an unchanged file costs one `stat`. A file with the same text as another, or that only
    /// refers to another, is left out.
    pub fn read(&self, config: &Path, session: Option<&Path>) -> Vec<InstructionFile> {
        let mut files: Vec<InstructionFile> = Vec::new();
        let places = std::iter::once((InstructionScope::Everywhere, config))
            .chain(session.map(|folder| (InstructionScope::Folder, folder)));
        for (scope, place) in places {
            let Ok(folder) = Workspace::open(place) else { continue };
            for name in FILE_NAMES {
                let Some(text) = self.file(&folder, name) else { continue };
                let again = files.iter().any(|file| file.text == text);
                if again || text.trim().is_empty() || is_reference(&text) {
                    continue;
                }
                let path = folder.root().join(name).display().to_string();
                let chars = output_truncation::char_count(&text);
                let (text, read) =
                    (output_truncation::truncate_with_note(&text, MAX_CHARS), chars.min(MAX_CHARS));
                files.push(InstructionFile { path, scope, text, chars, read });
            }
        }
        files
    }

    fn file(&self, folder: &Workspace, name: &str) -> Option<String> {
        let stamp = file_stamp(&folder.dir().metadata(name).ok()?);
        let path = folder.root().join(name);
        let mut read = self.read.lock();
        if let Some((known, text)) = read.get(&path)
            && *known == stamp
        {
            return Some(text.clone());
        }
        let text = charset::decode(&folder.read(Path::new(name)).ok()?)?;
        read.insert(path, (stamp, text.clone()));
        Some(text)
    }
}

/// True if a file only refers to another instruction file, as in `@AGENTS.md`.
fn is_reference(text: &str) -> bool {
    let target = text.trim().strip_prefix('@').unwrap_or_default();
    FILE_NAMES.contains(&target.trim_start_matches("./"))
}
