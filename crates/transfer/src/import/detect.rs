//! Detects the program that wrote a file by its content, and reads its conversations.
//!
//! The file is read twice: once to detect its formats and damage, keeping one word for each entry,
//! and then for the conversations.

use std::fs::File;
use std::io::Read as _;

use serde_json::Value;
use skein_domain::error::{Error, FileError, Result};

use super::import_entry::ImportEntry;
use super::json_stream::{self, EntryFields, EntryProbe, SourceFormat};
use super::zip_archive::{ImportArchive, SharedFile};
use super::{chatbox, chatgpt, cherry_studio, claude, librechat, open_webui, skein_import};

/// The name prefix of archive entries with conversations: `conversations.json`, in newer exports
/// `conversations-000.json` and following.
pub const CONVERSATIONS: &str = "conversations";

/// Passes every conversation of a file to `give`, with the total number, until it returns false.
///
/// # Errors
/// `BadFile` if no known format is found.
pub fn read(name: &str, file: File, give: impl FnMut(ImportEntry, usize) -> bool) -> Result<()> {
    let read = ImportSource::open(SharedFile::new(file)).and_then(|source| source.read(give));
    read.map_err(|fault| Error::BadFile { name: name.to_owned(), fault })
}

/// A file after the first pass.
struct ImportSource {
    file: SharedFile,
    /// Empty if the file is not an archive.
    archive: ImportArchive,
    texts: Vec<SourceText>,
}

/// A JSON text with conversations.
struct SourceText {
    /// The name of the text in the archive; `None` if it is the whole file.
    name: Option<String>,
    /// The formats of its entries, or the reason why it cannot be read.
    kinds: Result<Vec<SourceFormat>, FileError>,
}

impl ImportSource {
    fn open(file: SharedFile) -> Result<Self, FileError> {
        let mut first = Vec::new();
        let begun = file.clone().take(2).read_to_end(&mut first);
        begun.map_err(|_| FileError::Unreadable {})?;
        if first != b"PK" {
            let kinds = Ok(detect_formats(file.clone(), file.length())?);
            let texts = vec![SourceText { name: None, kinds }];
            return Ok(Self { file, archive: ImportArchive::none(), texts });
        }
        let mut archive = ImportArchive::open(file.clone()).map_err(|error| {
            tracing::info!(%error, "an archive cannot be opened");
            // An archive lists its content at its end.
            FileError::CutOff {}
        })?;
        let texts = texts(&mut archive, file.length());
        if !texts.is_empty() {
            Ok(Self { file, archive, texts })
        } else if cherry_studio::is_snapshot(&mut archive) {
            Err(FileError::CherrySnapshot {})
        } else {
            Err(FileError::NoConversation {})
        }
    }

    /// Reads the texts in order. An unreadable text of an archive does not stop the others.
    fn read(self, mut give: impl FnMut(ImportEntry, usize) -> bool) -> Result<(), FileError> {
        let Self { file, mut archive, texts } = self;
        let length = file.length();
        let total = texts.iter().map(SourceText::conversations).sum();
        let mut packed = archive.clone();
        let mut continues = true;
        for SourceText { name, kinds } in texts {
            let mut hand = |conversation| {
                continues = give(conversation, total);
                continues
            };
            let read = match (kinds, &name) {
                (Err(fault), _) => Err(fault),
                (Ok(kinds), None) => {
                    hand_over(file.clone(), length, kinds, &mut archive, &mut hand)
                }
                (Ok(kinds), Some(name)) => packed
                    .text(name)
                    .and_then(|text| hand_over(text, length, kinds, &mut archive, &mut hand)),
            };
            match (read, name) {
                (Ok(()), _) => {}
                (Err(fault), None) => return Err(fault),
                (Err(fault), title) => {
                    hand(ImportEntry { title, conversation: Err(fault) });
                }
            }
            if !continues {
                break;
            }
        }
        Ok(())
    }
}

/// The texts of an archive with conversations. Other programs may use the file name of Cherry
/// Studio, too.
fn texts(archive: &mut ImportArchive, length: u64) -> Vec<SourceText> {
    let names = archive.names_with_prefix(CONVERSATIONS).filter(|name| name.ends_with(".json"));
    let names = names.map(|name| (name.to_owned(), false));
    let names: Vec<_> = names.chain([(cherry_studio::BACKUP_FILE.to_owned(), true)]).collect();
    let texts = names.into_iter().filter_map(|(name, only_cherry)| {
        let kinds = match archive.text(&name).and_then(|text| detect_formats(text, length)) {
            Err(FileError::NoConversation {} | FileError::UnknownFormat {}) => return None,
            Err(FileError::Unreadable {} | FileError::NotJson {}) if only_cherry => return None,
            kinds => kinds,
        };
        let is_cherry =
            |kinds: &Vec<SourceFormat>| matches!(kinds[..], [SourceFormat::Cherry { .. }]);
        if only_cherry && kinds.as_ref().is_ok_and(|kinds| !is_cherry(kinds)) {
            return None;
        }
        Some(SourceText { name: Some(name), kinds })
    });
    texts.collect()
}

impl SourceText {
    fn conversations(&self) -> usize {
        match &self.kinds {
            Ok(kinds) => kinds.iter().map(|kind| kind.conversation_count()).sum(),
            Err(_) => 1,
        }
    }
}

/// The formats of a text's entries. A text without a known format, or without conversations, is an
/// error.
fn detect_formats(text: impl std::io::Read, file: u64) -> Result<Vec<SourceFormat>, FileError> {
    let mut kinds = Vec::new();
    let list = json_stream::for_each_entry(text, file, |seen: EntryProbe| {
        kinds.push(seen.kind());
        true
    })?;
    let nothing_known = kinds.iter().all(|kind| *kind == SourceFormat::Unknown);
    if nothing_known && !list {
        Err(FileError::UnknownFormat {})
    } else if nothing_known || kinds.iter().all(|kind| kind.conversation_count() == 0) {
        Err(FileError::NoConversation {})
    } else {
        Ok(kinds)
    }
}

fn hand_over(
    text: impl std::io::Read,
    file: u64,
    kinds: Vec<SourceFormat>,
    archive: &mut ImportArchive,
    give: &mut impl FnMut(ImportEntry) -> bool,
) -> Result<(), FileError> {
    let mut kinds = kinds.into_iter();
    let handed = json_stream::for_each_entry(text, file, |EntryFields { fields, fault }| {
        let entry = Value::Object(fields);
        let broken = fault.map(|fault| ImportEntry::malformed(title(&entry), &fault));
        match (kinds.next(), broken, entry) {
            (Some(SourceFormat::Chatbox { .. }), broken, Value::Object(all)) => {
                chatbox::parse(&all).chain(broken).all(&mut *give)
            }
            (Some(SourceFormat::Cherry { .. }), broken, Value::Object(all)) => {
                cherry_studio::parse(&all, archive).chain(broken).all(&mut *give)
            }
            (None | Some(SourceFormat::Unknown), _, entry) => give(unknown(&entry)),
            (_, Some(broken), _) => give(broken),
            (Some(SourceFormat::Skein), None, entry) => give(skein_import::parse(entry)),
            (Some(SourceFormat::ChatGpt), None, entry) => give(chatgpt::parse(&entry, archive)),
            (Some(SourceFormat::Claude), None, entry) => give(claude::parse(&entry)),
            (Some(SourceFormat::OpenWebUi), None, entry) => give(open_webui::parse(&entry)),
            (Some(SourceFormat::LibreChat), None, entry) => give(librechat::parse(&entry)),
            (Some(SourceFormat::Chatbox { .. } | SourceFormat::Cherry { .. }), None, entry) => {
                give(unknown(&entry))
            }
        }
    });
    handed.map(drop)
}

/// An entry of an unknown program.
fn unknown(entry: &Value) -> ImportEntry {
    ImportEntry { title: title(entry), conversation: Err(FileError::UnknownFormat {}) }
}

/// The probable title of an entry.
fn title(entry: &Value) -> Option<String> {
    let title = ["title", "name"].iter().find_map(|key| entry.get(key)?.as_str());
    title.map(str::to_owned)
}
