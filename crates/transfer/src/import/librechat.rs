//! Reads LibreChat's export: one conversation whose messages name their parent. They are in one
//! list, or each in the list of its parent, which [`crate::import::flatten`] turns into one list.
//!
//! The format follows the source (github.com/danny-avila/LibreChat): `exportJSON` in
//! `client/src/hooks/Conversations/useExportConversation.ts` with `buildMessageTree` in
//! `client/src/hooks/Messages/useBuildMessageTree.ts` writes it, `importLibreChatConvo` in
//! `api/server/utils/import/importers.js` reads it, and `api/server/utils/import/__data__` has
//! examples. `packages/data-provider/src/types/agents.ts` defines the parts of a message. `options`
//! has the request settings if the user exported them.

use serde_json::Value;
use skein_domain::message::{ContentPart, Role, ToolState};

use super::builder::{
    ConversationBuilder, ParsedMessage, SourceNode, array_field, millis_from_rfc3339,
    reasoning_part, str_field, text_of, text_part, tool_call_part, tool_output,
};
use super::flatten::{ID, PARENT};
use super::import_entry::ImportEntry;

pub(crate) fn parse(entry: &Value) -> ImportEntry {
    let title = str_field(entry, "title").map(str::to_owned);
    let keys = ["messagesTree", "messages"];
    let Some(messages) = keys.iter().find_map(|key| entry.get(key)?.as_array()) else {
        return ImportEntry::malformed(title, "`messages` is not a list");
    };
    let mut builder = ConversationBuilder::new(title.clone());
    builder.set_instructions(entry.pointer("/options/promptPrefix").and_then(Value::as_str));
    builder.begin_thread(0);
    let nodes: Vec<SourceNode> = messages
        .iter()
        .filter_map(|value| {
            Some(SourceNode { id: str_field(value, ID)?, parent: str_field(value, PARENT), value })
        })
        .collect();
    let places = builder.add_tree(&nodes, parse_message);
    // The file does not state the shown branch. LibreChat shows the last one.
    let last = nodes.iter().rev().find_map(|node| places.get(node.id).copied().flatten());
    builder.end_thread(last);
    ImportEntry { title, conversation: Ok(builder.finish(None, None)) }
}

fn parse_message(message: &Value, builder: &mut ConversationBuilder) -> Option<ParsedMessage> {
    let role = match message.get("isCreatedByUser")?.as_bool()? {
        true => Role::User,
        false => Role::Assistant,
    };
    let content = array_field(message, "content").filter_map(|it| part(it, builder));
    let mut parts: Vec<_> = content.collect();
    if parts.is_empty() {
        parts.extend(str_field(message, "text").and_then(text_part));
    }
    for file in array_field(message, "files") {
        let name = str_field(file, "filename").filter(|name| !name.is_empty()).unwrap_or("file");
        parts.push(match str_field(file, "text").filter(|text| !text.trim().is_empty()) {
            Some(text) => builder.file(name, text.to_owned()),
            None => builder.missing_attachment(name),
        });
    }
    let at = millis_from_rfc3339(message.get("createdAt"));
    ParsedMessage::chat(role, parts, at)
}

fn part(part: &Value, builder: &mut ConversationBuilder) -> Option<ContentPart> {
    // A text of an OpenAI assistant is an object with annotations.
    let text = |key: &str| str_field(part, key).or_else(|| str_field(part.get(key)?, "value"));
    match str_field(part, "type")? {
        "text" | "error" => text_part(text("text").or_else(|| text("error"))?),
        "think" => reasoning_part(text("think")?),
        "tool_call" => tool(part.get("tool_call")?),
        "image_file" => {
            let file = part.get("image_file").unwrap_or(&Value::Null);
            Some(builder.missing_attachment(str_field(file, "filename").unwrap_or("image")))
        }
        // An `agent_update` only names the next speaker.
        "agent_update" => None,
        kind => Some(builder.missing_attachment(kind)),
    }
}

/// A call of a tool. Its arguments are a JSON text or already parsed.
fn tool(made: &Value) -> Option<ContentPart> {
    let args = made.get("args").map(text_of).unwrap_or_default();
    let state = match str_field(made, "output") {
        Some(output) => tool_output(output.to_owned()),
        None => ToolState::Cancelled {},
    };
    let id = str_field(made, "id").unwrap_or_default();
    Some(tool_call_part(id, str_field(made, "name")?, &args, state))
}
