//! Reads Chatbox's export: one JSON object with every session under a key of its own. Settings, and
//! the API keys in them, are not read.

use std::collections::HashMap;

use serde_json::{Map, Value};
use skein_context::compaction::fingerprint;
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger, SummaryWriter};
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::message::{ContentPart, MessageKind, Role, ToolState};

use super::builder::{
    ConversationBuilder, ParsedMessage, array_field, decode_data_url, orphan_result_parts,
    reasoning_part, str_field, text_of, text_part, tool_call_part, tool_output,
};
use super::import_entry::ImportEntry;
use crate::message_path::message_path;

pub(crate) fn parse(root: &Map<String, Value>) -> impl Iterator<Item = ImportEntry> {
    let newer = root.iter().filter(|(key, _)| key.starts_with("session:")).map(|(_, it)| it);
    let older = root.get("chat-sessions").and_then(Value::as_array).into_iter().flatten();
    newer.chain(older).map(move |session| one(session, root))
}

fn one(session: &Value, root: &Map<String, Value>) -> ImportEntry {
    let title = str_field(session, "name").map(str::to_owned);
    if session.get("messages").and_then(Value::as_array).is_none() {
        return ImportEntry::malformed(title, "`messages` is not a list");
    }
    let mut builder = ConversationBuilder::new(title.clone());
    // The points of all threads are in one list; each belongs to the thread of its boundary.
    let points: Vec<&Value> = array_field(session, "compactionPoints")
        .chain(
            array_field(session, "threads")
                .flat_map(|thread| array_field(thread, "compactionPoints")),
        )
        .collect();
    let forks = session.get("messageForksHash").and_then(Value::as_object);
    let mut forks: Vec<_> = forks.into_iter().flatten().collect();
    for thread in array_field(session, "threads") {
        let created = thread.get("createdAt").and_then(Value::as_i64).unwrap_or(0);
        add_thread(&mut builder, thread, &mut forks, &points, created, root);
    }
    add_thread(&mut builder, session, &mut forks, &points, 0, root);
    let lists = forks.iter().flat_map(|(_, fork)| array_field(fork, "lists"));
    let unplaced = lists.filter(|other| array_field(other, "messages").next().is_some()).count();
    builder.unplaced = u32::try_from(unplaced).unwrap_or(u32::MAX);
    ImportEntry { title, conversation: Ok(builder.finish(None, None)) }
}

/// Adds a thread: a list of messages with its branches and compaction points. An older thread
/// without messages is dropped.
fn add_thread(
    builder: &mut ConversationBuilder,
    thread: &Value,
    forks: &mut Vec<(&String, &Value)>,
    points: &[&Value],
    created: i64,
    root: &Map<String, Value>,
) {
    let mut line = ThreadReader { builder, root, places: HashMap::new() };
    line.builder.begin_thread(created);
    let leaf = line.add_messages(None, array_field(thread, "messages"));
    line.add_branches(forks);
    let ThreadReader { builder, places, .. } = line;
    builder.end_thread(leaf);
    let Some(stretch) = builder.conversation.threads.last_mut() else { return };
    for point in points {
        let place = |key: &str| places.get(point.get(key)?.as_str()?).copied().flatten();
        let (Some(boundary), Some(summary)) =
            (place("boundaryMessageId"), place("summaryMessageId"))
        else {
            continue;
        };
        let covered = message_path(&stretch.messages, Some(boundary));
        let Some(id) = i64::try_from(stretch.points.len()).ok().map(|id| PointId(id + 1)) else {
            continue;
        };
        if stretch.points.iter().any(|known| known.summary_message_id == summary) {
            continue;
        }
        stretch.points.push(CompactionPoint {
            id,
            thread_id: ThreadId(0),
            summary_message_id: summary,
            after_message_id: None,
            boundary_message_id: boundary,
            before: 0,
            after: 0,
            covered: u32::try_from(covered.len()).unwrap_or(u32::MAX),
            fingerprint: fingerprint(covered),
            unread: Vec::new(),
            anchors: String::new(),
            trigger: CompactionTrigger::Threshold,
            model: None,
            created_at: point.get("createdAt").and_then(Value::as_i64).unwrap_or(0),
        });
    }
}

struct ThreadReader<'a> {
    builder: &'a mut ConversationBuilder,
    root: &'a Map<String, Value>,
    /// The message of each id in the file. A summary is beside the path and maps to itself.
    places: HashMap<String, Option<MessageId>>,
}

impl ThreadReader<'_> {
    /// Adds messages one after the other; returns the last.
    fn add_messages<'a>(
        &mut self,
        mut under: Option<MessageId>,
        messages: impl Iterator<Item = &'a Value>,
    ) -> Option<MessageId> {
        for message in messages {
            let Some(said) = parse_message(message, self.builder, self.root) else { continue };
            let beside = matches!(said.kind, MessageKind::Summary { .. });
            let id = self.builder.add_message(under, said);
            if let Some(key) = str_field(message, "id") {
                self.places.insert(key.to_owned(), Some(id));
            }
            if !beside {
                under = Some(id);
            }
        }
        under
    }

    /// Adds the alternative continuations of messages in this thread, including those within
    /// another continuation. The list in use is stored empty, because its messages are the thread
    /// itself.
    fn add_branches(&mut self, forks: &mut Vec<(&String, &Value)>) {
        let mut before = forks.len() + 1;
        while forks.len() < before {
            before = forks.len();
            forks.retain(|(key, fork)| {
                let Some(at) = self.places.get(*key).copied().flatten() else { return true };
                for other in array_field(fork, "lists") {
                    self.add_messages(Some(at), array_field(other, "messages"));
                }
                false
            });
        }
    }
}

fn parse_message(
    message: &Value,
    builder: &mut ConversationBuilder,
    root: &Map<String, Value>,
) -> Option<ParsedMessage> {
    let summary = message.get("isSummary").and_then(Value::as_bool) == Some(true);
    let mut parts: Vec<_> = match message.get("contentParts").and_then(Value::as_array) {
        Some(parts) => parts.iter().filter_map(|it| part(it, builder, root)).collect(),
        None => str_field(message, "content").and_then(text_part).into_iter().collect(),
    };
    let author = str_field(message, "role")?;
    if author == "tool" {
        let id = str_field(message, "id").unwrap_or_default();
        let name = str_field(message, "name").unwrap_or("tool");
        parts = orphan_result_parts(id, name, parts);
    }
    add_attachments(message, &mut parts, builder, root);
    let role = match author {
        "user" => Role::User,
        "assistant" | "tool" => Role::Assistant,
        "system" if summary => Role::User,
        "system" => {
            set_instructions(builder, &parts);
            return None;
        }
        _ => return None,
    };
    let at = message.get("timestamp").and_then(Value::as_i64);
    let kind = if summary {
        MessageKind::Summary { writer: SummaryWriter::Skein }
    } else {
        MessageKind::Chat {}
    };
    (!parts.is_empty()).then_some(ParsedMessage { kind, role, parts, at })
}

/// Adds the attachments of a message: files and pages with their extracted text, and pictures in
/// old files.
fn add_attachments(
    message: &Value,
    parts: &mut Vec<ContentPart>,
    builder: &mut ConversationBuilder,
    root: &Map<String, Value>,
) {
    let kept = |it: &Value| {
        let mut keys = ["storageKey", "rawStorageKey"].iter().filter_map(|key| str_field(it, key));
        keys.find_map(|key| root.get(key)?.as_str())
    };
    for file in array_field(message, "files") {
        parts.push(attachment_part(word(file, "name").unwrap_or("file"), kept(file), builder));
    }
    for link in array_field(message, "links") {
        let name = [word(link, "title"), word(link, "url")].into_iter().flatten();
        let name = name.collect::<Vec<_>>().join(" ");
        let name = if name.is_empty() { "link" } else { &name };
        parts.push(attachment_part(name, kept(link), builder));
    }
    for picture in array_field(message, "pictures") {
        let name = word(picture, "storageKey").unwrap_or("picture");
        let data = kept(picture).or_else(|| str_field(picture, "url")).and_then(decode_data_url);
        parts.push(builder.picture(name, data, None));
    }
}

/// The string under a key; `None` for an empty one.
fn word<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    str_field(value, key).filter(|word| !word.is_empty())
}

/// The part of an attachment that is stored as bytes, or as its extracted text.
fn attachment_part(
    name: &str,
    kept: Option<&str>,
    builder: &mut ConversationBuilder,
) -> ContentPart {
    match kept.map(|kept| (kept, decode_data_url(kept))) {
        Some((text, None)) if !text.trim().is_empty() => builder.file(name, text.to_owned()),
        kept => builder.attachment_part(name, kept.and_then(|(_, bytes)| bytes)),
    }
}

/// Takes a system message as the session's own instructions.
fn set_instructions(builder: &mut ConversationBuilder, parts: &[ContentPart]) {
    let texts = parts.iter().filter_map(ContentPart::as_text);
    let text = texts.collect::<Vec<_>>().join("\n\n");
    if !text.is_empty() {
        builder.conversation.session.overrides.instructions = Some(text);
    }
}

fn part(
    part: &Value,
    builder: &mut ConversationBuilder,
    root: &Map<String, Value>,
) -> Option<ContentPart> {
    let text = |key: &str| str_field(part, key).unwrap_or_default();
    match str_field(part, "type")? {
        "text" | "info" => text_part(text("text")),
        "reasoning" => reasoning_part(text("text")),
        "image" => {
            let key = text("storageKey");
            let data = root.get(key).and_then(Value::as_str).and_then(decode_data_url);
            Some(builder.picture(key, data, None))
        }
        "tool-call" => {
            let output = tool_result(part, builder, root);
            let state = match (text("state"), output) {
                ("error", message) => ToolState::Failed { message: message.unwrap_or_default() },
                (_, Some(text)) => tool_output(text),
                (_, None) => ToolState::Cancelled {},
            };
            let args = part.get("args").map(Value::to_string).unwrap_or_default();
            Some(tool_call_part(text("toolCallId"), text("toolName"), &args, state))
        }
        kind => Some(builder.missing_attachment(kind)),
    }
}

/// The result of a tool. Of a large one the message has only the beginning or nothing, and a key of
/// the export has the whole.
fn tool_result(
    part: &Value,
    builder: &mut ConversationBuilder,
    root: &Map<String, Value>,
) -> Option<String> {
    let inline = part.get("result").filter(|it| !it.is_null());
    let Some(key) = str_field(part, "resultStorageKey") else {
        return inline.map(text_of);
    };
    if let Some(whole) = root.get(key).filter(|it| !it.is_null()) {
        return Some(text_of(whole));
    }
    let named = builder.missing_label(key);
    Some(inline.map_or(named, text_of))
}
