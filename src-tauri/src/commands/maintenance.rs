//! The user's data: folders, backups and restoring.

use skein_app::view::{DataLocations, QuarantineView};
use skein_store::{BackupContent, ContactedHost, QuarantineDecision, QuarantineId};
use tauri::AppHandle;

use crate::commands::{AppState, Result, commands};

commands! {
    /// The folders of all data.
    fn places() -> DataLocations => maintenance.data_locations;

    /// Makes a backup; returns its path.
    fn back_up() -> String => maintenance.back_up;

    /// Copies everything into a file, also after the database was moved or deleted.
    fn save_copy(path: String) -> () => maintenance.save_copy;

    /// Writes replies that could not be stored into a file.
    fn save_unstored(path: String) -> () => unstored.save;

    /// The content of a file that is to replace the database.
    fn examine_backup(path: String) -> BackupContent => maintenance.examine_backup;
}

/// Restarts the program with this backup; the present database becomes a backup.
#[tauri::command]
#[specta::specta]
pub async fn restore(app: AppHandle, host: AppState<'_>, path: String) -> Result<()> {
    host.maintenance.restore(path).await?;
    app.request_restart();
    Ok(())
}

commands! {
    /// Every host ever contacted.
    fn hosts() -> Vec<ContactedHost> => store.hosts;

    /// The undecided permissions of a foreign database.
    fn quarantine() -> Vec<QuarantineView> => quarantine.list;

    /// Decides on several of them at once.
    fn decide_quarantine(ids: Vec<QuarantineId>, decision: QuarantineDecision) -> ()
        => quarantine.decide;
}
