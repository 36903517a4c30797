//! Replaces the program file of an AppImage, and puts the one before back. The file is whole at every moment:
//! each step is a link or a rename.
//!
//! Not here: systems whose own installer replaces the program (`update_installer`).

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use skein_domain::error::{Error, Result};
use skein_platform::atomic_file;

/// The file beside the program in which the version before is kept.
pub fn previous_program(program: &Path) -> PathBuf {
    let mut name: OsString = program.file_name().unwrap_or_default().to_owned();
    name.push(".previous");
    program.with_file_name(name)
}

/// Keeps the present program as [`previous_program`], without taking space where the disk has links.
///
/// # Errors
/// `DiskFull`, `Storage`; the program is unchanged.
pub fn keep_program(program: &Path) -> Result<()> {
    remove_previous(program)?;
    let previous = previous_program(program);
    let failed = |error: io::Error| Error::from_io(&previous, &error);
    if fs::hard_link(program, &previous).is_ok() {
        return Ok(());
    }
    let permissions = fs::metadata(program).map_err(failed)?.permissions();
    atomic_file::write(&previous, |file| {
        let copy = || {
            io::copy(&mut fs::File::open(program)?, file)?;
            file.set_permissions(permissions)
        };
        copy().map_err(failed)
    })
}

/// Removes [`previous_program`], if there is one.
///
/// # Errors
/// `DiskFull`, `Storage`.
pub fn remove_previous(program: &Path) -> Result<()> {
    let previous = previous_program(program);
    match fs::remove_file(&previous) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::from_io(&previous, &error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Replaces the program. The new file has the permissions of the old one. `before` runs when the content is
/// on the disk, before the rename: what fails earlier leaves the former way back.
///
/// # Errors
/// `DiskFull`, `Storage`, those of `before`; the program is unchanged.
pub fn replace_program(
    program: &Path,
    content: &[u8],
    before: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let failed = |error: io::Error| Error::from_io(program, &error);
    let permissions = fs::metadata(program).map_err(failed)?.permissions();
    atomic_file::write(program, |file| {
        let write = || {
            file.write_all(content)?;
            file.set_permissions(permissions)?;
            file.sync_all()
        };
        write().map_err(failed)?;
        before()
    })
}

/// Puts the version before in the place of the program.
///
/// # Errors
/// `Storage`; the program is unchanged.
pub fn restore_program(program: &Path) -> Result<()> {
    let failed = |error: io::Error| Error::from_io(program, &error);
    fs::rename(previous_program(program), program).map_err(failed)?;
    if let Err(error) = atomic_file::sync_folder(program.parent().unwrap_or(Path::new("."))) {
        tracing::warn!(%error, "a power cut may undo the return to the version before");
    }
    Ok(())
}
