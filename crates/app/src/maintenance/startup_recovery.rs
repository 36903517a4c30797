//! A start that failed: its error, and the ways out of it that keep all data.

use std::path::Path;

use skein_domain::error::{Error, Result};
use skein_platform::paths::AppPaths;

use crate::clock::now;
use crate::settings::SettingsFile;
use crate::view::StartupError;

/// The data that the UI shows instead of conversations.
pub fn startup_error(places: &AppPaths, error: Error) -> StartupError {
    StartupError {
        error,
        appearance: SettingsFile::open(places).get().appearance,
        folder: places.data.display().to_string(),
        backups: skein_store::backups(places),
    }
}

/// Makes the next start use this backup; the current database becomes a backup.
///
/// # Errors
/// Those of [`skein_store::stage_restore`]; nothing is changed then.
pub fn stage_backup(places: &AppPaths, backup: &str) -> Result<()> {
    skein_store::stage_restore(places, Path::new(backup))
}

/// Makes the next start use an empty database; the current database becomes a backup.
pub fn stage_empty_database(places: &AppPaths) -> Result<()> {
    skein_store::reset_database(places, now())
}
