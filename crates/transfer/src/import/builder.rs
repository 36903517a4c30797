//! Builds a conversation from the messages of another program's file.
//!
//! Not here: the formats of the files, one module each.

use std::collections::{HashMap, HashSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::DateTime;
use serde_json::Value;
use skein_documents::attachment::{self, IngestedFile};
use skein_documents::image_info::ImageFile;
use skein_domain::conversation::{Base64, Conversation, ThreadRecord};
use skein_domain::draft::Draft;
use skein_domain::ids::{BlobId, MessageId, SessionId, ThreadId};
use skein_domain::message::{
    ContentPart, Inclusion, Message, MessageKind, MessageState, Origin, Role, ToolCall, ToolOutput,
    ToolState,
};
use skein_domain::model::ModelRef;
use skein_domain::session::{Session, SessionOverrides, Thread, ThreadStart};

use super::import_entry::ImportedConversation;

/// Builds an imported conversation, with ids counted from 1.
pub(crate) struct ConversationBuilder {
    pub conversation: Conversation,
    messages: i64,
    blobs: i64,
    /// Attachments that the file names but does not contain.
    pub missing: u32,
    /// Branches whose parent message the file does not contain.
    pub unplaced: u32,
}

impl ConversationBuilder {
    pub(crate) fn new(title: Option<String>) -> Self {
        let session = Session {
            id: SessionId(0),
            title: title.filter(|title| !title.trim().is_empty()),
            pinned: false,
            current_thread: ThreadId(0),
            model: None::<ModelRef>,
            overrides: SessionOverrides::default(),
            created_at: 0,
            updated_at: 0,
        };
        let conversation = Conversation {
            session,
            threads: Vec::new(),
            reminders: Vec::new(),
            waiting: Vec::new(),
            draft: Draft::default(),
            blobs: Default::default(),
            outputs: Default::default(),
        };
        Self { conversation, messages: 0, blobs: 0, missing: 0, unplaced: 0 }
    }

    /// Sets the session's own instructions. Blank ones are ignored.
    pub(crate) fn set_instructions(&mut self, instructions: Option<&str>) {
        let instructions = instructions.filter(|text| !text.trim().is_empty());
        self.conversation.session.overrides.instructions = instructions.map(str::to_owned);
    }

    /// Begins a thread; messages added next belong to it.
    pub(crate) fn begin_thread(&mut self, created_at: i64) {
        let number = u32::try_from(self.conversation.threads.len() + 1).unwrap_or(u32::MAX);
        let beginning = if number == 1 { ThreadStart::First {} } else { ThreadStart::Person {} };
        let thread = Thread {
            id: ThreadId(i64::from(number)),
            session_id: SessionId(0),
            number,
            leaf: None,
            beginning,
            created_at,
            ended_at: None,
        };
        let (messages, points, generations) = (Vec::new(), Vec::new(), Vec::new());
        self.conversation.threads.push(ThreadRecord { thread, messages, points, generations });
    }

    /// Adds a message to the thread begun last.
    pub(crate) fn add_message(
        &mut self,
        parent_id: Option<MessageId>,
        message: ParsedMessage,
    ) -> MessageId {
        self.messages += 1;
        let id = MessageId(self.messages);
        let Some(record) = self.conversation.threads.last_mut() else { return id };
        let before = record.messages.last().map(|message| message.created_at);
        let created_at = message.at.or(before).unwrap_or(record.thread.created_at);
        record.messages.push(Message {
            id,
            thread_id: record.thread.id,
            parent_id,
            kind: message.kind,
            role: message.role,
            origin: match message.role {
                Role::User => Origin::Person,
                Role::Assistant => Origin::Model,
            },
            parts: message.parts.into(),
            state: MessageState::Complete {},
            inclusion: Inclusion::Usual,
            model: None,
            created_at,
        });
        id
    }

    /// Adds a tree of messages to the thread begun last. Returns the message of each node by its
    /// id; a node that is not shown has the message of its parent.
    pub(crate) fn add_tree<'a>(
        &mut self,
        nodes: &[SourceNode<'a>],
        mut parse: impl FnMut(&'a Value, &mut Self) -> Option<ParsedMessage>,
    ) -> HashMap<&'a str, Option<MessageId>> {
        let mut places: HashMap<&str, Option<MessageId>> = HashMap::new();
        for node in parents_first(nodes) {
            let under = node.parent.and_then(|parent| places.get(parent).copied().flatten());
            let place = match parse(node.value, self) {
                Some(message) => Some(self.add_message(under, message)),
                None => under,
            };
            places.insert(node.id, place);
        }
        places
    }

    /// Sets the leaf of the thread begun last.
    pub(crate) fn end_thread(&mut self, leaf: Option<MessageId>) {
        if let Some(record) = self.conversation.threads.last_mut() {
            record.thread.leaf = leaf;
        }
    }

    /// A picture part; without the bytes only its name, as text. The size comes from the bytes, or
    /// else from the file.
    pub(crate) fn picture(
        &mut self,
        name: &str,
        bytes: Option<Vec<u8>>,
        size: Option<(u32, u32)>,
    ) -> ContentPart {
        let Some(shown) = bytes.and_then(ImageFile::new) else {
            return self.missing_attachment(name);
        };
        let ImageFile { media_type, size: own, bytes } = shown;
        let (ingested, length) =
            (IngestedFile::Image { media_type, size: own.or(size) }, bytes.len());
        attachment::attachment(ingested, self.add_blob(bytes), name.to_owned(), length)
            .part(String::new())
    }

    /// The part of an attachment: a picture, or a file with its text. An attachment that is
    /// neither, or is missing, becomes its name as text.
    pub(crate) fn attachment_part(&mut self, name: &str, bytes: Option<Vec<u8>>) -> ContentPart {
        let ingested =
            bytes.and_then(|bytes| Some((attachment::ingest(name, &bytes).ok()?, bytes)));
        let Some((mut ingested, bytes)) = ingested else { return self.missing_attachment(name) };
        let text = match &mut ingested {
            IngestedFile::Image { .. } => String::new(),
            IngestedFile::File { document, .. } => std::mem::take(&mut document.text),
        };
        let size = bytes.len();
        attachment::attachment(ingested, self.add_blob(bytes), name.to_owned(), size).part(text)
    }

    /// The name of an attachment that the file does not contain, as text.
    pub(crate) fn missing_attachment(&mut self, name: &str) -> ContentPart {
        ContentPart::Text { text: self.missing_label(name) }
    }

    pub(crate) fn missing_label(&mut self, name: &str) -> String {
        self.missing += 1;
        format!("[{name}]")
    }

    fn add_blob(&mut self, bytes: Vec<u8>) -> BlobId {
        self.blobs += 1;
        let blob = BlobId(self.blobs);
        self.conversation.blobs.insert(blob, Base64(bytes));
        blob
    }

    /// A file part whose text alone was exported.
    pub(crate) fn file(&mut self, name: &str, text: String) -> ContentPart {
        ContentPart::File {
            blob: self.add_blob(text.clone().into_bytes()),
            name: name.to_owned(),
            media_type: "text/plain".into(),
            bytes: u32::try_from(text.len()).unwrap_or(u32::MAX),
            text,
        }
    }

    /// The finished conversation. Without times of its own it takes those of its messages.
    pub(crate) fn finish(
        mut self,
        created_at: Option<i64>,
        updated_at: Option<i64>,
    ) -> ImportedConversation {
        let times = || {
            let messages = self.conversation.threads.iter().flat_map(|it| &it.messages);
            messages.map(|message| message.created_at).filter(|at| *at > 0)
        };
        let (first, last) = (times().min(), times().max());
        let session = &mut self.conversation.session;
        // A conversation without any time sorts as the oldest.
        session.created_at = created_at.or(first).unwrap_or(0);
        session.updated_at = updated_at.or(last).unwrap_or(session.created_at);
        let Self { conversation, missing, unplaced, .. } = self;
        ImportedConversation { conversation, missing, unplaced }
    }
}

/// A message in a tree of another program's file.
pub(crate) struct SourceNode<'a> {
    pub id: &'a str,
    /// `None` for a root. A node whose parent is unknown is a root as well.
    pub parent: Option<&'a str>,
    pub value: &'a Value,
}

/// The nodes, each after its parent. Cycles are left out.
fn parents_first<'n, 'a>(nodes: &'n [SourceNode<'a>]) -> Vec<&'n SourceNode<'a>> {
    let known: HashSet<&str> = nodes.iter().map(|node| node.id).collect();
    let mut children: HashMap<&str, Vec<&SourceNode>> = HashMap::new();
    let mut order = Vec::new();
    for node in nodes {
        match node.parent.filter(|parent| known.contains(parent)) {
            Some(parent) => children.entry(parent).or_default().push(node),
            None => order.push(node),
        }
    }
    let mut at = 0;
    while let Some(node) = order.get(at).copied() {
        order.extend(children.remove(node.id).unwrap_or_default());
        at += 1;
    }
    order
}

pub(crate) struct ParsedMessage {
    pub kind: MessageKind,
    pub role: Role,
    pub parts: Vec<ContentPart>,
    /// `None` if the file states no time; the message then gets the time of the one before.
    pub at: Option<i64>,
}

impl ParsedMessage {
    /// A message of the conversation; `None` if it is empty.
    pub(crate) fn chat(role: Role, parts: Vec<ContentPart>, at: Option<i64>) -> Option<Self> {
        (!parts.is_empty()).then_some(Self { kind: MessageKind::Chat {}, role, parts, at })
    }
}

/// `args` is JSON.
pub(crate) fn tool_call_part(id: &str, name: &str, args: &str, state: ToolState) -> ContentPart {
    let (call_id, name, args) = (id.to_owned(), name.to_owned(), args.to_owned());
    ContentPart::Tool { call: ToolCall { call_id, name, args, signature: None, state } }
}

/// The state of a call with this output.
pub(crate) fn tool_output(text: String) -> ToolState {
    let output =
        ToolOutput { text, whole: None, pictures: Vec::new(), withheld: false, folder: None };
    ToolState::Done { output }
}

/// The parts of a tool's message without a call id: its text becomes the result of a call, so that
/// it is never taken for text of the model.
pub(crate) fn orphan_result_parts(
    id: &str,
    name: &str,
    parts: Vec<ContentPart>,
) -> Vec<ContentPart> {
    let mut texts = Vec::new();
    let mut rest = Vec::new();
    for part in parts {
        match part {
            ContentPart::Text { text } => texts.push(text),
            ContentPart::Reasoning { .. }
            | ContentPart::Image(_)
            | ContentPart::File { .. }
            | ContentPart::Tool { .. } => rest.push(part),
        }
    }
    if !texts.is_empty() {
        rest.insert(0, tool_call_part(id, name, "{}", tool_output(texts.join("\n\n"))));
    }
    rest
}

/// Sets the state of the call with this id, or of the last call if there is no id.
pub(crate) fn set_call_state(parts: &mut [ContentPart], id: Option<&str>, state: ToolState) {
    let mut calls = parts.iter_mut().rev().filter_map(ContentPart::as_call_mut);
    let call = calls.find(|call| id.is_none_or(|id| id == call.call_id));
    if let Some(call) = call {
        call.state = state;
    }
}

/// A text part; `None` for a blank text.
pub(crate) fn text_part(text: &str) -> Option<ContentPart> {
    (!text.trim().is_empty()).then(|| ContentPart::Text { text: text.to_owned() })
}

/// A part with the reasoning of a model; `None` for a blank text.
pub(crate) fn reasoning_part(text: &str) -> Option<ContentPart> {
    let text = Some(text).filter(|text| !text.trim().is_empty())?.to_owned();
    Some(ContentPart::Reasoning { text, signature: None })
}

/// A string as it is, any other value as JSON.
pub(crate) fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The text under a key, or the texts of its list, joined.
pub(crate) fn joined_text(value: &Value, key: &str) -> String {
    match str_field(value, key) {
        Some(text) => text.to_owned(),
        None => array_field(value, key)
            .filter_map(|piece| str_field(piece, "text"))
            .collect::<Vec<_>>()
            .join("\n\n"),
    }
}

/// The string under a key; `None` if there is none.
pub(crate) fn str_field<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

/// The elements of the array under a key; none if there is no array.
pub(crate) fn array_field<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// The bytes of a `data:` URL; `None` for other URLs.
pub(crate) fn decode_data_url(url: &str) -> Option<Vec<u8>> {
    let (_, data) = url.split_once(";base64,")?;
    STANDARD.decode(data).ok()
}

/// Milliseconds of a time in seconds since the epoch, possibly with a fraction.
pub(crate) fn millis_from_seconds(seconds: Option<&Value>) -> Option<i64> {
    let milliseconds = seconds?.as_f64()? * 1_000.0;
    // Times after the year 200,000 are not times.
    (0.0..8.0e15).contains(&milliseconds).then_some(milliseconds as i64)
}

/// Milliseconds since the epoch of an RFC 3339 time.
pub(crate) fn millis_from_rfc3339(text: Option<&Value>) -> Option<i64> {
    DateTime::parse_from_rfc3339(text?.as_str()?).ok().map(|time| time.timestamp_millis())
}
