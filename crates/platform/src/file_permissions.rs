//! Restricts the program's folders and files to the user, including those that earlier versions
//! created.
//!
//! New ones are created so (`atomic_file::create_private_folder`, `write_private`). On Windows the
//! user's profile keeps others out. Not here: files that the user writes into these folders, which
//! the folder's own mode covers.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::atomic_file::allow_missing;
use crate::paths::AppPaths;

/// The name prefixes of the program's own files that lie directly in one of its folders.
const OWN_PREFIXES: [&str; 6] =
    ["skein.", "skein-restore.", "settings.", "secrets.json", "installation", "window.json"];

/// Removes the access of all other users to the program's folders and files. A mode that the system
/// refuses to set stays as it is: some file systems have no modes.
pub fn restrict(places: &AppPaths) {
    if cfg!(not(unix)) {
        return;
    }
    for folder in [&places.config, &places.data, &places.cache] {
        if !is_shared(folder) {
            restrict_path(folder, 0o700);
        }
        for file in files(folder).filter(|file| is_own(file)) {
            restrict_path(&file, 0o600);
        }
    }
    for folder in [places.backups(), places.archive()] {
        restrict_path(&folder, 0o700);
        for file in files(&folder) {
            restrict_path(&file, 0o600);
        }
    }
}

/// True if a folder named by the user also holds other things: the home folder, the program itself,
/// or a public folder.
fn is_shared(folder: &Path) -> bool {
    let holds = |other: Option<PathBuf>| {
        let other = other.and_then(|other| other.canonicalize().ok());
        let folder = folder.canonicalize();
        other.zip(folder.ok()).is_some_and(|(other, folder)| other.starts_with(folder))
    };
    is_sticky(folder) || holds(std::env::home_dir()) || holds(std::env::current_exe().ok())
}

#[cfg(unix)]
fn is_sticky(folder: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(folder).is_ok_and(|metadata| metadata.permissions().mode() & 0o1000 != 0)
}

#[cfg(not(unix))]
fn is_sticky(_: &Path) -> bool {
    false
}

fn is_own(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| OWN_PREFIXES.iter().any(|own| name.starts_with(own)))
}

/// The plain files of a folder, without links: the target of a link is not the program's.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let plain = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    plain.map(|entry| entry.path())
}

/// Sets the mode of a file or folder. A refusal of the system is logged.
fn restrict_path(path: &Path, mode: u32) {
    if let Err(error) = allow_missing(set_mode(path, mode)) {
        tracing::warn!(%error, path = %path.display(), "others may still read a file");
    }
}

/// Sets the mode of a file or folder, unless it has it. Windows has no modes.
#[cfg(unix)]
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = fs::metadata(path)?.permissions();
    if permissions.mode() & 0o777 == mode {
        return Ok(());
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_an_earlier_version_made_for_everybody_is_the_users_alone() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("skein");
        let places = AppPaths::in_folder(&folder);
        let files = [
            "skein.db",
            "skein.db-wal",
            "skein.lock",
            "skein.log",
            "skein.log.old",
            "settings.json",
            "backups/skein-v1-20270115T080000Z.db",
            "backups/my-own-kept.db",
            "archive/1_2.json",
        ];
        let folders = ["", "backups", "archive", "cache"].map(|name| folder.join(name));
        for folder in &folders {
            fs::create_dir(folder).unwrap();
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for file in files.iter().chain(&["notes.md"]) {
            fs::write(folder.join(file), "wool").unwrap();
            let mode = fs::Permissions::from_mode(0o644);
            fs::set_permissions(folder.join(file), mode).unwrap();
        }
        restrict(&places);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        for folder in &folders {
            assert_eq!(mode(folder), 0o700, "{}", folder.display());
        }
        for file in files {
            assert_eq!(mode(&folder.join(file)), 0o600, "{file}");
        }
        assert_eq!(mode(&folder.join("notes.md")), 0o644, "it is not the program's");
    }

    #[test]
    fn a_folder_that_others_share_stays_as_it_is() {
        let root = tempfile::tempdir().unwrap();
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o1777)).unwrap();
        fs::write(root.path().join("skein.db"), "").unwrap();
        restrict(&AppPaths::in_folder(root.path()));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        assert_eq!(mode(root.path()), 0o1777);
        assert_eq!(mode(&root.path().join("skein.db")), 0o600);
        assert!(is_shared(&std::env::current_exe().unwrap().parent().unwrap().join(".")));
    }
}
