//! A start that failed: what is in the way, and the ways out of it that keep everything.

use std::path::Path;

use skein_domain::error::{Error, Result};
use skein_platform::paths::Places;

use super::now;
use crate::settings::SettingsFile;
use crate::view::StartFault;

/// What the window shows instead of conversations.
pub fn fault(places: &Places, error: Error) -> StartFault {
    StartFault {
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
pub fn begin_with(places: &Places, backup: &str) -> Result<()> {
    skein_store::stage(places, Path::new(backup))
}

/// Has the next start begin with nothing; the database of before becomes a copy.
pub fn begin_anew(places: &Places) -> Result<()> {
    skein_store::begin_anew(places, now())
}
