//! Why a file or a folder cannot be used.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Why a file cannot be attached, shown, imported or put in the database's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FileError {
    /// There is nothing in it.
    Empty {},
    /// There is more in it than is taken.
    TooLarge {
        /// How much is, in bytes.
        limit: u32,
    },
    /// It is neither text, nor a picture or a document of a known format.
    NotText {},
    /// It is a document that opens with a password only.
    Locked {},
    /// It is a document without a word in it, as one that was scanned.
    NoWords {},
    /// It is a document in a format of Office that is not read: one before 2007, or a binary one.
    OtherOffice {},
    /// It is a document that is no longer whole, or not built as its kind is.
    Broken {},
    /// It is a document in which there is more than is taken out of one.
    Unpacks {
        /// How much is, in bytes.
        limit: u32,
    },
    /// It is a document that takes too long to read.
    TooSlow {
        /// How long was waited.
        seconds: u32,
    },
    /// It is no picture of a known format.
    NotImage {},
    /// It is a picture that cannot be sent as it is, and cannot be read to make another of it.
    OtherPicture {},
    /// It is not there, or may not be read.
    Unreadable {},
    /// It ends in the middle.
    CutOff {},
    /// It is neither JSON nor an archive.
    NotJson {},
    /// It is of no program whose conversations are known here.
    UnknownFormat {},
    /// A newer Skein wrote it.
    NewerFormat {},
    /// It is not built as its program builds them.
    Misbuilt {
        /// Where it is not, for a report.
        detail: String,
    },
    /// There is no conversation in it.
    NoConversation {},
    /// It is a copy of Cherry Studio's database, in a format of the browser it is made of.
    CherrySnapshot {},
    /// It is no database of Skein's.
    NotSkein {},
    /// It is a database of Skein's with something in its schema that no version makes.
    ForeignSchema {
        /// What there is: its kind and its name.
        object: String,
    },
    /// It is a database that is no longer whole.
    Damaged {},
}

/// Why a folder cannot be the one a session's tools may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum FolderError {
    /// It does not begin at the root or at `~`.
    Relative,
    /// There is nothing there.
    Missing,
    /// It is a file.
    NotAFolder,
    /// It may not be read, or has a name that is no text.
    Unreadable,
    /// It is the root of the file system: everything would be open.
    Root,
    /// It is the user's home, or holds it.
    Home,
    /// It holds Skein's own files, or is among them.
    Own,
    /// A link on its way leads to another folder than when it was chosen.
    Elsewhere,
}
