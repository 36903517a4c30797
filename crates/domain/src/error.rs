//! What can go wrong, as the user will be told.
//!
//! One enum, with only the kinds the window acts upon and only the data its sentences need: the
//! words are in `ui/src/i18n`, the chain of causes is in the log. No variant ever holds a key.

mod file_error;

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use specta::Type;

pub use file_error::{FileError, FolderError};

/// A result whose error can be shown.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong.
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
    /// What was asked for is gone.
    #[error("{what} not found")]
    NotFound {
        /// For example `session`; in words for the user in `state/gone.ts`.
        what: String,
    },
    /// An argument no window sends; in words for a developer.
    #[error("invalid: {detail}")]
    Invalid {
        /// What is wrong with it.
        detail: String,
    },
    /// Nothing to send.
    #[error("the message is empty")]
    EmptyMessage {},
    /// What is to be answered is left out of the context.
    #[error("what is to be answered is left out of the context")]
    LeftOut {},
    /// What waits for an answer cannot be left out of the context.
    #[error("what waits for an answer cannot be left out of the context")]
    Unanswered {},
    /// No model is chosen, or its provider is gone.
    #[error("no model is chosen")]
    NoModel {},
    /// The provider has no key.
    #[error("{provider} has no key")]
    NoKey {
        /// Name of the provider.
        provider: String,
    },

    /// Nothing answers: no network, or no server there.
    #[error("{host} cannot be reached")]
    Unreachable {
        /// Host and port, never a path or a query.
        host: String,
    },
    /// Nothing answers on this machine: the server there does not run.
    #[error("{host} does not answer: {provider} does not run")]
    NotRunning {
        /// Host and port.
        host: String,
        /// Name of the provider.
        provider: String,
    },
    /// It did not answer in time.
    #[error("{host} did not answer in {seconds} s")]
    TimedOut {
        /// Host and port.
        host: String,
        /// How long was waited.
        seconds: u32,
    },
    /// The key was not accepted.
    #[error("the key was not accepted ({status})")]
    Unauthorized {
        /// HTTP status.
        status: u16,
        /// The provider's words, keys removed.
        message: String,
    },
    /// The account has no credit left: neither waiting nor another key of it helps.
    #[error("the account has no credit left")]
    Spent {
        /// The provider's words, keys removed.
        message: String,
    },
    /// The provider knows the key and does not allow this: a region, a model, what was said.
    #[error("not allowed")]
    Forbidden {
        /// The provider's words, keys removed.
        message: String,
    },
    /// The provider has no such model, or no longer, or not for this account.
    #[error("{model} is not offered")]
    UnknownModel {
        /// The id it was asked for by.
        model: String,
        /// The provider's words, keys removed.
        message: String,
    },
    /// A reply that did not end was stopped; what had arrived is kept.
    #[error("the reply is longer than {limit} bytes")]
    ReplyTooLong {
        /// How much is taken, in bytes.
        limit: u32,
    },
    /// Too many requests, also after the retries.
    #[error("rate limited")]
    RateLimited {
        /// When it may be tried again; `None` when the provider did not say.
        retry_after_ms: Option<u32>,
        /// The provider's words, keys removed.
        message: String,
    },
    /// The provider refused the request.
    #[error("refused ({status})")]
    Refused {
        /// HTTP status; 200 for an error inside a stream.
        status: u16,
        /// The provider's words, keys removed, shortened.
        message: String,
    },
    /// A web page came instead of an answer: another address, or a network that wants a sign-in.
    #[error("a web page, not a model")]
    WebPage {
        /// The page's title, shortened, keys removed; `None` where it has none.
        title: Option<String>,
    },
    /// Not the protocol that was expected.
    #[error("not the expected protocol")]
    Protocol {
        /// What came instead, shortened, keys removed.
        detail: String,
    },
    /// P09: the provider says the context is too long.
    #[error("too long for the model")]
    TooLong {
        /// Its limit in tokens, where it said so.
        limit: Option<u32>,
        /// The tokens it counted, where it said so.
        actual: Option<u32>,
        /// Whether asking for a shorter answer would suffice.
        output_only: bool,
        /// The provider's words, keys removed.
        message: String,
    },
    /// Law 1: what cannot be compacted is itself over the limit.
    #[error("stuck: {floor} tokens would be left at least, and {limit} is the limit")]
    Stuck {
        /// Tokens that no compaction can remove.
        floor: u32,
        /// Tokens that may be used.
        limit: u32,
    },
    /// P07: the message does not fit, even alone with what is always sent. It is for the composer again.
    #[error("with the message alone there are {tokens} tokens, the limit is {limit}")]
    MessageTooLong {
        /// Tokens of the message and of what is always sent.
        tokens: u32,
        /// Tokens that may be used.
        limit: u32,
    },
    /// Pins would leave no room.
    #[error("pins would take {tokens} of {limit} tokens")]
    PinsTooLarge {
        /// Tokens all pins would take.
        tokens: u32,
        /// Tokens pins may take.
        limit: u32,
    },
    /// A compaction was not accepted or changed nothing.
    #[error("not compacted: {reason:?}")]
    NotCompacted {
        /// Why.
        reason: CompactionFailure,
    },

    /// Nobody is signed in to an MCP server now.
    #[error("not signed in: {reason:?}")]
    NotSignedIn {
        /// Why.
        reason: SignInError,
    },

    /// The database was written by a newer version.
    #[error("the database has format {found}, and {known} is the newest known here")]
    DatabaseNewer {
        /// Where it is.
        path: String,
        /// The number of its format: how many steps of the schema it has seen.
        found: u32,
        /// The newest format this program knows.
        known: u32,
    },
    /// The database does not pass its integrity check.
    #[error("the database is damaged")]
    DatabaseDamaged {
        /// Where it is.
        path: String,
        /// The latest copy, if any.
        backup: Option<String>,
    },
    /// There is something in the schema of the database that no version of the program makes.
    #[error("the database has a foreign schema: {object}")]
    DatabaseForeign {
        /// Where it is.
        path: String,
        /// What there is: its kind and its name.
        object: String,
    },
    /// Another program holds the database.
    #[error("the database is locked")]
    DatabaseLocked {
        /// Where it is.
        path: String,
    },
    /// No space is left, the disk is read-only, or the user may not write there.
    #[error("the disk cannot be written")]
    DiskFull {
        /// Where it was written.
        path: String,
    },
    /// The database, or its folder, was moved, deleted or replaced while it is open: what is written would
    /// be lost.
    #[error("the database is no longer at {path}")]
    DatabaseMoved {
        /// Where it was.
        path: String,
    },
    /// The disk reports an input/output error: it may be about to fail.
    #[error("the disk reports an input/output error")]
    DiskFailing {
        /// What was read or written there.
        path: String,
    },
    /// Any other fault of a file or of the database.
    #[error("storage: {detail}")]
    Storage {
        /// For a report.
        detail: String,
    },
    /// The settings file cannot be read; it is left as it is.
    #[error("the settings file cannot be read")]
    SettingsBroken {
        /// Where it is.
        path: String,
        /// What is wrong, with line and column.
        detail: String,
    },
    /// The keychain refused.
    #[error("the keychain refused: {detail}")]
    Keychain {
        /// Its words.
        detail: String,
    },
    /// A tool or an MCP server failed, in words.
    #[error("tool: {detail}")]
    Tool {
        /// Its words.
        detail: String,
    },
    /// The folder the user chose cannot be a session's.
    #[error("{path} cannot be a session's folder: {fault:?}")]
    BadFolder {
        /// As it was written.
        path: String,
        /// Why.
        fault: FolderError,
    },
    /// A file to import or to attach cannot be used.
    #[error("{name}: {fault:?}")]
    BadFile {
        /// Its name.
        name: String,
        /// What is wrong with it.
        fault: FileError,
    },
}

impl Error {
    /// Whether something could not be stored that may be stored later, once there is room.
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

    /// The kind of a file's error.
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

/// Whether the device itself could not read or write.
fn is_of_the_disk(error: &io::Error) -> bool {
    // EIO; on Windows, from `winerror.h`: ERROR_CRC, ERROR_SECTOR_NOT_FOUND, ERROR_WRITE_FAULT,
    // ERROR_READ_FAULT, ERROR_IO_DEVICE.
    let codes: &[i32] = if cfg!(windows) { &[23, 27, 29, 30, 1117] } else { &[5] };
    error.raw_os_error().is_some_and(|code| codes.contains(&code))
}

/// Why nobody is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SignInError {
    /// The user, or who signs people in, said no in the browser.
    Declined {},
    /// The user stopped it.
    Cancelled {},
    /// The browser did not come back in time.
    TimedOut {},
    /// The server, or who signs people in for it, does not do as the specification says.
    Failed {
        /// For a developer.
        detail: String,
    },
}

/// Why a compaction changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CompactionFailure {
    /// There is nothing old enough to cover.
    NothingToCover,
    /// The summary came back empty.
    Empty,
    /// The summary was not shorter than what it replaces.
    NotShorter,
    /// The summary was cut off by the output limit.
    CutOff,
    /// It would have gained less than a tenth, or too little for the call to fit.
    TooLittleGained,
    /// What it covered was changed meanwhile.
    Changed,
    /// The user cancelled it.
    Cancelled,
    /// The summary model failed, and so did what follows it.
    ModelFailed,
}
