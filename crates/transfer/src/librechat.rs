//! LibreChat's export: one conversation, of which each message names the one before it. All of them stand in
//! one list, or each in the list of the one it follows, which [`super::nested`] makes one list.
//!
//! The shape is that of its source (github.com/danny-avila/LibreChat): `exportJSON` in
//! `client/src/hooks/Conversations/useExportConversation.ts` with `buildMessageTree` in
//! `client/src/hooks/Messages/useBuildMessageTree.ts` writes it, `importLibreChatConvo` in
//! `api/server/utils/import/importers.js` reads it, and `api/server/utils/import/__data__` has files of it.
//! What the parts of a message are is in `packages/data-provider/src/types/agents.ts`. How they were asked
//! for is in `options`, where the person wanted that.

use serde_json::Value;
use skein_domain::message::{ContentPart, MessageKind, Role, ToolState};

use super::nested::{ID, PARENT};
use super::sources::Found;
use super::tree::{Growing, Node, Said, call, list, of_text, returned, word, words};

/// Reads one conversation.
pub(super) fn found(entry: &Value) -> Found {
    let title = word(entry, "title").map(str::to_owned);
    let held = ["messagesTree", "messages"];
    let Some(messages) = held.iter().find_map(|key| entry.get(key)?.as_array()) else {
        return Found::misbuilt(title, "`messages` is not a list");
    };
    let mut growing = Growing::new(title.clone());
    growing.instruct(entry.pointer("/options/promptPrefix").and_then(Value::as_str));
    growing.begin(0);
    let nodes: Vec<Node> = messages
        .iter()
        .filter_map(|value| Some(Node { id: word(value, ID)?, parent: word(value, PARENT), value }))
        .collect();
    let places = growing.plant(&nodes, said);
    // It does not say which alternatives were shown. LibreChat shows the last ones.
    let last = nodes.iter().rev().find_map(|node| places.get(node.id).copied().flatten());
    growing.end(last);
    Found { title, conversation: Ok(growing.done(None, None)) }
}

fn said(message: &Value, growing: &mut Growing) -> Option<Said> {
    let role = match message.get("isCreatedByUser")?.as_bool()? {
        true => Role::User,
        false => Role::Assistant,
    };
    let content = list(message, "content").filter_map(|it| part(it, growing));
    let mut parts: Vec<_> = content.collect();
    if parts.is_empty() {
        parts.extend(word(message, "text").and_then(words));
    }
    for file in list(message, "files") {
        let name = word(file, "filename").filter(|name| !name.is_empty()).unwrap_or("file");
        parts.push(match word(file, "text").filter(|text| !text.trim().is_empty()) {
            Some(text) => growing.file(name, text.to_owned()),
            None => growing.missing(name),
        });
    }
    let at = of_text(message.get("createdAt"));
    (!parts.is_empty()).then_some(Said { kind: MessageKind::Chat {}, role, parts, at })
}

fn part(part: &Value, growing: &mut Growing) -> Option<ContentPart> {
    // Of an assistant of OpenAI's a text has notes beside it.
    let text = |key: &str| word(part, key).or_else(|| word(part.get(key)?, "value"));
    match word(part, "type")? {
        "text" | "error" => words(text("text").or_else(|| text("error"))?),
        "think" => {
            Some(ContentPart::Reasoning { text: text("think")?.to_owned(), signature: None })
        }
        "tool_call" => tool(part.get("tool_call")?),
        "image_file" => {
            let file = part.get("image_file").unwrap_or(&Value::Null);
            Some(growing.missing(word(file, "filename").unwrap_or("image")))
        }
        // Says only who speaks next.
        "agent_update" => None,
        kind => Some(growing.missing(kind)),
    }
}

/// One of its own tools; what a call was given is a text, or already read.
fn tool(made: &Value) -> Option<ContentPart> {
    let args = match made.get("args") {
        Some(Value::String(args)) => args.clone(),
        Some(args) => args.to_string(),
        None => String::new(),
    };
    let state = match word(made, "output") {
        Some(output) => returned(output.to_owned()),
        None => ToolState::Cancelled {},
    };
    Some(call(word(made, "id").unwrap_or_default(), word(made, "name")?, &args, state))
}
