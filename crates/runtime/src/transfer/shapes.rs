//! What a JSON text of conversations holds, entry by entry: no more than one of them is in memory, because
//! an export may be larger than that. An entry is a conversation, but for Chatbox, where it is all of them.

use std::fmt;
use std::io::{BufRead as _, BufReader, ErrorKind, Read};
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::text::{self, Text, Weight};
use super::{json, nested};
use crate::error::FileFault;

/// Whose an entry is, by its keys; of several the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Unknown,
    LibreChat,
    OpenWebUi,
    Claude,
    ChatGpt,
    Skein,
    /// All of its sessions are one entry.
    Chatbox {
        sessions: usize,
    },
}

impl Kind {
    /// How many conversations it is.
    pub(super) fn conversations(self) -> usize {
        match self {
            Self::Chatbox { sessions } => sessions,
            Self::Unknown
            | Self::LibreChat
            | Self::OpenWebUi
            | Self::Claude
            | Self::ChatGpt
            | Self::Skein => 1,
        }
    }
}

/// Hands over each entry of a text until no more is taken: those of a list, the only one, or one behind
/// the other, as exports have it that are lines. Tells whether there may be more than one.
pub(super) fn each<T: DeserializeOwned>(
    text: impl Read,
    take: impl FnMut(T) -> bool,
) -> Result<bool, FileFault> {
    let weight = Weight::default();
    let mut text = BufReader::new(Text::new(text, weight.clone()));
    if text.fill_buf().map_err(|error| unread(error.kind()))?.starts_with(b"\xef\xbb\xbf") {
        text.consume(3);
    }
    let mut json = serde_json::Deserializer::from_reader(text);
    if json.end().is_ok() {
        return Err(FileFault::Empty {});
    }
    let mut entries = Entries { take, weight, list: false, stopped: false, kind: PhantomData };
    loop {
        let read = json.deserialize_any(&mut entries);
        if entries.stopped {
            return Ok(entries.list);
        }
        read.map_err(|error| fault_of(&error))?;
        if json.end().is_ok() {
            return Ok(entries.list);
        }
        entries.list = true;
    }
}

/// Why a text is no JSON, as the person is told it; the parser's words are for the log.
fn fault_of(error: &serde_json::Error) -> FileFault {
    tracing::info!(%error, "a file cannot be read as JSON");
    match (error.classify(), error.io_error_kind()) {
        (_, Some(kind)) => unread(kind),
        (serde_json::error::Category::Eof, None) => FileFault::CutOff {},
        (serde_json::error::Category::Data, None) => FileFault::UnknownFormat {},
        (_, None) => FileFault::NotJson {},
    }
}

/// What is packed breaks where it is not whole.
fn unread(kind: ErrorKind) -> FileFault {
    match kind {
        ErrorKind::FileTooLarge => FileFault::TooLarge { limit: text::MOST },
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => {
            FileFault::CutOff {}
        }
        _ => FileFault::Unreadable {},
    }
}

struct Entries<T, F> {
    take: F,
    weight: Weight,
    list: bool,
    stopped: bool,
    kind: PhantomData<T>,
}

impl<T, F: FnMut(T) -> bool> Entries<T, F> {
    fn give<E: Error>(&mut self, entry: T) -> Result<(), E> {
        self.weight.put_down();
        self.stopped = !(self.take)(entry);
        if self.stopped { Err(E::custom("no more is taken")) } else { Ok(()) }
    }
}

impl<'de, T: Deserialize<'de>, F: FnMut(T) -> bool> Visitor<'de> for &mut Entries<T, F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("conversations")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        self.list = true;
        while let Some(entry) = entries.next_element()? {
            self.give(entry)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let entry = T::deserialize(MapAccessDeserializer::new(map))?;
        self.give(entry)
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(entry: D) -> Result<Self, D::Error> {
        entry.deserialize_any(Fields(Seen::default())).map(|seen| seen.kind())
    }
}

/// The fields of an entry; none where it is no map. Messages that hold one another in it are one list.
#[derive(Default)]
pub(super) struct Entry {
    pub fields: Map<String, Value>,
    /// Why a field is not among them, for a report: it is nested too deep, or is a number beyond all numbers.
    pub fault: Option<String>,
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(entry: D) -> Result<Self, D::Error> {
        entry.deserialize_any(Fields(Self::default()))
    }
}

/// What the fields of an entry tell of it.
#[derive(Default)]
struct Seen {
    /// What a single one says.
    kind: Option<Kind>,
    /// How many sessions of Chatbox there are.
    sessions: Option<usize>,
    /// What LibreChat names beside its messages.
    conversation_id: bool,
    messages: bool,
}

impl Seen {
    fn kind(self) -> Kind {
        let librechat = (self.conversation_id && self.messages).then_some(Kind::LibreChat);
        match self.sessions {
            Some(sessions) => Kind::Chatbox { sessions },
            None => self.kind.max(librechat).unwrap_or(Kind::Unknown),
        }
    }
}

/// Takes in an entry field by field.
trait TakeIn {
    /// The value under this key comes next.
    fn take_in<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        entry: &mut A,
    ) -> Result<(), A::Error>;
}

impl TakeIn for Entry {
    fn take_in<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        entry: &mut A,
    ) -> Result<(), A::Error> {
        // What cannot be held is read past, and what comes behind it is heard.
        let text = entry.next_value::<Box<RawValue>>()?;
        let value = match key.as_str() {
            "messages" | "messagesTree" => nested::flat(text.get()),
            _ => serde_json::from_str(text.get()),
        };
        match value {
            Ok(value) => drop(self.fields.insert(key, value)),
            Err(error) => self.fault = Some(format!("`{key}`: {error}")),
        }
        Ok(())
    }
}

impl TakeIn for Seen {
    /// Looks at the keys alone.
    fn take_in<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        entry: &mut A,
    ) -> Result<(), A::Error> {
        let more = match key.as_str() {
            "format" => {
                let is_ours = entry.next_value::<Value>()? == json::FORMAT;
                self.kind = self.kind.max(is_ours.then_some(Kind::Skein));
                return Ok(());
            }
            "chat-sessions" => entry.next_value::<Value>()?.as_array().map_or(0, Vec::len),
            _ => {
                entry.next_value::<IgnoredAny>()?;
                usize::from(key.starts_with("session:"))
            }
        };
        match key.as_str() {
            "mapping" => self.kind = self.kind.max(Some(Kind::ChatGpt)),
            "chat_messages" => self.kind = self.kind.max(Some(Kind::Claude)),
            "chat" => self.kind = self.kind.max(Some(Kind::OpenWebUi)),
            "conversationId" => self.conversation_id = true,
            "messages" | "messagesTree" => self.messages = true,
            "chat-sessions" => self.sessions = Some(self.sessions.unwrap_or(0) + more),
            _ if more > 0 => self.sessions = Some(self.sessions.unwrap_or(0) + more),
            _ => {}
        }
        Ok(())
    }
}

/// Goes through an entry; what is no map has no fields.
struct Fields<T>(T);

impl<'de, T: TakeIn> Visitor<'de> for Fields<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an entry")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entry: A) -> Result<T, A::Error> {
        while let Some(key) = entry.next_key::<String>()? {
            self.0.take_in(key, &mut entry)?;
        }
        Ok(self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<T, A::Error> {
        while values.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self.0)
    }

    fn visit_bool<E>(self, _: bool) -> Result<T, E> {
        Ok(self.0)
    }

    fn visit_i64<E>(self, _: i64) -> Result<T, E> {
        Ok(self.0)
    }

    fn visit_u64<E>(self, _: u64) -> Result<T, E> {
        Ok(self.0)
    }

    fn visit_f64<E>(self, _: f64) -> Result<T, E> {
        Ok(self.0)
    }

    fn visit_str<E>(self, _: &str) -> Result<T, E> {
        Ok(self.0)
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(self.0)
    }
}
