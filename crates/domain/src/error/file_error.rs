//! Errors of files and folders.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The reason why a file cannot be attached, shown, imported or used as the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FileError {
    /// The file is empty.
    Empty {},
    /// The file is too large.
    TooLarge {
        /// The limit in bytes.
        limit: u32,
    },
    /// The file is neither text, nor an image or a document of a known format.
    NotText {},
    /// The file is a document with a password.
    Locked {},
    /// The file is a document without text, such as a scan.
    NoWords {},
    /// The file is an Office document of an unsupported format: Word or PowerPoint older than 2007, or
    /// binary.
    OtherOffice {},
    /// The file is a damaged document, or not of its format.
    Broken {},
    /// The file is a document that unpacks to too much.
    Unpacks {
        /// The limit in bytes.
        limit: u32,
    },
    /// The file is a document that takes too long to parse.
    TooSlow {
        /// The timeout in seconds.
        seconds: u32,
    },
    /// The file is no image of a known format.
    NotImage {},
    /// The file is an image that cannot be sent as it is, and cannot be converted.
    OtherPicture {},
    /// The file does not exist, or may not be read.
    Unreadable {},
    /// The file is truncated.
    CutOff {},
    /// The file is neither JSON nor an archive.
    NotJson {},
    /// The file comes from a program whose exports are unknown.
    UnknownFormat {},
    /// A newer Skein wrote it.
    NewerFormat {},
    /// The file does not follow the format of its program.
    Misbuilt {
        /// The place of the problem, for a report.
        detail: String,
    },
    /// The file contains no conversation.
    NoConversation {},
    /// The file is a copy of Cherry Studio's database in an internal browser format.
    CherrySnapshot {},
    /// The file is no database of Skein.
    NotSkein {},
    /// The file is a database of Skein with an object in its schema that no version creates.
    ForeignSchema {
        /// The object: its kind and its name.
        object: String,
    },
    /// The file is a damaged database.
    Damaged {},
}

/// The reason why a folder cannot be used by a session's tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FolderError {
    /// The folder does not begin at the root or at `~`.
    Relative,
    /// The folder does not exist.
    Missing,
    /// The folder is a file.
    NotAFolder,
    /// The folder may not be read, or its name is not Unicode.
    Unreadable,
    /// The folder is the root of the file system.
    Root,
    /// The folder is the user's home, or contains it.
    Home,
    /// The folder contains Skein's own files, or is within them.
    Own,
    /// A link in its path leads elsewhere than when it was chosen.
    Elsewhere,
}
