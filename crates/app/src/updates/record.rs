//! The files about updates that outlive a version: the update that led here, and the return from one. An
//! earlier or later version reads them, so fields are only added.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use skein_domain::error::{Error, Result};
use skein_platform::atomic_file;
use skein_platform::paths::AppPaths;

use super::file_name;
use super::update_installer::{Release, UpdateInstaller};

/// The last update of an AppImage or a package. It is written before the program is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdateRecord {
    /// The version before.
    pub from: String,
    /// The version that was installed.
    pub to: String,
    /// The file name of the backup of the database of the version before.
    pub backup: String,
    /// The newest version of Skein's conversation files that the version before can import.
    pub conversations: u32,
}

impl UpdateRecord {
    /// The record of an update from the running version, with this backup of its database.
    pub fn of(installer: &dyn UpdateInstaller, release: &Release, backup: &Path) -> Self {
        Self {
            from: installer.version(),
            to: release.version.clone(),
            backup: file_name(backup),
            conversations: skein_transfer::VERSION,
        }
    }
}

/// The update to a package that is downloaded and not installed. At the start of its version it becomes the
/// last update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PendingUpdate(pub UpdateRecord);

/// A return to the version before an update. It is written before that version is put back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReturnRecord {
    /// The version that was left.
    pub from: String,
    /// The time, in milliseconds since the epoch; 0 in a record of an earlier version.
    #[serde(default)]
    pub at: i64,
    /// The file name of the export of the changed sessions; `None`: none had changed.
    pub export: Option<String>,
    /// The number of these sessions.
    pub sessions: u32,
}

/// A record with a file of its own in the folder of updates.
pub trait Record: Serialize + DeserializeOwned {
    /// The name of the file.
    const FILE: &str;

    /// The file of this record.
    fn file(places: &AppPaths) -> PathBuf {
        places.updates().join(Self::FILE)
    }

    /// The record; `None` if there is none or it cannot be read.
    fn read(places: &AppPaths) -> Option<Self> {
        serde_json::from_slice(&fs::read(Self::file(places)).ok()?).ok()
    }

    /// Writes the record. It is on the disk when this returns.
    fn write(&self, places: &AppPaths) -> Result<()> {
        let json = serde_json::to_vec(self)
            .map_err(|error| Error::Storage { detail: error.to_string() })?;
        atomic_file::write_private(&Self::file(places), &json)
    }

    /// Removes the record, if there is one.
    fn remove(places: &AppPaths) -> Result<()> {
        let file = Self::file(places);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::from_io(&file, &error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

impl Record for UpdateRecord {
    const FILE: &str = "update.json";
}

impl Record for PendingUpdate {
    const FILE: &str = "pending-update.json";
}

impl Record for ReturnRecord {
    const FILE: &str = "return.json";
}
