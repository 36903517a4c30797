//! Whose file it is, by what is in it; a name or an ending decides nothing.

use serde_json::Value;

use super::unpacked::Archive;
use super::{chatbox, chatgpt, claude, json};
use crate::error::{Error, FileFault, Result};
use crate::store::Conversation;

/// How the files of an archive begin that hold conversations: `conversations.json`, newer:
/// `conversations-000.json` and on.
pub(super) const CONVERSATIONS: &str = "conversations";

/// A conversation found in a file.
#[derive(Debug)]
pub struct Found {
    /// As it is called there.
    pub title: Option<String>,
    /// The conversation, or why it cannot be read.
    pub conversation: Result<Read, FileFault>,
}

impl Found {
    /// One that is not built as its program builds them.
    pub(super) fn misbuilt(title: Option<String>, detail: &str) -> Self {
        Self { title, conversation: Err(FileFault::Misbuilt { detail: detail.to_owned() }) }
    }
}

/// A conversation that was read.
#[derive(Debug)]
pub struct Read {
    /// Ready for the store.
    pub conversation: Conversation,
    /// Attachments that the file names without holding them.
    pub missing: u32,
    /// Branches whose place the file does not hold.
    pub unplaced: u32,
}

/// Every conversation of a file.
///
/// # Errors
/// `BadFile` when it is none of the formats known here.
pub fn read(name: &str, bytes: Vec<u8>) -> Result<Vec<Found>> {
    let bad = |fault| Error::BadFile { name: name.to_owned(), fault };
    let found = match bytes.starts_with(b"PK") {
        true => archived(Archive::open(bytes).map_err(|error| {
            tracing::info!(%error, "an archive cannot be opened");
            // What is in an archive is listed at its end.
            bad(FileFault::CutOff {})
        })?),
        false => conversations(&bytes, &mut Archive::none()).map_err(bad)?,
    };
    if found.is_empty() { Err(bad(FileFault::NoConversation {})) } else { Ok(found) }
}

/// The conversations of an archive's files, one file after the other. One that cannot be read takes
/// none of the others along.
fn archived(mut archive: Archive) -> Vec<Found> {
    let files = archive.beginning(CONVERSATIONS).filter(|name| name.ends_with(".json"));
    let files: Vec<_> = files.map(str::to_owned).collect();
    let mut all = Vec::new();
    for file in files {
        let found = archive.unpack(&file).and_then(|text| conversations(&text, &mut archive));
        all.extend(
            found.unwrap_or_else(|fault| {
                vec![Found { title: Some(file), conversation: Err(fault) }]
            }),
        );
    }
    all
}

fn conversations(bytes: &[u8], archive: &mut Archive) -> Result<Vec<Found>, FileFault> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if text.trim_ascii().is_empty() {
        return Err(FileFault::Empty {});
    }
    let root = match serde_json::from_slice(text) {
        Ok(root) => root,
        Err(error) => lines(text).ok_or_else(|| fault_of(&error))?,
    };
    match root {
        Value::Array(entries) => {
            Ok(entries.into_iter().filter_map(|entry| one(entry, archive)).collect())
        }
        Value::Object(all) if chatbox::is_its_own(&all) => Ok(chatbox::found(all)),
        entry @ Value::Object(_) => {
            let found = one(entry, archive).ok_or(FileFault::UnknownFormat {})?;
            Ok(vec![found])
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Err(FileFault::UnknownFormat {})
        }
    }
}

/// Why a text is no JSON, as the person is told it; the parser's words are for the log.
fn fault_of(error: &serde_json::Error) -> FileFault {
    tracing::info!(%error, "a file cannot be read as JSON");
    if error.is_eof() { FileFault::CutOff {} } else { FileFault::NotJson {} }
}

/// One JSON value per line, as some exports have it.
fn lines(text: &[u8]) -> Option<Value> {
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.map(serde_json::from_slice).collect::<Result<Vec<Value>, _>>().ok().map(Value::Array)
}

fn one(entry: Value, archive: &mut Archive) -> Option<Found> {
    if entry.get("format").and_then(Value::as_str) == Some(json::FORMAT) {
        Some(json::found(entry))
    } else if entry.get("mapping").is_some() {
        Some(chatgpt::found(&entry, archive))
    } else if entry.get("chat_messages").is_some() {
        Some(claude::found(&entry))
    } else {
        None
    }
}
