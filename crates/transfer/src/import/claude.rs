//! Reads Claude's export: a list of messages; newer files name the parent of each.

use std::collections::HashMap;

use serde_json::Value;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, MessageKind, Role, ToolState};

use super::builder::{
    ConversationBuilder, ParsedMessage, array_field, millis_from_rfc3339, set_call_state,
    str_field, tool_call_part, tool_output,
};
use super::import_entry::ImportEntry;

pub(crate) fn parse(entry: &Value) -> ImportEntry {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    let title = text("name").map(str::to_owned);
    let Some(messages) = entry.get("chat_messages").and_then(Value::as_array) else {
        return ImportEntry::malformed(title, "`chat_messages` is not a list");
    };
    let (created, updated) = (
        millis_from_rfc3339(entry.get("created_at")),
        millis_from_rfc3339(entry.get("updated_at")),
    );
    let mut builder = ConversationBuilder::new(title.clone());
    builder.begin_thread(created.unwrap_or(0));
    let mut places: HashMap<&str, Option<MessageId>> = HashMap::new();
    let mut last = None;
    for message in messages {
        let parent = message.get("parent_message_uuid").and_then(Value::as_str);
        // Without a parent the message follows the one before; an unknown parent is the root.
        let under = match parent {
            Some(parent) => places.get(parent).copied().flatten(),
            None => last,
        };
        let place = match said(message, &mut builder) {
            Some(said) => Some(builder.add_message(under, said)),
            None => under,
        };
        if let Some(id) = message.get("uuid").and_then(Value::as_str) {
            places.insert(id, place);
        }
        last = place;
    }
    let current =
        text("current_leaf_message_uuid").and_then(|id| places.get(id).copied().flatten());
    builder.end_thread(current.or(last));
    ImportEntry { title, conversation: Ok(builder.finish(created, updated)) }
}

fn said(message: &Value, builder: &mut ConversationBuilder) -> Option<ParsedMessage> {
    let role = match message.get("sender").and_then(Value::as_str)? {
        "human" => Role::User,
        "assistant" => Role::Assistant,
        _ => return None,
    };
    let blocks = message.get("content").and_then(Value::as_array);
    let mut parts = blocks.map(|blocks| content(blocks)).unwrap_or_default();
    if parts.is_empty() {
        let text = message.get("text").and_then(Value::as_str).filter(|it| !it.trim().is_empty());
        parts.extend(text.map(|text| ContentPart::Text { text: text.to_owned() }));
    }
    for attachment in array_field(message, "attachments") {
        let text = attachment.get("extracted_content").and_then(Value::as_str).unwrap_or_default();
        parts.push(builder.file(name(attachment), text.to_owned()));
    }
    for file in array_field(message, "files") {
        parts.push(builder.missing_attachment(name(file)));
    }
    let at = millis_from_rfc3339(message.get("created_at"));
    (!parts.is_empty()).then_some(ParsedMessage { kind: MessageKind::Chat {}, role, parts, at })
}

/// The parts of a message. The result of a tool becomes part of its call.
fn content(blocks: &[Value]) -> Vec<ContentPart> {
    let mut parts: Vec<ContentPart> = Vec::new();
    for block in blocks {
        let text =
            |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        match block.get("type").and_then(Value::as_str).unwrap_or_default() {
            "text" if !text("text").trim().is_empty() => {
                parts.push(ContentPart::Text { text: text("text") });
            }
            "thinking" => {
                parts.push(ContentPart::Reasoning { text: text("thinking"), signature: None });
            }
            "tool_use" => {
                let id = call_id(block, "id", parts.len());
                let args = block.get("input").map(Value::to_string).unwrap_or_default();
                parts.push(tool_call_part(&id, &text("name"), &args, ToolState::Cancelled {}));
            }
            "tool_result" => {
                set_call_state(&mut parts, str_field(block, "tool_use_id"), result(block))
            }
            _ => {}
        }
    }
    parts
}

fn result(block: &Value) -> ToolState {
    let text = match block.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(pieces)) => {
            let texts = pieces.iter().filter_map(|piece| piece.get("text").and_then(Value::as_str));
            texts.collect::<Vec<_>>().join("\n\n")
        }
        Some(_) | None => String::new(),
    };
    match block.get("is_error").and_then(Value::as_bool) {
        Some(true) => ToolState::Failed { message: text },
        Some(false) | None => tool_output(text),
    }
}

fn call_id(block: &Value, key: &str, place: usize) -> String {
    let given = block.get(key).and_then(Value::as_str).map(str::to_owned);
    given.unwrap_or_else(|| format!("call-{place}"))
}

fn name(file: &Value) -> &str {
    file.get("file_name").and_then(Value::as_str).filter(|name| !name.is_empty()).unwrap_or("file")
}
