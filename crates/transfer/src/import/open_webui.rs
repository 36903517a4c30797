//! Reads Open WebUI's export: a list of chats, each with its messages by id, the parent of each,
//! and the leaf of the path shown last.
//!
//! The format follows the source (github.com/open-webui/open-webui). `exportChats` in
//! `src/lib/components/chat/Settings/DataControls.svelte` writes the chats as they are stored
//! (`ChatModel` in `backend/open_webui/models/chats.py`), `downloadJSONExport` in
//! `src/lib/components/layout/Sidebar/ChatMenu.svelte` a list of one. `submitPrompt` in
//! `src/lib/components/chat/Chat.svelte` defines a message, and `serialize_content_blocks` in
//! `backend/open_webui/utils/middleware.py` how reasoning and tool calls are embedded in its text.
//! Newer messages repeat them as the items of `output`. An old chat has only a list of messages
//! (`convertMessagesToHistory` in `src/lib/utils/index.ts`).

use std::sync::LazyLock;

use quick_xml::escape::unescape;
use regex::Regex;
use serde_json::Value;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Role, ToolState};

use super::builder::{
    ConversationBuilder, ParsedMessage, SourceNode, array_field, decode_data_url, joined_text,
    millis_from_seconds, reasoning_part, set_call_state, str_field, text_part, tool_call_part,
    tool_output,
};
use super::import_entry::ImportEntry;

pub(crate) fn parse(entry: &Value) -> ImportEntry {
    let chat = entry.get("chat").unwrap_or(&Value::Null);
    let title = str_field(entry, "title").or_else(|| str_field(chat, "title")).map(str::to_owned);
    let (created, updated) = (
        millis_from_seconds(entry.get("created_at")),
        millis_from_seconds(entry.get("updated_at")),
    );
    let mut builder = ConversationBuilder::new(title.clone());
    builder.set_instructions(chat.pointer("/params/system").and_then(Value::as_str));
    builder.begin_thread(created.unwrap_or(0));
    let history = chat.pointer("/history/messages").and_then(Value::as_object);
    let leaf = match (history, chat.get("messages").and_then(Value::as_array)) {
        (Some(messages), _) => {
            let current = chat.pointer("/history/currentId").and_then(Value::as_str);
            tree(messages, current, &mut builder)
        }
        (None, Some(messages)) => line(messages, &mut builder),
        (None, None) => {
            return ImportEntry::malformed(title, "`chat.history.messages` is not a map");
        }
    };
    builder.end_thread(leaf);
    ImportEntry { title, conversation: Ok(builder.finish(created, updated)) }
}

fn tree(
    messages: &serde_json::Map<String, Value>,
    current: Option<&str>,
    builder: &mut ConversationBuilder,
) -> Option<MessageId> {
    let nodes: Vec<SourceNode> = messages
        .iter()
        .map(|(id, value)| SourceNode { id, parent: str_field(value, "parentId"), value })
        .collect();
    let places = builder.add_tree(&nodes, parse_message);
    let leaf = current.and_then(|id| places.get(id).copied().flatten());
    leaf.or_else(|| places.values().copied().flatten().max())
}

fn line(messages: &[Value], builder: &mut ConversationBuilder) -> Option<MessageId> {
    messages.iter().fold(None, |last, message| match parse_message(message, builder) {
        Some(parsed) => Some(builder.add_message(last, parsed)),
        None => last,
    })
}

fn parse_message(message: &Value, builder: &mut ConversationBuilder) -> Option<ParsedMessage> {
    let content = str_field(message, "content").unwrap_or_default();
    let (role, mut parts) = match str_field(message, "role")? {
        "user" => (Role::User, text_part(content).into_iter().collect()),
        "assistant" => (Role::Assistant, output(message).unwrap_or_else(|| blocks(content))),
        _ => return None,
    };
    parts.extend(array_field(message, "files").map(|file| attachment(file, builder)));
    let at = millis_from_seconds(message.get("timestamp"));
    ParsedMessage::chat(role, parts, at)
}

/// The parts of a reply from `output`; `None` if it is absent or has an unknown item. The text is
/// then parsed instead.
fn output(message: &Value) -> Option<Vec<ContentPart>> {
    let mut parts = Vec::new();
    for item in array_field(message, "output") {
        match str_field(item, "type")? {
            "message" => parts.extend(text_part(&joined_text(item, "content"))),
            "reasoning" => {
                let thought = [joined_text(item, "content"), joined_text(item, "summary")];
                parts.extend(thought.iter().find_map(|text| reasoning_part(text)));
            }
            "function_call" => {
                let id = str_field(item, "call_id").unwrap_or_default();
                let args = str_field(item, "arguments").unwrap_or_default();
                let name = str_field(item, "name")?;
                parts.push(tool_call_part(id, name, args, ToolState::Cancelled {}));
            }
            "function_call_output" => {
                let output = tool_output(joined_text(item, "output"));
                set_call_state(&mut parts, str_field(item, "call_id"), output);
            }
            _ => return None,
        }
    }
    (!parts.is_empty()).then_some(parts)
}

/// Reasoning and tool calls embedded in the text of a reply.
static BLOCK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?s)<details type="(reasoning|tool_calls)"([^>]*)>(.*?)</details>"#).ok()
});

fn blocks(content: &str) -> Vec<ContentPart> {
    let mut parts = Vec::new();
    let mut read = 0;
    for captures in BLOCK.iter().flat_map(|block| block.captures_iter(content)) {
        let [kind, about, body] = captures.extract().1;
        let whole = captures.get_match();
        parts.extend(content.get(read..whole.start()).and_then(between));
        read = whole.end();
        if kind == "reasoning" {
            parts.extend(reasoning_part(&quoted_reasoning(body)));
        } else {
            parts.extend(tool(about, parts.len()));
        }
    }
    parts.extend(content.get(read..).and_then(between));
    parts
}

/// The text between embedded blocks.
fn between(text: &str) -> Option<ContentPart> {
    text_part(text.trim_matches('\n'))
}

/// The reasoning in a block. It is a quotation below a heading.
fn quoted_reasoning(body: &str) -> String {
    let quoted = body.split_once("</summary>").map_or(body, |(_, quoted)| quoted).trim();
    let lines = quoted.lines().map(|line| {
        let line = unescape_html(line);
        line.strip_prefix("> ").or_else(|| line.strip_prefix('>')).unwrap_or(&line).to_owned()
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// The tool call of a block, from the attributes of its tag.
fn tool(about: &str, place: usize) -> Option<ContentPart> {
    let field = |key: &str| {
        let (_, from) = about.split_once(&format!(" {key}=\""))?;
        Some(unescape_html(from.split_once('"')?.0))
    };
    let id = field("id").filter(|id| !id.is_empty()).unwrap_or_else(|| format!("call-{place}"));
    let args = field("arguments").map(unescape_json).unwrap_or_default();
    let state = match field("result") {
        Some(result) => tool_output(unescape_json(result)),
        None => ToolState::Cancelled {},
    };
    Some(tool_call_part(&id, &field("name")?, &args, state))
}

/// Unescapes HTML. Text that is not escaped stays as it is.
fn unescape_html(text: &str) -> String {
    unescape(text).map_or_else(|_| text.to_owned(), |plain| plain.into_owned())
}

/// The string in a JSON string literal.
fn unescape_json(json: String) -> String {
    serde_json::from_str::<String>(&json).unwrap_or(json)
}

/// A picture with its bytes, or a file with its extracted text. Newer attachments are on the server
/// only.
fn attachment(file: &Value, builder: &mut ConversationBuilder) -> ContentPart {
    let filed = || file.pointer("/file/filename").and_then(Value::as_str);
    let data = str_field(file, "url").filter(|url| url.starts_with("data:"));
    let known = str_field(file, "name").or_else(filed).filter(|name| !name.is_empty());
    let name = known.or_else(|| str_field(file, "type")).unwrap_or("file");
    match (data, file.pointer("/file/data/content").and_then(Value::as_str)) {
        (Some(data), _) => builder.picture(name, decode_data_url(data), None),
        (None, Some(text)) if !text.trim().is_empty() => builder.file(name, text.to_owned()),
        (None, _) => builder.missing_attachment(name),
    }
}
