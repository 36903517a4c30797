//! The packages that the system's package manager installs: the downloaded one, and that of the version
//! before, for the way back.

use std::fs;
use std::path::{Path, PathBuf};

use skein_domain::error::Result;
use skein_platform::atomic_file;
use skein_platform::paths::AppPaths;
use skein_store::BackupReason;

use super::file_name;
use super::record::{PendingUpdate, Record, ReturnRecord, UpdateRecord};
use super::update_installer::{PackageKind, UpdateInstaller};

/// The extension of a package that is being made.
pub const UNFINISHED_PACKAGE: &str = "unfinished";
/// The extension of the folder from whose contents a package is made.
pub const PACKAGE_CONTENTS: &str = "contents";

/// Keeps a package for the package manager, and the package of the running version for the way back, if the
/// system can make it. Returns the command for a terminal.
///
/// # Errors
/// `DiskFull`, `Storage`; there is no update then.
pub fn keep(
    places: &AppPaths,
    installer: &dyn UpdateInstaller,
    record: UpdateRecord,
    kind: PackageKind,
    package: &[u8],
) -> Result<String> {
    let file = package_file(places, &record.to, kind);
    let write = || {
        atomic_file::write_private(&file, package)?;
        let before = package_file(places, &record.from, kind);
        if !before.is_file()
            && let Err(error) = installer.pack_installed(&before)
        {
            tracing::warn!(%error, "the package of this version is not kept");
        }
        PendingUpdate(record).write(places)
    };
    let written = write();
    // After a failure, too: the packages may have filled the disk.
    remove_old_packages(places);
    written.map(|()| install_command(kind, &file))
}

/// The file in which the package of a version is kept.
pub fn package_file(places: &AppPaths, version: &str, kind: PackageKind) -> PathBuf {
    places.updates().join(format!("skein-{version}.{}", kind.extension()))
}

/// The command that installs a newer package.
fn install_command(kind: PackageKind, file: &Path) -> String {
    let manager = match kind {
        PackageKind::Deb => "apt install",
        PackageKind::Rpm => "rpm -U",
    };
    command(manager, file)
}

/// The command for a terminal that puts an older package back.
pub fn downgrade_command(kind: PackageKind, file: &Path) -> String {
    let manager = match kind {
        PackageKind::Deb => "apt install --allow-downgrades",
        PackageKind::Rpm => "rpm -U --oldpackage",
    };
    command(manager, file)
}

fn command(manager: &str, file: &Path) -> String {
    let path = file.display().to_string().replace('\'', r"'\''");
    format!("sudo {manager} '{path}'")
}

/// Takes note, at the start of a version, that the package manager has installed it. Call it once the store
/// is open, before this version makes a copy of its own for an update.
pub fn note_installation(places: &AppPaths, version: &str) {
    let Some(PendingUpdate(mut record)) =
        PendingUpdate::read(places).filter(|PendingUpdate(record)| record.to == version)
    else {
        return;
    };
    record.backup = newest_backup_before(places, &record);
    if let Err(error) = record.write(places).and_then(|()| PendingUpdate::remove(places)) {
        tracing::warn!(%error, "there is no way back from this update");
    }
}

/// Removes, in the version to which a return led, the record of the update to the version that was left.
pub fn forget_left_version(places: &AppPaths, version: &str) {
    let left = ReturnRecord::read(places).map(|returned| returned.from);
    let is_of_left = |record: UpdateRecord| Some(record.to) == left;
    if left.as_deref() != Some(version)
        && UpdateRecord::read(places).is_some_and(is_of_left)
        && let Err(error) = UpdateRecord::remove(places)
    {
        tracing::warn!(%error, "the record of the update stays");
    }
}

/// Removes the packages that neither an update nor the way back needs, and what a kill left of the making of
/// one. Call it only while none is being made.
pub fn remove_old_packages(places: &AppPaths) {
    let records = [UpdateRecord::read(places), PendingUpdate::read(places).map(|it| it.0)];
    let versions: Vec<_> = records.into_iter().flatten().flat_map(|it| [it.from, it.to]).collect();
    let kinds = [PackageKind::Deb, PackageKind::Rpm];
    let is_needed = |file: &Path| {
        let needed =
            |version| kinds.iter().any(|kind| package_file(places, version, *kind) == file);
        versions.iter().any(|version| needed(version))
    };
    let entries = fs::read_dir(places.updates()).into_iter().flatten().flatten();
    for file in entries.map(|entry| entry.path()) {
        let ending = file.extension().unwrap_or_default();
        let is_package = kinds.iter().any(|kind| ending == kind.extension());
        let removed = if ending == PACKAGE_CONTENTS {
            fs::remove_dir_all(&file)
        } else if ending == UNFINISHED_PACKAGE || is_package && !is_needed(&file) {
            fs::remove_file(&file)
        } else {
            Ok(())
        };
        if let Err(error) = removed {
            tracing::warn!(%error, "an old package stays");
        }
    }
}

/// The file name of the backup of the version before. The version after copies the database before it
/// migrates it; that copy is newer than the one of the download. The names of both begin with the version of
/// the schema.
fn newest_backup_before(places: &AppPaths, record: &UpdateRecord) -> String {
    let schema = |name: &str| name.split('-').nth(1).map(str::to_owned);
    let wanted = schema(&record.backup);
    let copies = skein_store::backups(places).into_iter();
    copies
        .filter(|copy| copy.reason == BackupReason::Update)
        .map(|copy| file_name(Path::new(&copy.path)))
        .find(|name| schema(name) == wanted && *name >= record.backup)
        .unwrap_or_else(|| record.backup.clone())
}
