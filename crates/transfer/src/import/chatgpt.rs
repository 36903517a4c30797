//! Reads ChatGPT's export: a conversation is a map of nodes that form a tree, with the leaf of the
//! path shown last.

use serde_json::Value;
use skein_domain::message::{ContentPart, Role};

use super::builder::{
    ConversationBuilder, ParsedMessage, SourceNode, array_field, millis_from_seconds,
    orphan_result_parts, reasoning_part, str_field, text_part,
};
use super::import_entry::ImportEntry;
use super::zip_archive::ImportArchive;
use crate::code_fence::fenced;

pub(crate) fn parse(entry: &Value, archive: &mut ImportArchive) -> ImportEntry {
    let title = str_field(entry, "title").map(str::to_owned);
    let Some(nodes) = entry.get("mapping").and_then(Value::as_object) else {
        return ImportEntry::malformed(title, "`mapping` is not a map");
    };
    let (created, updated) = (
        millis_from_seconds(entry.get("create_time")),
        millis_from_seconds(entry.get("update_time")),
    );
    let mut builder = ConversationBuilder::new(title.clone());
    builder.begin_thread(created.unwrap_or(0));
    let nodes: Vec<SourceNode> = nodes
        .iter()
        .map(|(id, value)| SourceNode { id, parent: str_field(value, "parent"), value })
        .collect();
    let places =
        builder.add_tree(&nodes, |node, builder| message(node.get("message")?, builder, archive));
    let current = str_field(entry, "current_node");
    let leaf = current.and_then(|key| places.get(key).copied().flatten());
    builder.end_thread(leaf.or_else(|| places.values().copied().flatten().max()));
    ImportEntry { title, conversation: Ok(builder.finish(created, updated)) }
}

/// The message of a node; `None` if the user never saw it.
fn message(
    message: &Value,
    builder: &mut ConversationBuilder,
    archive: &mut ImportArchive,
) -> Option<ParsedMessage> {
    let hidden = message.pointer("/metadata/is_visually_hidden_from_conversation");
    let weightless = message.get("weight").and_then(Value::as_f64) == Some(0.0);
    if weightless || hidden.and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let author = message.pointer("/author/role").and_then(Value::as_str)?;
    let role = match author {
        "user" => Role::User,
        "assistant" | "tool" => Role::Assistant,
        _ => return None,
    };
    let mut parts = parts(message.get("content")?, builder, archive);
    if author == "tool" {
        let name = message.pointer("/author/name").and_then(Value::as_str).unwrap_or("tool");
        let id = str_field(message, "id").unwrap_or_default();
        parts = orphan_result_parts(id, name, parts);
    }
    parts.extend(attachments(message, builder, archive));
    let at = millis_from_seconds(message.get("create_time"));
    ParsedMessage::chat(role, parts, at)
}

fn parts(
    content: &Value,
    builder: &mut ConversationBuilder,
    archive: &mut ImportArchive,
) -> Vec<ContentPart> {
    let text = |key: &str| str_field(content, key);
    let part = match text("content_type").unwrap_or("text") {
        "code" => text("text").map(|code| {
            let language = text("language").filter(|name| *name != "unknown").unwrap_or_default();
            ContentPart::Text { text: fenced(language, code) }
        }),
        "thoughts" => thoughts(content),
        "reasoning_recap" | "user_editable_context" | "model_editable_context" => None,
        _ => match content.get("parts").and_then(Value::as_array) {
            Some(pieces) => {
                return pieces.iter().filter_map(|it| piece(it, builder, archive)).collect();
            }
            None => text("text").or_else(|| text("result")).and_then(text_part),
        },
    };
    part.into_iter().collect()
}

fn piece(
    piece: &Value,
    builder: &mut ConversationBuilder,
    archive: &mut ImportArchive,
) -> Option<ContentPart> {
    if let Some(text) = piece.as_str() {
        return text_part(text);
    }
    if let Some(id) = asset(piece) {
        let file = archive.names_with_prefix(id).next().map(str::to_owned);
        let size = |key: &str| u32::try_from(piece.get(key)?.as_u64()?).ok();
        let bytes = file.as_deref().and_then(|file| archive.unpack(file).ok());
        let name = file.as_deref().unwrap_or(id);
        return Some(builder.picture(name, bytes, size("width").zip(size("height"))));
    }
    text_part(str_field(piece, "text")?)
}

/// The attachments of a message. They are listed beside the content, including the pictures in it.
fn attachments(
    message: &Value,
    builder: &mut ConversationBuilder,
    archive: &mut ImportArchive,
) -> Vec<ContentPart> {
    let pieces = message.pointer("/content/parts").and_then(Value::as_array);
    let shown: Vec<_> = pieces.into_iter().flatten().filter_map(asset).collect();
    let files = message.pointer("/metadata/attachments").and_then(Value::as_array);
    let mut parts = Vec::new();
    for file in files.into_iter().flatten() {
        let text = |key: &str| str_field(file, key).filter(|text| !text.is_empty());
        let id = text("id");
        if id.is_some_and(|id| shown.contains(&id)) {
            continue;
        }
        let bytes = id.and_then(|id| {
            let kept = archive.names_with_prefix(id).next()?.to_owned();
            archive.unpack(&kept).ok()
        });
        parts.push(builder.attachment_part(text("name").or(id).unwrap_or("file"), bytes));
    }
    parts
}

/// The file id in `file-service://file-abc` or `sediment://file_abc`. The archive has
/// `file-abc-name.png`.
fn asset(piece: &Value) -> Option<&str> {
    piece.get("asset_pointer")?.as_str()?.rsplit('/').next()
}

fn thoughts(content: &Value) -> Option<ContentPart> {
    let thoughts = array_field(content, "thoughts");
    let texts = thoughts.filter_map(|thought| str_field(thought, "content"));
    reasoning_part(&texts.collect::<Vec<_>>().join("\n\n"))
}
