//! A start that failed: what is in the way, and the ways out of it that keep everything.

use std::path::Path;

use super::now;
use crate::error::{Error, Result};
use crate::places::Places;
use crate::settings::SettingsFile;
use crate::store;
use crate::view::StartFault;

/// What the window shows instead of conversations.
pub fn fault(places: &Places, error: Error) -> StartFault {
    StartFault {
        error,
        appearance: SettingsFile::open(places).get().appearance,
        folder: places.data.display().to_string(),
        backups: store::backups(places),
    }
}

/// Has the next start begin with this copy; the database of before becomes a copy.
///
/// # Errors
/// Those of [`store::stage`]; nothing is changed then.
pub fn begin_with(places: &Places, backup: &str) -> Result<()> {
    store::stage(places, Path::new(backup))
}

/// Has the next start begin with nothing; the database of before becomes a copy.
pub fn begin_anew(places: &Places) -> Result<()> {
    store::begin_anew(places, now())
}
