//! A file that is there whole or not at all: what leaves the program is written this way.
//!
//! Not here: the database, which keeps itself whole (`store`).

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use skein_domain::error::{Error, Result};

use crate::crash_points::CrashPoint;

/// How the name of a file begins that is not whole yet, and how many letters and digits follow.
const HALF: &str = ".skein-";
/// The same of the settings and the keys, as an earlier version wrote them.
const EARLIER_HALF: &str = ".tmp";
const RANDOM: usize = 6;

/// Who may read a file that is written.
#[derive(Clone, Copy)]
enum FileAccess {
    /// Whoever may read the user's files.
    Default,
    /// The user alone.
    Owner,
}

/// Writes beside `path`, then over it: a reader, or a power cut, meets the old file or the new one.
/// A file that is a link keeps being one. When this returns, the file is on the disk.
///
/// # Errors
/// `DiskFull`, `Storage`, or what `fill` says; what was there before stays.
pub fn write(path: &Path, fill: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    replace(path, FileAccess::Default, fill)
}

fn replace(
    path: &Path,
    readers: FileAccess,
    fill: impl FnOnce(&mut File) -> Result<()>,
) -> Result<()> {
    let told = |error: io::Error| Error::from_io(path, &error);
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut half = tempfile::Builder::new();
    half.prefix(HALF).rand_bytes(RANDOM);
    let half = match readers {
        // Made as any new file is.
        FileAccess::Default => half.make_in(folder, |path| File::create_new(path)),
        // A temporary file is made with mode 0600, and keeps it under its final name.
        FileAccess::Owner => half.tempfile_in(folder),
    };
    let mut half = half.map_err(told)?;
    CrashPoint::FileBegun.reached();
    fill(half.as_file_mut())?;
    CrashPoint::FileFilled.reached();
    half.as_file().sync_all().map_err(told)?;
    CrashPoint::FileSynced.reached();
    half.persist(&target).map_err(|failed| told(failed.error))?;
    CrashPoint::FileNamed.reached();
    sync_folder(folder).map_err(told)?;
    CrashPoint::FolderSynced.reached();
    Ok(())
}

/// The same with the content at hand.
///
/// # Errors
/// Those of [`write`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, |file| file.write_all(bytes).map_err(|error| Error::from_io(path, &error)))
}

/// The same for a file of the program's own, which nobody but the user may read. Its folder is made.
///
/// # Errors
/// Those of [`write`].
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    create_private_folder(folder).map_err(|error| Error::from_io(folder, &error))?;
    let fill = |file: &mut File| file.write_all(bytes);
    replace(path, FileAccess::Owner, |file| {
        fill(file).map_err(|error| Error::from_io(path, &error))
    })
}

/// Makes a folder that nobody but the user may look into, and those above it that are missing.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes an empty file that nobody but the user may read, unless there is one.
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

/// Removes what [`write`] left half written in a folder when the program was killed, and nothing else.
/// Nobody may write there meanwhile.
pub fn remove_halves(folder: &Path) {
    remove_halves_called(HALF, folder);
}

/// The same of what an earlier version left in the folder of the settings and the keys.
pub fn remove_earlier_halves(folder: &Path) {
    remove_halves_called(EARLIER_HALF, folder);
}

fn remove_halves_called(beginning: &str, folder: &Path) {
    let remove = || {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if is_half(&entry.file_name(), beginning) && entry.file_type()?.is_file() {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    };
    match remove() {
        Ok(()) => {}
        Err(error) if io::Error::kind(&error) == io::ErrorKind::NotFound => {}
        Err(error) => tracing::warn!(%error, "half files were not removed"),
    }
}

fn is_half(name: &OsStr, beginning: &str) -> bool {
    let random = name.to_str().and_then(|name| name.strip_prefix(beginning));
    random.is_some_and(|it| it.len() == RANDOM && it.bytes().all(|it| it.is_ascii_alphanumeric()))
}

/// Tries whether a file beside `path` can be written that begins behind so many bytes, and synced; nothing
/// is left of it.
///
/// # Errors
/// `DiskFull`, `DiskFailing`, `Storage`, each naming `path`.
pub fn check_writable(path: &Path, behind: u64) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let write = || {
        let mut file =
            tempfile::Builder::new().prefix(HALF).rand_bytes(RANDOM).tempfile_in(folder)?;
        file.seek(SeekFrom::Start(behind))?;
        file.write_all(&[0; 64 << 10])?;
        file.as_file().sync_all()
    };
    write().map_err(|error| Error::from_io(path, &error))
}

/// A rename is on the disk only when its folder is. Windows has no such thing as a folder's sync.
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
        remove_halves(folder.path());
        let files = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name());
        let mut files: Vec<_> = files.map(|name| name.into_string().unwrap()).collect();
        files.sort();
        let mut expected: Vec<_> = kept.iter().chain(&[".skein-folder"]).copied().collect();
        expected.sort_unstable();
        assert_eq!(files, expected);
    }
}
