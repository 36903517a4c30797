//! Walks the files below a folder, without those that the project's ignore files exclude.
//!
//! All access goes through the session's sandbox (`workspace`), including the ignore files: they
//! belong to the project and may be links to anything. Not here: the selection of files
//! (`list_files`, `grep`).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::fs::ReadDir;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use tokio_util::sync::CancellationToken;

use super::workspace::{Workspace, describe_io_error, display_path};

/// The limit of one ignore file, in bytes: each of its lines becomes a pattern.
const FILE_LIMIT: u64 = 128 * 1024;
/// The limit of all ignore files of a walk, in bytes.
const WALK_LIMIT: u64 = 2 * 1024 * 1024;

/// The ignore files, highest precedence first. The flag is true if a file applies within one
/// repository only.
const FILES: [(&str, bool); 3] =
    [(".ignore", false), (".gitignore", true), (".git/info/exclude", true)];

/// Every plain file below a folder, as a path relative to the workspace. Links are not followed;
/// `.git` and ignored files are left out. The walk ends early when the call is cancelled.
pub(crate) fn walk<'a>(
    folder: &Workspace,
    start: &Path,
    stopped: &'a CancellationToken,
) -> Result<FileWalk<'a>, String> {
    let metadata =
        folder.dir().metadata(start).map_err(|error| describe_io_error(start, &error))?;
    if !metadata.is_dir() {
        return Err(format!("{} is not a folder.", display_path(start)));
    }
    let real =
        folder.dir().canonicalize(start).map_err(|error| describe_io_error(start, &error))?;
    Ok(FileWalk {
        folder: folder.clone(),
        entries: None,
        pending: vec![PendingFolder { path: real, above: None }],
        bytes_left: WALK_LIMIT,
        stopped,
    })
}

pub(crate) struct FileWalk<'a> {
    folder: Workspace,
    /// The rest of the current folder, with its rules.
    entries: Option<(ReadDir, PathBuf, Arc<IgnoreRules>)>,
    /// Folders to visit, the next one last.
    pending: Vec<PendingFolder>,
    /// The bytes of ignore files that may still be read.
    bytes_left: u64,
    stopped: &'a CancellationToken,
}

struct PendingFolder {
    path: PathBuf,
    above: Option<Arc<IgnoreRules>>,
}

/// The ignore rules of a folder, linked to those of its parent.
struct IgnoreRules {
    folder: PathBuf,
    /// In the order of [`FILES`].
    files: [Gitignore; 3],
    /// True if a repository begins here. Repository rules of parent folders then do not apply.
    is_repository: bool,
    above: Option<Arc<IgnoreRules>>,
}

impl IgnoreRules {
    fn leave_out(&self, path: &Path, is_folder: bool) -> bool {
        (0..FILES.len()).find_map(|kind| self.of_kind(kind, path, is_folder)).unwrap_or(false)
    }

    /// The decision of one kind of ignore file, nearest folder first; `None` if no rule matches.
    fn of_kind(&self, kind: usize, path: &Path, is_folder: bool) -> Option<bool> {
        let mut rules = Some(self);
        while let Some(here) = rules {
            let inside = path.strip_prefix(&here.folder).unwrap_or(path);
            match here.files.get(kind).map(|file| file.matched(inside, is_folder)) {
                Some(Match::Ignore(_)) => return Some(true),
                Some(Match::Whitelist(_)) => return Some(false),
                Some(Match::None) | None => {}
            }
            let within = FILES.get(kind).is_some_and(|(_, within)| *within);
            rules = here.above.as_deref().filter(|_| !(within && here.is_repository));
        }
        None
    }
}

impl FileWalk<'_> {
    /// Reads the ignore files of a folder. A file that is too large, or not a plain file within the
    /// sandbox, is skipped.
    fn rules(&mut self, PendingFolder { path, above }: PendingFolder) -> Arc<IgnoreRules> {
        let files = FILES.map(|(name, _)| self.read(&path.join(name)));
        let is_repository = self.folder.dir().symlink_metadata(path.join(".git")).is_ok();
        Arc::new(IgnoreRules { folder: path, files, is_repository, above })
    }

    fn read(&mut self, file: &Path) -> Gitignore {
        let Ok(bytes) = self.folder.read_limited(file, FILE_LIMIT.min(self.bytes_left)) else {
            return Gitignore::empty();
        };
        self.bytes_left = self.bytes_left.saturating_sub(bytes.len() as u64);
        let mut builder = GitignoreBuilder::new(".");
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        for line in bytes.split(|byte| *byte == b'\n') {
            if let Ok(line) = std::str::from_utf8(line) {
                // An invalid pattern is skipped.
                let _ = builder.add_line(None, line.trim_end_matches('\r'));
            }
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    }
}

impl Iterator for FileWalk<'_> {
    type Item = PathBuf;

    fn next(&mut self) -> Option<PathBuf> {
        while !self.stopped.is_cancelled() {
            let Some((entries, folder, rules)) = &mut self.entries else {
                let next = self.pending.pop()?;
                // An unreadable folder is skipped.
                if let Ok(entries) = self.folder.dir().read_dir(&next.path) {
                    let rules = self.rules(next);
                    self.entries = Some((entries, rules.folder.clone(), rules));
                }
                continue;
            };
            let Some(entry) = entries.next() else {
                self.entries = None;
                continue;
            };
            let Some((name, kind)) =
                entry.ok().and_then(|entry| Some((entry.file_name(), entry.file_type().ok()?)))
            else {
                continue;
            };
            let path =
                if *folder == Path::new(".") { name.clone().into() } else { folder.join(&name) };
            if name == ".git" || rules.leave_out(&path, kind.is_dir()) {
                continue;
            }
            if kind.is_dir() {
                self.pending.push(PendingFolder { path, above: Some(Arc::clone(rules)) });
            } else if kind.is_file() {
                return Some(path);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn files(root: &Path, start: &str) -> Vec<String> {
        let folder = Workspace::open(root).unwrap();
        let going = CancellationToken::new();
        let found = walk(&folder, Path::new(start), &going).unwrap();
        let mut found: Vec<_> = found.map(|path| display_path(&path)).collect();
        found.sort();
        found
    }

    fn write(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn what_the_ignore_files_name_is_left_out_by_their_order() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        for file in ["a.md", "a.log", "sub/a.md", "sub/a.log", "sub/deep/b.md", "out/c.md"] {
            write(root, file, "wool");
        }
        write(root, ".gitignore", "\u{feff}*.log\r\n/out\n# *.md\n");
        write(root, "sub/.gitignore", "!a.log\n/deep/\n");
        write(root, ".git/info/exclude", "/a.md\n");
        let here = [".gitignore", "sub/.gitignore", "sub/a.log", "sub/a.md"];
        assert_eq!(files(root, "."), here);
        // The file with the highest precedence decides, however far above it stands.
        write(root, ".ignore", "a.log\n!/a.md\n");
        let here = [".gitignore", ".ignore", "a.md", "sub/.gitignore", "sub/a.md"];
        assert_eq!(files(root, "."), here);
        // A walk that begins in an ignored folder is not affected by the rule.
        assert_eq!(files(root, "out"), ["out/c.md"]);
        // A nested repository.
        write(root, "sub/.git/config", "");
        write(root, "sub/x.tmp", "");
        write(root, ".gitignore", "*.tmp\n");
        assert!(files(root, ".").contains(&"sub/x.tmp".to_owned()));
    }

    #[test]
    fn an_ignore_file_that_is_too_large_says_nothing() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "a.md", "wool");
        write(root.path(), ".gitignore", &"*.md\n".repeat(30_000));
        assert_eq!(files(root.path(), "."), [".gitignore", "a.md"]);
    }

    #[test]
    fn all_ignore_files_of_a_walk_have_a_limit() {
        let root = tempfile::tempdir().unwrap();
        let lines = "*.md\n".repeat(20_000);
        for at in 0..30 {
            write(root.path(), &format!("{at}/a.md"), "wool");
            write(root.path(), &format!("{at}/.gitignore"), &lines);
        }
        let found = files(root.path(), ".");
        let seen = found.iter().filter(|file| file.ends_with(".md")).count();
        assert_eq!(seen, 30 - WALK_LIMIT as usize / lines.len());
    }

    #[cfg(unix)]
    #[test]
    fn an_ignore_file_is_read_within_the_wall_and_never_a_device() {
        use std::os::unix::fs::symlink;

        let outside = tempfile::tempdir().unwrap();
        write(outside.path(), "rules", "*.md\n");
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "a.md", "wool");
        symlink(outside.path().join("rules"), root.path().join(".gitignore")).unwrap();
        assert_eq!(files(root.path(), "."), ["a.md"]);
        symlink("/dev/zero", root.path().join(".ignore")).unwrap();
        assert_eq!(files(root.path(), "."), ["a.md"]);
    }

    #[test]
    fn a_walk_that_nobody_waits_for_ends() {
        let root = tempfile::tempdir().unwrap();
        for at in 0..10 {
            write(root.path(), &format!("{at}/a.md"), "wool");
        }
        let folder = Workspace::open(root.path()).unwrap();
        let stopped = CancellationToken::new();
        let mut found = walk(&folder, Path::new("."), &stopped).unwrap();
        assert!(found.next().is_some());
        stopped.cancel();
        assert_eq!(found.next(), None);
    }
}
