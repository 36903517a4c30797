//! Reads Claude's export: a list of messages; newer files name the parent of each.

use std::collections::HashMap;

use serde_json::Value;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Role, ToolState};

use super::builder::{
    ConversationBuilder, ParsedMessage, array_field, joined_text, millis_from_rfc3339,
    reasoning_part, set_call_state, str_field, text_part, tool_call_part, tool_output,
};
use super::import_entry::ImportEntry;

pub(crate) fn parse(entry: &Value) -> ImportEntry {
    let title = str_field(entry, "name").map(str::to_owned);
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
        // Without a parent the message follows the one before; an unknown parent is the root.
        let under = match str_field(message, "parent_message_uuid") {
            Some(parent) => places.get(parent).copied().flatten(),
            None => last,
        };
        let place = match parse_message(message, &mut builder) {
            Some(parsed) => Some(builder.add_message(under, parsed)),
            None => under,
        };
        if let Some(id) = str_field(message, "uuid") {
            places.insert(id, place);
        }
        last = place;
    }
    let current = str_field(entry, "current_leaf_message_uuid");
    let current = current.and_then(|id| places.get(id).copied().flatten());
    builder.end_thread(current.or(last));
    ImportEntry { title, conversation: Ok(builder.finish(created, updated)) }
}

fn parse_message(message: &Value, builder: &mut ConversationBuilder) -> Option<ParsedMessage> {
    let role = match str_field(message, "sender")? {
        "human" => Role::User,
        "assistant" => Role::Assistant,
        _ => return None,
    };
    let mut parts = content(message);
    if parts.is_empty() {
        parts.extend(str_field(message, "text").and_then(text_part));
    }
    for attachment in array_field(message, "attachments") {
        let text = str_field(attachment, "extracted_content").unwrap_or_default();
        parts.push(builder.file(name(attachment), text.to_owned()));
    }
    for file in array_field(message, "files") {
        parts.push(builder.missing_attachment(name(file)));
    }
    let at = millis_from_rfc3339(message.get("created_at"));
    ParsedMessage::chat(role, parts, at)
}

/// The parts of a message. The result of a tool becomes part of its call.
fn content(message: &Value) -> Vec<ContentPart> {
    let mut parts: Vec<ContentPart> = Vec::new();
    for block in array_field(message, "content") {
        let text = |key: &str| str_field(block, key).unwrap_or_default();
        match text("type") {
            "text" => parts.extend(text_part(text("text"))),
            "thinking" => parts.extend(reasoning_part(text("thinking"))),
            "tool_use" => {
                let id = str_field(block, "id").map(str::to_owned);
                let id = id.unwrap_or_else(|| format!("call-{}", parts.len()));
                let args = block.get("input").map(Value::to_string).unwrap_or_default();
                parts.push(tool_call_part(&id, text("name"), &args, ToolState::Cancelled {}));
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
    let text = joined_text(block, "content");
    match block.get("is_error").and_then(Value::as_bool) {
        Some(true) => ToolState::Failed { message: text },
        Some(false) | None => tool_output(text),
    }
}

fn name(file: &Value) -> &str {
    str_field(file, "file_name").filter(|name| !name.is_empty()).unwrap_or("file")
}
