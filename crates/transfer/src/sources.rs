//! Whose file it is, by what is in it; a name or an ending decides nothing.
//!
//! It is gone through twice: for what it holds and whether it is whole, of which nothing is kept but a
//! word for each entry, and then for the conversations.

use std::fs::File;
use std::io::Read as _;

use serde_json::Value;
use skein_domain::conversation::Conversation;
use skein_domain::error::{Error, FileFault, Result};

use super::shapes::{self, Entry, Kind, Seen};
use super::unpacked::{Archive, Shared};
use super::{chatbox, chatgpt, cherry, claude, json, librechat, open_webui};

/// How the files of an archive begin that hold conversations: `conversations.json`, newer:
/// `conversations-000.json` and on.
pub const CONVERSATIONS: &str = "conversations";

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

/// Hands over every conversation of a file, each with how many there are, until no more is taken.
///
/// # Errors
/// `BadFile` when it is none of the formats known here.
pub fn read(name: &str, file: File, give: impl FnMut(Found, usize) -> bool) -> Result<()> {
    let read = Source::open(Shared::new(file)).and_then(|source| source.read(give));
    read.map_err(|fault| Error::BadFile { name: name.to_owned(), fault })
}

/// A file that was gone through once.
struct Source {
    file: Shared,
    /// Without anything where the file is no archive.
    archive: Archive,
    texts: Vec<Text>,
}

/// A text with conversations.
struct Text {
    /// Its name in the archive; `None`: it is the whole file.
    name: Option<String>,
    /// What it holds, or why it cannot be read.
    kinds: Result<Vec<Kind>, FileFault>,
}

impl Source {
    fn open(file: Shared) -> Result<Self, FileFault> {
        let mut first = Vec::new();
        let begun = file.clone().take(2).read_to_end(&mut first);
        begun.map_err(|_| FileFault::Unreadable {})?;
        if first != b"PK" {
            let kinds = Ok(look(file.clone(), file.length())?);
            let texts = vec![Text { name: None, kinds }];
            return Ok(Self { file, archive: Archive::none(), texts });
        }
        let mut archive = Archive::open(file.clone()).map_err(|error| {
            tracing::info!(%error, "an archive cannot be opened");
            // What is in an archive is listed at its end.
            FileFault::CutOff {}
        })?;
        let texts = texts(&mut archive, file.length());
        if !texts.is_empty() {
            Ok(Self { file, archive, texts })
        } else if cherry::is_snapshot(&mut archive) {
            Err(FileFault::CherrySnapshot {})
        } else {
            Err(FileFault::NoConversation {})
        }
    }

    /// One text after the other. One of an archive that cannot be read takes none of the others along.
    fn read(self, mut give: impl FnMut(Found, usize) -> bool) -> Result<(), FileFault> {
        let Self { file, mut archive, texts } = self;
        let length = file.length();
        let total = texts.iter().map(Text::conversations).sum();
        let mut packed = archive.clone();
        let mut goes_on = true;
        for Text { name, kinds } in texts {
            let mut hand = |found| {
                goes_on = give(found, total);
                goes_on
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
                    hand(Found { title, conversation: Err(fault) });
                }
            }
            if !goes_on {
                break;
            }
        }
        Ok(())
    }
}

/// The texts of an archive with conversations. Others may have a text of the name that Cherry Studio's has.
fn texts(archive: &mut Archive, length: u64) -> Vec<Text> {
    let names = archive.beginning(CONVERSATIONS).filter(|name| name.ends_with(".json"));
    let names = names.map(|name| (name.to_owned(), false));
    let names: Vec<_> = names.chain([(cherry::TEXT.to_owned(), true)]).collect();
    let texts = names.into_iter().filter_map(|(name, only_cherry)| {
        let kinds = match archive.text(&name).and_then(|text| look(text, length)) {
            Err(FileFault::NoConversation {} | FileFault::UnknownFormat {}) => return None,
            Err(FileFault::Unreadable {} | FileFault::NotJson {}) if only_cherry => return None,
            kinds => kinds,
        };
        let is_cherry = |kinds: &Vec<Kind>| matches!(kinds[..], [Kind::Cherry { .. }]);
        if only_cherry && kinds.as_ref().is_ok_and(|kinds| !is_cherry(kinds)) {
            return None;
        }
        Some(Text { name: Some(name), kinds })
    });
    texts.collect()
}

impl Text {
    fn conversations(&self) -> usize {
        match &self.kinds {
            Ok(kinds) => kinds.iter().map(|kind| kind.conversations()).sum(),
            Err(_) => 1,
        }
    }
}

/// What a text holds; one in which nothing is known, or there is no conversation, is refused.
fn look(text: impl std::io::Read, file: u64) -> Result<Vec<Kind>, FileFault> {
    let mut kinds = Vec::new();
    let list = shapes::each(text, file, |seen: Seen| {
        kinds.push(seen.kind());
        true
    })?;
    let nothing_known = kinds.iter().all(|kind| *kind == Kind::Unknown);
    if nothing_known && !list {
        Err(FileFault::UnknownFormat {})
    } else if nothing_known || kinds.iter().all(|kind| kind.conversations() == 0) {
        Err(FileFault::NoConversation {})
    } else {
        Ok(kinds)
    }
}

fn hand_over(
    text: impl std::io::Read,
    file: u64,
    kinds: Vec<Kind>,
    archive: &mut Archive,
    give: &mut impl FnMut(Found) -> bool,
) -> Result<(), FileFault> {
    let mut kinds = kinds.into_iter();
    let handed = shapes::each(text, file, |Entry { fields, fault }| {
        let entry = Value::Object(fields);
        let broken = fault.map(|fault| Found::misbuilt(title(&entry), &fault));
        match (kinds.next(), broken, entry) {
            (Some(Kind::Chatbox { .. }), broken, Value::Object(all)) => {
                chatbox::found(&all).chain(broken).all(&mut *give)
            }
            (Some(Kind::Cherry { .. }), broken, Value::Object(all)) => {
                cherry::found(&all, archive).chain(broken).all(&mut *give)
            }
            (None | Some(Kind::Unknown), _, entry) => give(unknown(&entry)),
            (_, Some(broken), _) => give(broken),
            (Some(Kind::Skein), None, entry) => give(json::found(entry)),
            (Some(Kind::ChatGpt), None, entry) => give(chatgpt::found(&entry, archive)),
            (Some(Kind::Claude), None, entry) => give(claude::found(&entry)),
            (Some(Kind::OpenWebUi), None, entry) => give(open_webui::found(&entry)),
            (Some(Kind::LibreChat), None, entry) => give(librechat::found(&entry)),
            (Some(Kind::Chatbox { .. } | Kind::Cherry { .. }), None, entry) => {
                give(unknown(&entry))
            }
        }
    });
    handed.map(drop)
}

/// An entry that is of no program known here.
fn unknown(entry: &Value) -> Found {
    Found { title: title(entry), conversation: Err(FileFault::UnknownFormat {}) }
}

/// What an entry is probably called.
fn title(entry: &Value) -> Option<String> {
    let title = ["title", "name"].iter().find_map(|key| entry.get(key)?.as_str());
    title.map(str::to_owned)
}
