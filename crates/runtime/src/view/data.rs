//! Where the person's data is.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Where everything is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlacesView {
    /// Folder of the settings, skills and memory.
    pub config: String,
    /// Folder of the database, the archive and the copies.
    pub data: String,
    /// The database.
    pub database: String,
    /// Copies of the database, the newest first.
    pub backups: Vec<String>,
}
