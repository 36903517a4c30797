//! The files of a skill. In the user's own folders links are followed; in a workspace, which may be
//! foreign, files are read through its sandbox. Sizes are limited, because a device never ends.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::files::workspace::{FileStamp, Workspace, file_stamp};

const MANUAL: &str = "SKILL.md";
/// The limit of a `SKILL.md`, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SkillFolder {
    pub path: PathBuf,
    /// The workspace that contains it; `None` for the user's own folders.
    pub sandbox: Option<PathBuf>,
}

/// The subfolders with a `SKILL.md`, by name.
pub(super) fn find_skill_folders(place: &Path, wall: Option<&Path>) -> Vec<SkillFolder> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.join(MANUAL).symlink_metadata().is_ok())
        .collect();
    folders.sort_unstable();
    let wall = wall.map(Path::to_owned);
    folders.into_iter().map(|path| SkillFolder { path, sandbox: wall.clone() }).collect()
}

impl SkillFolder {
    pub(super) fn manual(&self) -> Result<MarkdownFile, String> {
        let (folder, path) = match &self.sandbox {
            Some(wall) => {
                (Workspace::open(wall).map_err(error_text)?, self.inside(wall)?.join(MANUAL))
            }
            None => return MarkdownFile::open_user_file(&self.path.join(MANUAL)),
        };
        Ok(MarkdownFile { folder, path })
    }

    /// Reads another file of the skill. The path must stay within its folder.
    pub(super) fn read_file(&self, file: &str) -> Result<String, String> {
        let folder = match &self.sandbox {
            Some(wall) => {
                let inside = self.inside(wall)?;
                Workspace::open(wall).and_then(|folder| folder.open_subfolder(&inside))
            }
            None => Workspace::open(&self.path),
        };
        let folder = folder.map_err(error_text)?;
        folder.read_text(&folder.resolve(file)?)
    }

    fn inside(&self, wall: &Path) -> Result<PathBuf, String> {
        self.path.strip_prefix(wall).map(Path::to_owned).map_err(|error| error.to_string())
    }
}

/// An open `SKILL.md`, or another Markdown file of the user.
pub(crate) struct MarkdownFile {
    folder: Workspace,
    path: PathBuf,
}

impl MarkdownFile {
    /// Opens a file of the user's own, following links.
    pub(crate) fn open_user_file(path: &Path) -> Result<Self, String> {
        let real = fs::canonicalize(path).map_err(error_text)?;
        let path = real.file_name().unwrap_or_default().into();
        let folder = Workspace::open(real.parent().unwrap_or(&real)).map_err(error_text)?;
        Ok(Self { folder, path })
    }

    pub(super) fn stamp(&self) -> Result<FileStamp, String> {
        self.folder
            .dir()
            .metadata(&self.path)
            .map(|metadata| file_stamp(&metadata))
            .map_err(error_text)
    }

    pub(crate) fn text(&self) -> Result<String, String> {
        let file = self.folder.open_file(&self.path)?;
        let mut text = String::new();
        file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(error_text)?;
        if text.len() as u64 > MAX_BYTES {
            return Err(format!("more than {MAX_BYTES} bytes are too many"));
        }
        Ok(text)
    }
}

fn error_text(error: std::io::Error) -> String {
    error.to_string()
}
