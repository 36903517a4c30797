//! Writes a file completely or not at all. Every file that leaves the program is written this way.
//!
//! Not here: the database, which SQLite keeps consistent (`store`).

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use skein_domain::error::{Error, Result};
use tempfile::NamedTempFile;

use crate::crash_points::CrashPoint;

/// The name prefix of an unfinished file. Letters and digits follow.
const UNFINISHED_PREFIX: &str = ".skein-";
/// The name prefix of an unfinished settings or key file of earlier versions.
const EARLIER_PREFIX: &str = ".tmp";
const RANDOM: usize = 6;
/// The waits before a file that is in use is replaced, in milliseconds.
const RENAME_WAITS: [u64; 6] = [5, 10, 25, 50, 100, 200];

/// The readers of a written file.
#[derive(Clone, Copy)]
enum FileAccess {
    /// The system's default: everybody who may read the user's files.
    Default,
    /// The user alone.
    Owner,
}

/// Writes a temporary file beside `path` and renames it over `path`: a reader, or a power cut,
/// finds the old file or the new one. A symbolic link stays one. When this returns, the file is on
/// the disk.
///
/// # Errors
/// `DiskFull`, `Storage`, or the error of `fill`; the old file stays.
pub fn write(path: &Path, fill: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    replace(path, FileAccess::Default, fill)
}

fn replace(
    path: &Path,
    readers: FileAccess,
    fill: impl FnOnce(&mut File) -> Result<()>,
) -> Result<()> {
    let with_path = |error: io::Error| Error::from_io(path, &error);
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().unwrap_or(Path::new("."));
    let half = unfinished_file();
    let half = match readers {
        // A temporary file has mode 0600 and keeps it after the rename.
        FileAccess::Owner if cfg!(unix) => half.tempfile_in(folder),
        // Created like any new file, with the default permissions. On Windows the user's profile keeps
        // others out, and a temporary file would keep the attribute of one.
        FileAccess::Owner | FileAccess::Default => {
            half.make_in(folder, |path| File::create_new(path))
        }
    };
    let mut half = half.map_err(with_path)?;
    CrashPoint::FileBegun.reached();
    fill(half.as_file_mut())?;
    CrashPoint::FileFilled.reached();
    half.as_file().sync_all().map_err(with_path)?;
    CrashPoint::FileSynced.reached();
    rename(half, &target).map_err(with_path)?;
    CrashPoint::FileNamed.reached();
    sync_folder(folder).map_err(with_path)?;
    CrashPoint::FolderSynced.reached();
    Ok(())
}

fn unfinished_file() -> tempfile::Builder<'static, 'static> {
    let mut file = tempfile::Builder::new();
    file.prefix(UNFINISHED_PREFIX).rand_bytes(RANDOM);
    file
}

/// Gives a finished file its name. The rename of the standard library takes paths of any length, and on
/// Windows 10 replaces a file that another program reads; that of `tempfile` does neither. A scanner, or an
/// older Windows with any reader, forbids it for a moment.
fn rename(half: NamedTempFile, target: &Path) -> io::Result<()> {
    let mut half = half.into_temp_path();
    let mut waits = RENAME_WAITS.into_iter();
    loop {
        match (fs::rename(&half, target), waits.next()) {
            (Err(error), Some(wait)) if is_in_use(&error) => {
                thread::sleep(Duration::from_millis(wait));
            }
            (Err(error), _) => return Err(error),
            (Ok(()), _) => break,
        }
    }
    half.disable_cleanup(true);
    Ok(())
}

/// True if another program may have the file open; always false where that is no obstacle.
fn is_in_use(error: &io::Error) -> bool {
    // From `winerror.h`: ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION.
    cfg!(windows) && matches!(error.raw_os_error(), Some(5 | 32))
}

/// [`write`] for content that is in memory.
///
/// # Errors
/// Those of [`write`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, |file| write_all(file, path, bytes))
}

fn write_all(file: &mut File, path: &Path, bytes: &[u8]) -> Result<()> {
    file.write_all(bytes).map_err(|error| Error::from_io(path, &error))
}

/// [`write_bytes`] for a file of the program that only the user may read. Creates its folder.
///
/// # Errors
/// Those of [`write`].
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    create_private_folder(folder).map_err(|error| Error::from_io(folder, &error))?;
    replace(path, FileAccess::Owner, |file| write_all(file, path, bytes))
}

/// Creates a folder that only the user may open, and its missing parents.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Creates an empty file that only the user may read, unless it exists.
pub fn create_private_file(path: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Removes the unfinished files that [`write`] left in a folder when the program was killed. No
/// other process may write there meanwhile.
pub fn remove_unfinished(folder: &Path) {
    remove_named(UNFINISHED_PREFIX, folder);
}

/// Removes the unfinished files that earlier versions left in the folder of settings and keys.
pub fn remove_earlier_unfinished(folder: &Path) {
    remove_named(EARLIER_PREFIX, folder);
}

fn remove_named(beginning: &str, folder: &Path) {
    let remove = || {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if is_half(&entry.file_name(), beginning) && entry.file_type()?.is_file() {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    };
    if let Err(error) = allow_missing(remove()) {
        tracing::warn!(%error, "half files were not removed");
    }
}

fn is_half(name: &OsStr, beginning: &str) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(beginning));
    random.is_some_and(|it| it.len() == RANDOM && it.bytes().all(|it| it.is_ascii_alphanumeric()))
}

/// Checks that a temporary file beside `path` can be written at the offset `behind` and synced. Leaves
/// nothing on the disk.
///
/// # Errors
/// `DiskFull`, `DiskFailing`, `Storage`, each naming `path`.
pub fn check_writable(path: &Path, behind: u64) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let write = || {
        let mut file = unfinished_file().tempfile_in(folder)?;
        file.seek(SeekFrom::Start(behind))?;
        file.write_all(&[0; 64 << 10])?;
        file.as_file().sync_all()
    };
    write().map_err(|error| Error::from_io(path, &error))
}

/// The result of removing or moving a file, without the error that there is none.
pub fn allow_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Syncs a folder: a rename is on the disk only after that. Windows has no sync of folders.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(windows) { Ok(()) } else { File::open(folder)?.sync_all() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_folder_only_what_has_exactly_the_name_of_a_half_file_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let kept =
            [".skein-12345", ".skein-1234567", ".skein-12-456", ".skein-notes.md", ".tmpaB3x9Z"];
        for name in kept.iter().chain(&[".skein-aB3x9Z"]) {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        fs::create_dir(folder.path().join(".skein-folder")).unwrap();
        remove_unfinished(folder.path());
        let files = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name());
        let mut files: Vec<_> = files.map(|name| name.into_string().unwrap()).collect();
        files.sort();
        let mut expected: Vec<_> = kept.iter().chain(&[".skein-folder"]).copied().collect();
        expected.sort_unstable();
        assert_eq!(files, expected);
    }

    /// The names in a folder, sorted.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[cfg_attr(windows, ignore = "Wine 8 replaces no file that is open; Windows 10 does")]
    #[test]
    fn a_file_is_replaced_while_another_program_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        for write in [write_bytes, write_private] {
            write(&path, b"old").unwrap();
            let mut reader = File::open(&path).unwrap();
            write(&path, b"new").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
            let mut read = String::new();
            io::Read::read_to_string(&mut reader, &mut read).unwrap();
            assert_eq!(read, "old", "the reader has the file it opened");
            assert_eq!(names(folder.path()), ["settings.json"]);
        }
    }

    #[test]
    fn a_path_longer_than_windows_once_allowed_is_written_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("warp".repeat(40)).join("weft".repeat(40));
        for write in [write_bytes, write_private] {
            create_private_folder(&deep).unwrap();
            let path = deep.join("notes.md");
            assert!(path.as_os_str().len() > 300);
            for content in [b"old", b"new"] {
                write(&path, content).unwrap();
                assert_eq!(fs::read(&path).unwrap(), content);
            }
            assert_eq!(names(&deep), ["notes.md"]);
            fs::remove_dir_all(&deep).unwrap();
        }
    }

    /// On Windows a program may open a file so that nobody else may replace it, which scanners do.
    #[cfg(windows)]
    #[test]
    fn a_locked_file_is_an_error_and_keeps_its_content() {
        use std::os::windows::fs::OpenOptionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        write_bytes(&path, b"old").unwrap();
        let lock = File::options().read(true).share_mode(0).open(&path).unwrap();
        assert!(write_bytes(&path, b"new").is_err());
        drop(lock);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["settings.json"]);
        write_bytes(&path, b"new").unwrap();
    }
}
