//! Streams the entries of a JSON export, one in memory at a time, because an export may exceed the
//! memory. An entry is a conversation; for Chatbox and Cherry Studio it is all of them.

use std::fmt;
use std::io::{BufRead as _, BufReader, ErrorKind, Read};
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use skein_domain::error::FileError;

use super::bounded_reader::{BoundedReader, MemoryAllowance};
use super::{cherry_studio, flatten};
use crate::skein_format;

/// The program that wrote an entry, by its keys. If several match, the last one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SourceFormat {
    Unknown,
    LibreChat,
    OpenWebUi,
    Claude,
    ChatGpt,
    Skein,
    /// One entry holds all sessions.
    Chatbox {
        sessions: usize,
    },
    /// One entry holds all topics.
    Cherry {
        topics: usize,
    },
}

impl SourceFormat {
    /// The number of conversations in the entry.
    pub(crate) fn conversation_count(self) -> usize {
        match self {
            Self::Chatbox { sessions } => sessions,
            Self::Cherry { topics } => topics,
            Self::Unknown
            | Self::LibreChat
            | Self::OpenWebUi
            | Self::Claude
            | Self::ChatGpt
            | Self::Skein => 1,
        }
    }
}

/// Passes each entry of a text to `take` until it returns false. The text is a list of entries, a
/// single one, or one per line. Returns true if there may be more than one. `file` is the size of
/// the file in bytes.
pub(crate) fn for_each_entry<T: FieldSink>(
    text: impl Read,
    file: u64,
    take: impl FnMut(T) -> bool,
) -> Result<bool, FileError> {
    let weight = MemoryAllowance::new(file);
    let mut text = BufReader::new(BoundedReader::new(text, weight.clone()));
    if text
        .fill_buf()
        .map_err(|error| read_error(error.kind(), &weight))?
        .starts_with(b"\xef\xbb\xbf")
    {
        text.consume(3);
    }
    let mut json = serde_json::Deserializer::from_reader(text);
    if json.end().is_ok() {
        return Err(FileError::Empty {});
    }
    let mut entries = EntryVisitor {
        take,
        weight: weight.clone(),
        list: false,
        stopped: false,
        kind: PhantomData,
    };
    loop {
        let read = json.deserialize_any(&mut entries);
        if entries.stopped {
            return Ok(entries.list);
        }
        read.map_err(|error| user_error(&error, &weight))?;
        if json.end().is_ok() {
            return Ok(entries.list);
        }
        entries.list = true;
    }
}

/// The error for the user. The parser's message quotes the file, so the log gets only the position.
fn user_error(error: &serde_json::Error, weight: &MemoryAllowance) -> FileError {
    let (line, column, kind) = (error.line(), error.column(), error.classify());
    tracing::info!(line, column, ?kind, "a file cannot be read as JSON");
    match (error.classify(), error.io_error_kind()) {
        (_, Some(kind)) => read_error(kind, weight),
        (serde_json::error::Category::Eof, None) => FileError::CutOff {},
        (serde_json::error::Category::Data, None) => FileError::UnknownFormat {},
        (_, None) => FileError::NotJson {},
    }
}

/// The error of reading: a truncated archive fails while it is unpacked.
fn read_error(kind: ErrorKind, weight: &MemoryAllowance) -> FileError {
    match kind {
        ErrorKind::FileTooLarge => FileError::TooLarge { limit: weight.most() },
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => {
            FileError::CutOff {}
        }
        _ => FileError::Unreadable {},
    }
}

struct EntryVisitor<T, F> {
    take: F,
    weight: MemoryAllowance,
    list: bool,
    stopped: bool,
    kind: PhantomData<T>,
}

impl<T: FieldSink, F: FnMut(T) -> bool> EntryVisitor<T, F> {
    fn entry(&self) -> FieldVisitor<T> {
        FieldVisitor(T::default(), self.weight.clone())
    }

    fn give<E: Error>(&mut self, entry: T) -> Result<(), E> {
        self.weight.begin_entry();
        self.stopped = !(self.take)(entry);
        if self.stopped { Err(E::custom("no more is taken")) } else { Ok(()) }
    }
}

impl<'de, T: FieldSink, F: FnMut(T) -> bool> Visitor<'de> for &mut EntryVisitor<T, F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("conversations")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        self.list = true;
        while let Some(entry) = entries.next_element_seed(self.entry())? {
            self.give(entry)?;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let entry = self.entry().visit_map(map)?;
        self.give(entry)
    }
}

/// The fields of an entry; empty if it is not an object. Nested messages are flattened into one
/// list.
#[derive(Default)]
pub(crate) struct EntryFields {
    pub fields: Map<String, Value>,
    /// The reason why a field is missing, for the report: nesting beyond the limit, or a number out
    /// of range.
    pub fault: Option<String>,
}

/// Features of an entry that identify its program.
#[derive(Default)]
pub(crate) struct EntryProbe {
    /// The format that a single key identifies.
    kind: Option<SourceFormat>,
    /// The number of Chatbox sessions.
    sessions: Option<usize>,
    /// True if LibreChat's key beside the messages is present.
    conversation_id: bool,
    messages: bool,
    /// The number of Cherry Studio topics, and its other keys.
    topics: Option<usize>,
    local_storage: bool,
}

impl EntryProbe {
    pub(crate) fn kind(self) -> SourceFormat {
        let librechat = (self.conversation_id && self.messages).then_some(SourceFormat::LibreChat);
        match (self.sessions, self.topics.filter(|_| self.local_storage)) {
            (Some(sessions), _) => SourceFormat::Chatbox { sessions },
            (None, Some(topics)) => SourceFormat::Cherry { topics },
            (None, None) => self.kind.max(librechat).unwrap_or(SourceFormat::Unknown),
        }
    }
}

/// Receives an entry field by field.
pub(crate) trait FieldSink: Default {
    /// Called for each key of a JSON object; reads the value of the key from `entry`.
    fn take_field<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        entry: &mut A,
        weight: &MemoryAllowance,
    ) -> Result<(), A::Error>;
}

impl FieldSink for EntryFields {
    fn take_field<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        entry: &mut A,
        weight: &MemoryAllowance,
    ) -> Result<(), A::Error> {
        // A field that cannot be parsed is skipped, so that the following ones are still read.
        let text = entry.next_value::<Box<RawValue>>()?;
        let value = match key.as_str() {
            "messages" | "messagesTree" => flatten::flatten_messages(text.get()),
            _ => serde_json::from_str(text.get()),
        };
        match value {
            Ok(value) => {
                if key == "format" && value == skein_format::FORMAT {
                    weight.mark_own();
                }
                self.fields.insert(key, value);
            }
            Err(error) => self.fault = Some(format!("`{key}`: {error}")),
        }
        Ok(())
    }
}

impl FieldSink for EntryProbe {
    /// Looks at the keys alone.
    fn take_field<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        entry: &mut A,
        weight: &MemoryAllowance,
    ) -> Result<(), A::Error> {
        let more = match key.as_str() {
            "format" => {
                let is_ours = entry.next_value::<Value>()? == skein_format::FORMAT;
                if is_ours {
                    weight.mark_own();
                }
                self.kind = self.kind.max(is_ours.then_some(SourceFormat::Skein));
                return Ok(());
            }
            "indexedDB" => {
                self.topics =
                    Some(cherry_studio::topic_count(entry.next_value::<Box<RawValue>>()?.get()));
                return Ok(());
            }
            "chat-sessions" => entry.next_value::<Value>()?.as_array().map_or(0, Vec::len),
            _ => {
                entry.next_value::<IgnoredAny>()?;
                usize::from(key.starts_with("session:"))
            }
        };
        match key.as_str() {
            "mapping" => self.kind = self.kind.max(Some(SourceFormat::ChatGpt)),
            "chat_messages" => self.kind = self.kind.max(Some(SourceFormat::Claude)),
            "chat" => self.kind = self.kind.max(Some(SourceFormat::OpenWebUi)),
            "conversationId" => self.conversation_id = true,
            "messages" | "messagesTree" => self.messages = true,
            "localStorage" => self.local_storage = true,
            "chat-sessions" => self.sessions = Some(self.sessions.unwrap_or(0) + more),
            _ if more > 0 => self.sessions = Some(self.sessions.unwrap_or(0) + more),
            _ => {}
        }
        Ok(())
    }
}

/// Visits an entry. A value that is not an object has no fields.
struct FieldVisitor<T>(T, MemoryAllowance);

impl<'de, T: FieldSink> DeserializeSeed<'de> for FieldVisitor<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, entry: D) -> Result<T, D::Error> {
        entry.deserialize_any(self)
    }
}

impl<'de, T: FieldSink> Visitor<'de> for FieldVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an entry")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entry: A) -> Result<T, A::Error> {
        while let Some(key) = entry.next_key::<String>()? {
            self.0.take_field(key, &mut entry, &self.1)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::bounded_reader::MAX_ENTRY;

    /// The memory limit of an entry, the same in both passes.
    fn most<T: FieldSink>(text: &str) -> u32 {
        let weight = MemoryAllowance::new(u64::from(MAX_ENTRY));
        let mut json = serde_json::Deserializer::from_reader(text.as_bytes());
        drop(FieldVisitor(T::default(), weight.clone()).deserialize(&mut json));
        weight.most()
    }

    /// A writer that keeps the log.
    #[derive(Clone, Default)]
    struct Log(std::sync::Arc<std::sync::Mutex<String>>);

    impl tracing::Subscriber for Log {
        fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
            true
        }

        fn event(&self, event: &tracing::Event<'_>) {
            event.record(&mut |field: &tracing::field::Field, value: &dyn fmt::Debug| {
                self.0.lock().unwrap().push_str(&format!("{field}={value:?} "));
            });
        }

        fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
            tracing::span::Id::from_u64(1)
        }

        fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
        fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
        fn enter(&self, _: &tracing::span::Id) {}
        fn exit(&self, _: &tracing::span::Id) {}
    }

    #[test]
    fn no_word_of_a_file_that_cannot_be_read_is_in_the_log() {
        let error = serde_json::from_str::<u32>("\n\"words of a friend\"").unwrap_err();
        assert!(error.to_string().contains("friend"), "the parser says them");
        let log = Log::default();
        tracing::subscriber::with_default(log.clone(), || {
            user_error(&error, &MemoryAllowance::new(1))
        });
        let said = log.0.lock().unwrap().clone();
        assert!(said.contains("line=2") && !said.contains("friend"), "{said}");
    }

    #[test]
    fn one_of_our_own_is_known_before_its_attachments_are_read() {
        let check = |text: &str, own: bool| {
            for most in [most::<EntryProbe>(text), most::<EntryFields>(text)] {
                assert_eq!(most > MAX_ENTRY, own, "{text}");
            }
        };
        check(r#"{"format": "skein-conversation", "conversation": {"blobs": {"1": "Y"#, true);
        check(r#"{"format": "another", "conversation": {}}"#, false);
        check(r#"{"mapping": {"format": "skein-conversation"}}"#, false);
    }
}
