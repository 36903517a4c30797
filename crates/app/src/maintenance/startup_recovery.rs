//! A start that failed: what is in the way, and the ways out of it that keep everything.

use std::path::Path;

use skein_domain::error::{Error, Result};
use skein_platform::paths::AppPaths;

use crate::clock::now;
use crate::settings::SettingsFile;
use crate::view::StartupError;

/// What the window shows instead of conversations.
pub fn startup_error(places: &AppPaths, error: Error) -> StartupError {
    StartupError {
        error,
        appearance: SettingsFile::open(places).get().appearance,
        folder: places.data.display().to_string(),
        backups: skein_store::backups(places),
    }
}

/// Has the next start begin with this copy; the database of before becomes a copy.
///
/// # Errors
/// Those of [`skein_store::stage`]; nothing is changed then.
pub fn stage_backup(places: &AppPaths, backup: &str) -> Result<()> {
    skein_store::stage_restore(places, Path::new(backup))
}

/// Has the next start begin with nothing; the database of before becomes a copy.
pub fn stage_empty_database(places: &AppPaths) -> Result<()> {
    skein_store::reset_database(places, now())
}
