//! Where the person's data is, and what comes into it.

use serde::{Deserialize, Serialize};
use skein_domain::error::Error;
use skein_domain::ids::SessionId;
use skein_store::{Backup, InterruptedImport, QuarantineId, QuarantinedItem};
use skein_transfer::ImportReport;
use specta::Type;

use crate::settings::Appearance;

/// Where everything is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DataLocations {
    /// Folder of the settings, skills, prompts and memory.
    pub config: String,
    /// Folder of the database, the archive and the copies.
    pub data: String,
    /// The database.
    pub database: String,
    /// Copies of the database, the newest first.
    pub backups: Vec<Backup>,
    /// What is wrong with the database, where something was found while it is open.
    pub damage: Option<Error>,
    /// Why the day's copy could not be made, for as long as it is so.
    pub uncopied: Option<Error>,
    /// What this start took out of an import that was cut off; `None`: none was.
    pub cut_import: Option<InterruptedImport>,
    /// That the database is no longer where it was opened, for as long as it is so.
    pub moved: Option<Error>,
}

/// Something in a database from elsewhere that the user has not decided on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QuarantineView {
    /// Its id.
    pub id: QuarantineId,
    /// In which session it would hold; `None`: in every one.
    pub session: Option<SessionId>,
    /// What it would allow.
    pub permit: QuarantinedItem,
    /// Of a consent to start an MCP server: what it would start; `None`: it is something else.
    pub start: Option<QuarantinedStart>,
}

/// What a consent to start an MCP server would start on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum QuarantinedStart {
    /// A server in the settings runs exactly what was agreed to.
    Server {
        /// The whole command, or the address, as the question before a start shows it.
        command: String,
        /// The variables of Skein's own environment that it would be given, where they are set.
        environment: Vec<String>,
        /// Values that were taken out of it earlier and stand where the program itself may be named.
        unseen: Vec<String>,
    },
    /// No server in the settings runs what was agreed to: the consent starts nothing.
    Nothing {},
}

/// How far an import is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ImportStatus {
    /// None was begun, or the last one left nothing.
    Idle {},
    /// The file is being read.
    Reading {
        /// Of the file.
        name: String,
    },
    /// Its conversations are being stored.
    Adding {
        /// Of the file.
        name: String,
        /// Conversations so far.
        done: u32,
        /// Conversations in the file.
        total: u32,
    },
    /// All of it was looked at.
    Ended {
        /// Of the file.
        name: String,
        /// What became of each conversation, in the order of the file.
        reports: Vec<ImportReport>,
    },
}

impl Default for ImportStatus {
    fn default() -> Self {
        Self::Idle {}
    }
}

/// The program could not be opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct StartupError {
    /// Why.
    pub error: Error,
    /// How the window looks; the settings are not in the database.
    pub appearance: Appearance,
    /// Where the database is.
    pub folder: String,
    /// Copies of the database, the newest first.
    pub backups: Vec<Backup>,
}
