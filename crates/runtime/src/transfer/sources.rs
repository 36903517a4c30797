//! Whose file it is, by what is in it; a name or an ending decides nothing.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

use serde_json::Value;
use zip::ZipArchive;

use super::{chatbox, chatgpt, claude, json};
use crate::error::{Error, Result};
use crate::store::Conversation;

/// How the files of an archive begin that hold conversations: `conversations.json`, newer:
/// `conversations-000.json` and on.
pub(super) const CONVERSATIONS: &str = "conversations";

/// The most that one file of an archive may unpack to, in bytes: an archive can claim anything.
const UNPACKED_AT_MOST: u64 = 1 << 30;

/// A conversation found in a file.
#[derive(Debug)]
pub struct Found {
    /// As it is called there.
    pub title: Option<String>,
    /// The conversation, or why it cannot be read.
    pub conversation: Result<Read, String>,
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

/// Files of an archive beside its conversations, by name.
pub(super) type Attachments = BTreeMap<String, Vec<u8>>;

/// Every conversation of a file.
///
/// # Errors
/// `BadFile` when it is none of the formats known here.
pub fn read(name: &str, bytes: Vec<u8>) -> Result<Vec<Found>> {
    let bad = |detail: String| Error::BadFile { name: name.to_owned(), detail };
    let (texts, attachments) = match bytes.starts_with(b"PK") {
        true => unpack(bytes).map_err(|error| bad(error.to_string()))?,
        false => (vec![bytes], Attachments::new()),
    };
    let mut found = Vec::new();
    for text in texts {
        found.extend(conversations(&text, &attachments).map_err(bad)?);
    }
    if found.is_empty() { Err(bad("no conversation in it".into())) } else { Ok(found) }
}

/// The conversation files of an archive in the order of their names, and everything else.
fn unpack(bytes: Vec<u8>) -> zip::result::ZipResult<(Vec<Vec<u8>>, Attachments)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let mut texts = BTreeMap::new();
    let mut attachments = Attachments::new();
    for index in 0..archive.len() {
        let entry = archive.by_index(index)?;
        if entry.is_dir() {
            continue;
        }
        let name = entry.name()?.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let mut bytes = Vec::new();
        entry.take(UNPACKED_AT_MOST).read_to_end(&mut bytes)?;
        if name.starts_with(CONVERSATIONS) && name.ends_with(".json") {
            texts.insert(name, bytes);
        } else {
            attachments.insert(name, bytes);
        }
    }
    Ok((texts.into_values().collect(), attachments))
}

fn conversations(bytes: &[u8], attachments: &Attachments) -> Result<Vec<Found>, String> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let root = match serde_json::from_slice(text) {
        Ok(root) => root,
        Err(error) => lines(text).ok_or_else(|| error.to_string())?,
    };
    match root {
        Value::Array(entries) => {
            Ok(entries.into_iter().filter_map(|entry| one(entry, attachments)).collect())
        }
        Value::Object(all) if chatbox::is_its_own(&all) => Ok(chatbox::found(all)),
        entry @ Value::Object(_) => {
            let found = one(entry, attachments).ok_or("an unknown format")?;
            Ok(vec![found])
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Err("an unknown format".into())
        }
    }
}

/// One JSON value per line, as some exports have it.
fn lines(text: &[u8]) -> Option<Value> {
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.map(serde_json::from_slice).collect::<Result<Vec<Value>, _>>().ok().map(Value::Array)
}

fn one(entry: Value, attachments: &Attachments) -> Option<Found> {
    if entry.get("format").and_then(Value::as_str) == Some(json::FORMAT) {
        Some(json::found(entry))
    } else if entry.get("mapping").is_some() {
        Some(chatgpt::found(&entry, attachments))
    } else if entry.get("chat_messages").is_some() {
        Some(claude::found(&entry))
    } else {
        None
    }
}
