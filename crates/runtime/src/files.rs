//! A file that is there whole or not at all: what leaves the program is written this way.
//!
//! Not here: the database, which keeps itself whole (`store`).

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use crate::error::{Error, Result};
use crate::steps::Step;

/// Writes beside `path`, then over it: a reader, or a power cut, meets the old file or the new one.
/// A file that is a link keeps being one. When this returns, the file is on the disk.
///
/// # Errors
/// `DiskFull`, `Storage`, or what `fill` says; what was there before stays.
pub fn write(path: &Path, fill: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let told = |error: io::Error| Error::of_file(path, &error);
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().unwrap_or(Path::new("."));
    // Made as any new file is, so that whoever may read the person's files may read this one.
    let half =
        tempfile::Builder::new().prefix(".skein-").make_in(folder, |path| File::create_new(path));
    let mut half = half.map_err(told)?;
    Step::FileBegun.done();
    fill(half.as_file_mut())?;
    Step::FileFilled.done();
    half.as_file().sync_all().map_err(told)?;
    Step::FileSynced.done();
    half.persist(&target).map_err(|failed| told(failed.error))?;
    Step::FileNamed.done();
    sync_folder(folder).map_err(told)?;
    Step::FolderSynced.done();
    Ok(())
}

/// The same with the content at hand.
///
/// # Errors
/// Those of [`write`].
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, |file| file.write_all(bytes).map_err(|error| Error::of_file(path, &error)))
}

/// A rename is on the disk only when its folder is. Windows has no such thing as a folder's sync.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(windows) { Ok(()) } else { File::open(folder)?.sync_all() }
}
