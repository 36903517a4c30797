//! The errors that the user may see.
//!
//! One enum, with only the kinds that the UI distinguishes and only the data that its texts need. The texts
//! are in `ui/src/i18n`, the chain of causes is in the log. No variant contains a key.

mod file_error;

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::budget::BudgetStop;

pub use file_error::{FileError, FolderError};

/// A result whose error can be shown.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error that can be shown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Error {
    /// A turn already runs in this session.
    #[error("a turn already runs in this session")]
    Busy {},
    /// A compaction already runs in this session.
    #[error("a compaction already runs in this session")]
    Compacting {},
    /// Nothing was compacted on this path, or all of it was undone.
    #[error("no compaction applies here")]
    NothingToUndo {},
    /// No compaction of this path was undone, or another was made since.
    #[error("no compaction was undone here")]
    NothingToRedo {},
    /// The requested item does not exist.
    #[error("{what} not found")]
    NotFound {
        /// The kind of item, for example `session`; its text for the user is in `state/gone.ts`.
        what: String,
    },
    /// An argument that the UI never sends; the text is for a developer.
    #[error("invalid: {detail}")]
    Invalid {
        /// The problem.
        detail: String,
    },
    /// There is nothing to send.
    #[error("the message is empty")]
    EmptyMessage {},
    /// The message to answer is left out of the context.
    #[error("what is to be answered is left out of the context")]
    LeftOut {},
    /// A message that waits for its reply cannot be left out of the context.
    #[error("what waits for an answer cannot be left out of the context")]
    Unanswered {},
    /// No model is chosen, or its provider is gone.
    #[error("no model is chosen")]
    NoModel {},
    /// The provider has no key.
    #[error("{provider} has no key")]
    NoKey {
        /// The name of the provider.
        provider: String,
    },

    /// A budget is used up: the call did not leave.
    #[error("a budget is used up")]
    OverBudget {
        /// The budget, and how far it is used up.
        stop: Box<BudgetStop>,
    },

    /// No connection: no network, or no server at the address.
    #[error("{host} cannot be reached")]
    Unreachable {
        /// Host and port, never a path or a query.
        host: String,
    },
    /// The server closed the connection before it answered. It may have read the request.
    #[error("{host} closed the connection")]
    Disconnected {
        /// Host and port.
        host: String,
    },
    /// No connection to a server on this machine: it is not running.
    #[error("{host} does not answer: {provider} does not run")]
    NotRunning {
        /// Host and port.
        host: String,
        /// The name of the provider.
        provider: String,
    },
    /// The server did not answer in time.
    #[error("{host} did not answer in {seconds} s")]
    TimedOut {
        /// Host and port.
        host: String,
        /// The timeout in seconds.
        seconds: u32,
    },
    /// The key was refused.
    #[error("the key was not accepted ({status})")]
    Unauthorized {
        /// The HTTP status.
        status: u16,
        /// The provider's message, keys removed.
        message: String,
    },
    /// The account has no credit left; neither waiting nor another key of it helps.
    #[error("the account has no credit left")]
    Spent {
        /// The provider's message, keys removed.
        message: String,
    },
    /// The provider accepts the key but not the request: because of a region, a model or the content.
    #[error("not allowed")]
    Forbidden {
        /// The provider's message, keys removed.
        message: String,
    },
    /// The provider does not have the model, or not for this account.
    #[error("{model} is not offered")]
    UnknownModel {
        /// The id of the model.
        model: String,
        /// The provider's message, keys removed.
        message: String,
    },
    /// An endless reply was stopped; the text that had arrived is kept.
    #[error("the reply is longer than {limit} bytes")]
    ReplyTooLong {
        /// The limit in bytes.
        limit: u32,
    },
    /// Too many requests, also after the retries.
    #[error("rate limited")]
    RateLimited {
        /// The time until the next attempt, in milliseconds; `None`: the provider did not say.
        retry_after_ms: Option<u32>,
        /// The provider's message, keys removed.
        message: String,
    },
    /// The provider refused the request.
    #[error("refused ({status})")]
    Refused {
        /// The HTTP status; 200 for an error inside a stream.
        status: u16,
        /// The provider's message, shortened, keys removed.
        message: String,
    },
    /// A web page came instead of a reply: the address is wrong, or the network wants a sign-in.
    #[error("a web page, not a model")]
    WebPage {
        /// The page's title, shortened, keys removed; `None`: it has none.
        title: Option<String>,
    },
    /// The answer does not follow the expected protocol.
    #[error("not the expected protocol")]
    Protocol {
        /// The answer, shortened, keys removed.
        detail: String,
    },
    /// P09: the provider refused the prompt as too long.
    #[error("too long for the model")]
    TooLong {
        /// The limit in tokens; `None`: the provider did not say.
        limit: Option<u32>,
        /// The tokens that the provider counted; `None`: it did not say.
        actual: Option<u32>,
        /// True if asking for a shorter reply would suffice.
        output_only: bool,
        /// The provider's message, keys removed.
        message: String,
    },
    /// Law 1: what cannot be compacted is itself over the limit.
    #[error("stuck: {floor} tokens would be left at least, and {limit} is the limit")]
    Stuck {
        /// Tokens that no compaction can remove.
        floor: u32,
        /// The limit in tokens.
        limit: u32,
    },
    /// P07: the message does not fit, even without the history. It is back in the composer.
    #[error("with the message alone there are {tokens} tokens, the limit is {limit}")]
    MessageTooLong {
        /// Tokens of the message and of the prefix.
        tokens: u32,
        /// The limit in tokens.
        limit: u32,
    },
    /// The pinned messages would leave no room.
    #[error("pins would take {tokens} of {limit} tokens")]
    PinsTooLarge {
        /// Tokens of all pinned messages.
        tokens: u32,
        /// The limit for pinned messages, in tokens.
        limit: u32,
    },
    /// A compaction failed and changed nothing.
    #[error("not compacted: {reason:?}")]
    NotCompacted {
        /// The reason.
        reason: CompactionFailure,
    },

    /// The user is not signed in to an MCP server.
    #[error("not signed in: {reason:?}")]
    NotSignedIn {
        /// The reason.
        reason: SignInError,
    },

    /// The database was written by a newer version.
    #[error("the database has format {found}, and {known} is the newest known here")]
    DatabaseNewer {
        /// The path of the database.
        path: String,
        /// The format of the database: the number of its migration steps.
        found: u32,
        /// The newest format that this program knows.
        known: u32,
    },
    /// The database does not pass its integrity check.
    #[error("the database is damaged")]
    DatabaseDamaged {
        /// The path of the database.
        path: String,
        /// The latest backup; `None`: there is none.
        backup: Option<String>,
    },
    /// The schema of the database contains an object that no version of the program creates.
    #[error("the database has a foreign schema: {object}")]
    DatabaseForeign {
        /// The path of the database.
        path: String,
        /// The object: its kind and its name.
        object: String,
    },
    /// Another program locks the database.
    #[error("the database is locked")]
    DatabaseLocked {
        /// The path of the database.
        path: String,
    },
    /// No space is left, the disk is read-only, or the user may not write there.
    #[error("the disk cannot be written")]
    DiskFull {
        /// The path that was written.
        path: String,
    },
    /// The open database, or its folder, was moved, deleted or replaced: writes would be lost.
    #[error("the database is no longer at {path}")]
    DatabaseMoved {
        /// The path where it was.
        path: String,
    },
    /// The disk reports an input/output error: it may be about to fail.
    #[error("the disk reports an input/output error")]
    DiskFailing {
        /// The path that was read or written.
        path: String,
    },
    /// Any other error of a file or of the database.
    #[error("storage: {detail}")]
    Storage {
        /// Details for a report.
        detail: String,
    },
    /// The settings file cannot be read; it stays as it is.
    #[error("the settings file cannot be read")]
    SettingsBroken {
        /// The path of the file.
        path: String,
        /// The problem, with line and column.
        detail: String,
    },
    /// The keychain returned an error.
    #[error("the keychain refused: {detail}")]
    Keychain {
        /// The message of the keychain.
        detail: String,
    },
    /// A tool or an MCP server failed.
    #[error("tool: {detail}")]
    Tool {
        /// The message of the tool.
        detail: String,
    },
    /// The folder that the user chose is unsuitable.
    #[error("{path} cannot be a session's folder: {fault:?}")]
    BadFolder {
        /// The path as the user wrote it.
        path: String,
        /// The reason.
        fault: FolderError,
    },
    /// A file cannot be imported or attached.
    #[error("{name}: {fault:?}")]
    BadFile {
        /// The name of the file.
        name: String,
        /// The reason.
        fault: FileError,
    },
}

impl Error {
    /// True if a write failed that may succeed later.
    pub fn is_unwritable(&self) -> bool {
        matches!(
            self,
            Self::DatabaseLocked { .. }
                | Self::DiskFull { .. }
                | Self::DatabaseMoved { .. }
                | Self::DiskFailing { .. }
                | Self::Storage { .. }
        )
    }

    /// The error for an IO error of a file.
    pub fn from_io(path: &Path, error: &io::Error) -> Self {
        use io::ErrorKind::{
            FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
        };
        let path = path.display().to_string();
        match error.kind() {
            StorageFull | ReadOnlyFilesystem | QuotaExceeded | FileTooLarge | PermissionDenied => {
                Self::DiskFull { path }
            }
            _ if is_of_the_disk(error) => Self::DiskFailing { path },
            _ => Self::Storage { detail: format!("{path}: {error}") },
        }
    }
}

/// True if the device itself could not read or write.
fn is_of_the_disk(error: &io::Error) -> bool {
    // EIO; on Windows, from `winerror.h`: ERROR_CRC, ERROR_SECTOR_NOT_FOUND, ERROR_WRITE_FAULT,
    // ERROR_READ_FAULT, ERROR_IO_DEVICE.
    let codes: &[i32] = if cfg!(windows) { &[23, 27, 29, 30, 1117] } else { &[5] };
    error.raw_os_error().is_some_and(|code| codes.contains(&code))
}

/// The reason why the user is not signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SignInError {
    /// The user, or the sign-in service, declined in the browser.
    Declined {},
    /// The user cancelled it.
    Cancelled {},
    /// The browser did not return in time.
    TimedOut {},
    /// The server, or its sign-in service, does not follow the specification.
    Failed {
        /// Details for a developer.
        detail: String,
    },
}

/// The reason why a compaction failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CompactionFailure {
    /// No message is old enough to be covered.
    NothingToCover,
    /// The summary is empty.
    Empty,
    /// The summary is not shorter than the messages it replaces.
    NotShorter,
    /// The summary was cut off by the output limit.
    CutOff,
    /// The compaction would have gained less than a tenth, or too little for the call to fit.
    TooLittleGained,
    /// The covered messages changed meanwhile.
    Changed,
    /// The user cancelled it.
    Cancelled,
    /// All summary models failed.
    ModelFailed,
    /// A budget is used up: no summary was asked for.
    OverBudget,
}
