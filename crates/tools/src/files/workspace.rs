//! The workspace: the one folder that a session's tools may access, and its sandbox.
//!
//! There are two barriers, in case one has a gap. First, [`parse_relative_path`] refuses every path
//! that is not plainly relative on *every* system. Second, every file is opened from a handle of
//! the folder (`cap-std`), which follows no link out of it, even if the link is created between two
//! steps.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{Read, Write};
use std::path::{Component, MAIN_SEPARATOR_STR, Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions, Permissions};
use skein_platform::crash_points::CrashPoint;
use skein_platform::plain_path::plain_path;

/// Changes when a file changes: its modification time, `None` if the system does not know it, and size.
pub(crate) type FileStamp = (Option<SystemTime>, u64);

pub(crate) fn file_stamp(found: &Metadata) -> FileStamp {
    (found.modified().ok().map(|time| time.into_std()), found.len())
}

/// The limit of a file read into memory, in bytes.
const FILE_LIMIT: u64 = 20 * 1024 * 1024;

/// A workspace, opened for the tools of one session.
#[derive(Clone)]
pub struct Workspace {
    root: PathBuf,
    dir: Arc<Dir>,
}

impl Workspace {
    /// Opens the folder that the user chose.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let root = plain_path(&path.canonicalize()?);
        let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
        Ok(Self { root, dir: Arc::new(dir) })
    }

    /// A folder within, as a workspace of its own.
    pub(crate) fn open_subfolder(&self, path: &Path) -> std::io::Result<Self> {
        let real = self.dir.canonicalize(path)?;
        Ok(Self { dir: Arc::new(self.dir.open_dir(&real)?), root: self.root.join(real) })
    }

    /// The absolute path, links resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The handle for all access.
    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// The relative path of a model's path, or the reason why it is refused. An absolute path
    /// within the workspace is accepted: models repeat paths they saw.
    pub fn resolve(&self, path: &str) -> Result<PathBuf, String> {
        match self.root.to_str() {
            Some(root) => parse_relative_path(&strip_root(root, path, cfg!(windows))),
            None => parse_relative_path(path),
        }
    }

    /// Opens a plain file for reading; refuses folders, devices and pipes, which might never end.
    pub(crate) fn open_file(&self, path: &Path) -> Result<File, String> {
        let describe = |error| describe_io_error(path, &error);
        if !self.dir.metadata(path).map_err(describe)?.is_file() {
            return Err(format!("{} is not a file.", display_path(path)));
        }
        self.dir.open(path).map_err(describe)
    }

    /// The bytes of a file within the size limit.
    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        self.read_limited(path, FILE_LIMIT)
    }

    /// The bytes of a file of at most `limit` bytes.
    pub(crate) fn read_limited(&self, path: &Path, limit: u64) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let file = self.open_file(path)?;
        file.take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| describe_io_error(path, &error))?;
        if bytes.len() as u64 > limit {
            return Err(format!("{} is larger than {limit} bytes.", display_path(path)));
        }
        Ok(bytes)
    }

    /// The text of a UTF-8 file.
    pub(crate) fn read_text(&self, path: &Path) -> Result<String, String> {
        String::from_utf8(self.read(path)?)
            .map_err(|_| format!("{} is not a text file.", display_path(path)))
    }

    /// The file that a write to this path would create or replace, or the reason why it is refused.
    /// Files in `.git` are refused, through any link, because Git runs some of them.
    pub(crate) fn writable_path(&self, path: &Path) -> Result<PathBuf, String> {
        // Links within the folder are resolved, so that the rename replaces the target and not the
        // link.
        let target = self.resolve_links(path).map_err(|error| describe_io_error(path, &error))?;
        if is_in_git(path) || is_in_git(&target) {
            return Err(format!("{} belongs to Git and is not written.", display_path(path)));
        }
        Ok(target)
    }

    /// Writes a whole file: after a crash, the old or the new one is there. Creates missing
    /// folders.
    pub(crate) fn write(&self, path: &Path, text: &str) -> Result<(), String> {
        let describe = |error| describe_io_error(path, &error);
        let target = self.writable_path(path)?;
        if let Some(parent) = target.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            self.dir.create_dir_all(parent).map_err(describe)?;
        }
        let permissions = match self.dir.metadata(&target) {
            Ok(found) if !found.is_file() => {
                return Err(format!("{} is not a file.", display_path(path)));
            }
            Ok(metadata) => Some(metadata.permissions()),
            Err(_) => None,
        };
        self.replace(&target, text, permissions).map_err(describe)
    }

    /// Writes a temporary file and renames it. Its name is random, so that no prepared link and no
    /// other call can interfere.
    fn replace(
        &self,
        target: &Path,
        text: &str,
        permissions: Option<Permissions>,
    ) -> std::io::Result<()> {
        let random = RandomState::new().build_hasher().finish();
        let draft = target.with_file_name(format!(".skein-{random:016x}"));
        let file = self.dir.open_with(&draft, OpenOptions::new().write(true).create_new(true))?;
        CrashPoint::FileBegun.reached();
        let written =
            fill(file, text, permissions).and_then(|()| self.dir.rename(&draft, &self.dir, target));
        if written.is_err() {
            // The write has failed already; a leftover temporary file is harmless.
            let _ = self.dir.remove_file(&draft);
            return written;
        }
        CrashPoint::FileNamed.reached();
        // Not every file system can sync a folder; the file is intact all the same.
        if !cfg!(windows) && self.sync(target.parent()).is_ok() {
            CrashPoint::FolderSynced.reached();
        }
        Ok(())
    }

    /// Syncs a folder, which makes a rename durable.
    fn sync(&self, folder: Option<&Path>) -> std::io::Result<()> {
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        self.dir.open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }

    /// Resolves the links of a path within the folder, as far as it exists.
    pub(crate) fn resolve_links(&self, path: &Path) -> std::io::Result<PathBuf> {
        match (self.dir.canonicalize(path), path.parent(), path.file_name()) {
            (Err(error), Some(parent), Some(name))
                if error.kind() == std::io::ErrorKind::NotFound =>
            {
                let top = parent.as_os_str().is_empty();
                Ok(if top { name.into() } else { self.resolve_links(parent)?.join(name) })
            }
            (place, ..) => place,
        }
    }
}

/// Writes and syncs a new file. Without the sync, a rename may reach the disk before the content.
fn fill(mut file: File, text: &str, permissions: Option<Permissions>) -> std::io::Result<()> {
    file.write_all(text.as_bytes())?;
    CrashPoint::FileFilled.reached();
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()?;
    CrashPoint::FileSynced.reached();
    Ok(())
}

fn is_in_git(path: &Path) -> bool {
    let mut parts = path.components().filter_map(|part| part.as_os_str().to_str());
    parts.any(|part| part.eq_ignore_ascii_case(".git"))
}

/// A path for the model, with `/`, as [`parse_relative_path`] accepts it.
pub(crate) fn display_path(path: &Path) -> String {
    path.display().to_string().replace(MAIN_SEPARATOR_STR, "/")
}

/// Removes the root from the beginning of a path, if it is there. On Windows, `\` equals `/`, case is
/// ignored, and each of the two may begin with `\\?\`.
fn strip_root(root: &str, path: &str, windows: bool) -> String {
    let plain = |path: &str| match windows {
        true => without_prefix(&path.replace('\\', "/")),
        false => path.to_owned(),
    };
    let (root, path) = (plain(root), plain(path));
    let same = |begin: &str| begin == root || windows && begin.eq_ignore_ascii_case(&root);
    let rest = path.get(..root.len()).filter(|begin| same(begin)).and(path.get(root.len()..));
    match rest {
        Some("" | "/") => ".".into(),
        Some(rest) if rest.starts_with('/') => rest.trim_start_matches('/').into(),
        Some(_) | None => path,
    }
}

/// A path of Windows, written with `/`, without the prefix of its canonical form.
fn without_prefix(path: &str) -> String {
    let share = path.strip_prefix("//?/UNC/").map(|rest| format!("//{rest}"));
    share.unwrap_or_else(|| path.strip_prefix("//?/").unwrap_or(path).to_owned())
}

/// An IO error as a text for the model.
pub(crate) fn describe_io_error(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}.", display_path(path))
}

/// Parses a plain relative path, or states why it is refused. The rules are the same on every
/// system, because a name that is ordinary here may be a device or a drive on the next.
pub fn parse_relative_path(path: &str) -> Result<PathBuf, String> {
    let refuse = |why: &str| Err(format!("The path {path:?} is refused: {why}."));
    if path.is_empty() {
        return refuse("it is empty");
    }
    if path.chars().count() > 4_096 {
        return refuse("it is too long");
    }
    if path.starts_with(['/', '\\', '~']) {
        return refuse("only paths within the session's folder are possible");
    }
    if let Some(deceptive) = path.chars().find(|c| is_deceptive(*c)) {
        return refuse(&format!("it holds the character {deceptive:?}"));
    }
    let lower = path.to_ascii_lowercase();
    if ["%2e", "%2f", "%5c", "%00", "%25"].iter().any(|code| lower.contains(code)) {
        return refuse("it is percent-encoded");
    }
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => return refuse("it leads upwards"),
            _ => {
                if let Some(why) = name_refusal(part) {
                    return refuse(why);
                }
            }
        }
    }
    let clean: PathBuf = Path::new(path)
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name),
            Component::CurDir
            | Component::ParentDir
            | Component::RootDir
            | Component::Prefix(_) => None,
        })
        .collect();
    Ok(if clean.as_os_str().is_empty() { PathBuf::from(".") } else { clean })
}

/// Characters that do not belong in a path: separators and dots of other scripts, controls,
/// invisible characters and those that change the writing direction, Windows drive and stream
/// separators, and shell expansions.
fn is_deceptive(found: char) -> bool {
    found.is_control()
        || matches!(
            found,
            '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|'
                | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fffd}' | '\u{ff0e}' | '\u{ff0f}' | '\u{ff3c}' | '\u{2024}'
                | '\u{2025}' | '\u{2026}' | '\u{2044}' | '\u{2215}' | '\u{29f8}' | '\u{2216}'
                | '\u{29f5}' | '\u{29f9}' | '\u{fe52}' | '\u{fe68}' | '\u{ff1a}'
        )
}

/// The reason why a single name is refused; `None` if it is allowed.
fn name_refusal(name: &str) -> Option<&'static str> {
    if name.trim_matches(['.', ';']).is_empty() {
        return Some("a name is made of dots");
    }
    if name.ends_with(['.', ' ']) || name.starts_with(' ') {
        return Some("a name begins or ends with a space or ends with a dot");
    }
    // On Windows `con`, `CON.txt` and `com¹` all name devices.
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|rest| {
            let mut rest = rest.chars();
            matches!(rest.next(), Some('0'..='9' | '¹' | '²' | '³')) && rest.next().is_none()
        })
    };
    let device = matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || numbered("com")
        || numbered("lpt");
    if device {
        return Some("it names a device");
    }
    // Short names of Windows reach a file under another name: `PROGRA~1`.
    let short = name.rsplit_once('~').is_some_and(|(before, after)| {
        !before.is_empty()
            && after.split('.').next().is_some_and(|number| {
                !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit())
            })
    });
    short.then_some("it is a short name of Windows")
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tracing::span;

    use super::*;

    /// A log layer that records the steps in order.
    #[derive(Default, Clone)]
    struct Steps(Arc<Mutex<Vec<String>>>);

    impl tracing::Subscriber for Steps {
        fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
            metadata.target() == "skein_platform::crash_points"
        }

        fn event(&self, event: &tracing::Event<'_>) {
            event.record(&mut |_: &tracing::field::Field, value: &dyn std::fmt::Debug| {
                self.0.lock().unwrap().push(format!("{value:?}"));
            });
        }

        fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
            span::Id::from_u64(1)
        }

        fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
        fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
        fn enter(&self, _: &span::Id) {}
        fn exit(&self, _: &span::Id) {}
    }

    #[test]
    fn a_text_is_on_the_disk_before_it_has_its_name() {
        let place = tempfile::tempdir().unwrap();
        let folder = Workspace::open(place.path()).unwrap();
        let steps = Steps::default();
        tracing::subscriber::with_default(steps.clone(), || {
            folder.write(Path::new("a.txt"), "words").unwrap();
            folder.write(Path::new("sub/b.txt"), "words").unwrap();
        });
        let mut expected = vec!["FileBegun", "FileFilled", "FileSynced", "FileNamed"];
        if !cfg!(windows) {
            expected.push("FolderSynced");
        }
        assert_eq!(*steps.0.lock().unwrap(), expected.repeat(2));
    }

    #[test]
    fn what_windows_writes_is_understood_there_and_nowhere_else() {
        let root = r"C:\Loom\warp";
        for (path, meant) in [
            (r"C:\Loom\warp\src\main.rs", "src/main.rs"),
            ("c:/loom/WARP/src/main.rs", "src/main.rs"),
            (r"src\main.rs", "src/main.rs"),
            (r"C:\Loom\warp", "."),
            (r"C:\Loom\warp\", "."),
            (r"C:\Loom\warping", "C:/Loom/warping"),
            (r"\\?\C:\Loom\warp\src\main.rs", "src/main.rs"),
        ] {
            assert_eq!(strip_root(root, path, true), meant);
            assert_eq!(strip_root(r"\\?\C:\Loom\warp", path, true), meant);
        }
        for root in [r"\\loom\warp", r"\\?\UNC\loom\warp"] {
            for path in [r"\\loom\warp\src", r"\\?\UNC\loom\warp\src", "//LOOM/warp/src"] {
                assert_eq!(strip_root(root, path, true), "src", "{root} {path}");
            }
        }
        assert_eq!(strip_root("/loom", r"src\main.rs", false), r"src\main.rs");
        assert_eq!(strip_root("/loom", "/LOOM/a", false), "/LOOM/a");
        assert_eq!(strip_root("/loom", "/loom/a", false), "a");
        // Paths outside the folder, on another drive or machine.
        for path in [r"..\weft", r"C:\Windows", r"\\server\share\a", r"src\..\..\weft", "src\\nul"]
        {
            assert!(parse_relative_path(&strip_root(root, path, true)).is_err(), "{path}");
        }
    }
}
