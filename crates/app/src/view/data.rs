//! Views of the user's data: the locations, an import, items in quarantine.

use serde::{Deserialize, Serialize};
use skein_domain::error::Error;
use skein_domain::ids::SessionId;
use skein_store::{Backup, InterruptedImport, QuarantineId, QuarantinedItem};
use skein_transfer::ImportReport;
use specta::Type;

use crate::settings::Appearance;

/// The locations of the user's data, and their problems.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DataLocations {
    /// The folder of the settings, skills, prompts and memory.
    pub config: String,
    /// The folder of the database, the archive and the backups.
    pub data: String,
    /// The database file.
    pub database: String,
    /// The backups of the database, newest first.
    pub backups: Vec<Backup>,
    /// The damage of the open database; `None`: none was found.
    pub damage: Option<Error>,
    /// The error that keeps today's backup from being made; `None`: there is none.
    pub uncopied: Option<Error>,
    /// The interrupted import whose data was removed when the program started; `None`: no import was
    /// interrupted.
    pub cut_import: Option<InterruptedImport>,
    /// The error that the database file is no longer where it was opened; `None`: it is.
    pub moved: Option<Error>,
}

/// An item of a foreign database that the user has not decided on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QuarantineView {
    /// The id of the database in quarantine.
    pub id: QuarantineId,
    /// The session in which it would apply; `None`: in all sessions.
    pub session: Option<SessionId>,
    /// The permission that it would give.
    pub permit: QuarantinedItem,
    /// For a consent to start an MCP server: the server. `None`: it is another item.
    pub start: Option<QuarantinedStart>,
}

/// The program that a consent would start on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum QuarantinedStart {
    /// A server in the settings has this command.
    Server {
        /// The whole command, or the address, as the question before a start shows it.
        command: String,
        /// The variables of the program's own environment that it would get, if they are set.
        environment: Vec<String>,
        /// Secrets that were removed from it earlier, in places that may name the program itself.
        unseen: Vec<String>,
    },
    /// No server in the settings has this command: the consent starts nothing.
    Nothing {},
}

/// The progress of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ImportStatus {
    /// No import was started, or the last one added nothing.
    Idle {},
    /// The file is being read.
    Reading {
        /// The name of the file.
        name: String,
    },
    /// The conversations are being stored.
    Adding {
        /// The name of the file.
        name: String,
        /// The number of conversations so far.
        done: u32,
        /// The number of conversations in the file.
        total: u32,
    },
    /// The import has ended.
    Ended {
        /// The name of the file.
        name: String,
        /// The result of each conversation, in the order of the file.
        reports: Vec<ImportReport>,
    },
}

impl Default for ImportStatus {
    fn default() -> Self {
        Self::Idle {}
    }
}

/// The error of a program that could not start, as its window shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct StartupError {
    pub error: Error,
    /// The appearance of the app window; the settings are not in the database.
    pub appearance: Appearance,
    /// The folder of the database.
    pub folder: String,
    /// The backups of the database, newest first.
    pub backups: Vec<Backup>,
}
