//! Memory files: what the user wrote down for every conversation, or for all in one folder.
//!
//! They are the user's; Skein reads them and never writes them. Each is a part of the system
//! prompt of its own. Not here: reminders, which are the model's notes (`store`).
//!
//! What comes with a session's folder is framed as the folder's and never takes the place of the user's own.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use skein_context::prompts;
use skein_platform::charset;
use specta::Type;

use crate::files::workspace::Workspace;
use crate::output_truncation;

/// The names, in the order they are read. The first is what tools agree upon; the others are where
/// people had written before.
const NAMES: [&str; 3] = ["AGENTS.md", "CLAUDE.md", "QWEN.md"];
/// Characters of one file that are read: a larger one is no memory but a mistake.
const LIMIT: u32 = 200_000;

/// A memory file that is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct InstructionFile {
    /// Where it is.
    pub path: String,
    /// For which conversations it holds.
    pub scope: InstructionScope,
    /// What the model gets of it: its words, or as many as are read and a line that says so.
    pub text: String,
    /// Its length in characters.
    pub chars: u32,
    /// How many of these are read, from its beginning.
    pub read: u32,
}

/// For which conversations a memory file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum InstructionScope {
    /// For all: it is in Skein's configuration folder.
    Everywhere,
    /// For the sessions of the folder it is in.
    Folder,
}

impl InstructionFile {
    /// As the model reads it: what comes with a folder as the folder's, whoever wrote it.
    pub fn as_prompt(&self) -> String {
        match self.scope {
            InstructionScope::Everywhere => self.text.clone(),
            InstructionScope::Folder => prompts::folder_instructions(&self.path, &self.text),
        }
    }
}

/// Reads memory files, remembering what it read.
#[derive(Default)]
pub struct InstructionFiles {
    read: Mutex<HashMap<PathBuf, (InstructionFileStamp, String)>>,
}

/// Changes when a file does.
type InstructionFileStamp = (Option<SystemTime>, u64);

impl InstructionFiles {
    /// The files of the configuration folder and of a session's folder, in a fixed order. Reads
    /// the disk; what is unchanged since the last time costs a look at its date. What says only
    /// what another has said, or only names it, is left out.
    pub fn read(&self, config: &Path, session: Option<&Path>) -> Vec<InstructionFile> {
        let mut files: Vec<InstructionFile> = Vec::new();
        let places = std::iter::once((InstructionScope::Everywhere, config))
            .chain(session.map(|folder| (InstructionScope::Folder, folder)));
        for (scope, place) in places {
            let Ok(folder) = Workspace::open(place) else { continue };
            for name in NAMES {
                let Some(text) = self.file(&folder, name) else { continue };
                let again = files.iter().any(|file| file.text == text);
                if again || text.trim().is_empty() || names_another(&text) {
                    continue;
                }
                let path = folder.root().join(name).display().to_string();
                let chars = output_truncation::char_count(&text);
                let (text, read) =
                    (output_truncation::truncate_with_note(&text, LIMIT), chars.min(LIMIT));
                files.push(InstructionFile { path, scope, text, chars, read });
            }
        }
        files
    }

    fn file(&self, folder: &Workspace, name: &str) -> Option<String> {
        let metadata = folder.dir().metadata(name).ok()?;
        let modified = metadata.modified().ok().map(|time| time.into_std());
        let stamp = (modified, metadata.len());
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

/// Whether a file is nothing but a reference to another memory file, as in `@AGENTS.md`.
fn names_another(text: &str) -> bool {
    let target = text.trim().strip_prefix('@').unwrap_or_default();
    NAMES.contains(&target.trim_start_matches("./"))
}
