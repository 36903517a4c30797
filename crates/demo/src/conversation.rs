//! Messages of a prompt, or of a conversation written in tags, as the engine's message type.

use std::sync::LazyLock;

use regex::Regex;
use skein_context::window::Prompt;
use skein_domain::ids::{BlobId, MessageId, ThreadId};
use skein_domain::message::{
    ContentPart, Inclusion, Message, MessageKind, MessageState, Origin, Role,
};

use super::tool_requests::is_notice;

/// The messages of a prompt before an index. Text of the program on the user's side (a summary with
/// its facts, reminders, notices) keeps the program as its origin.
pub(super) fn messages_before(prompt: &Prompt, before: usize) -> Vec<Message> {
    let messages = (1..).zip(prompt.messages.iter().take(before));
    let messages = messages.map(|(id, message)| {
        let origin = match (message.role, message.parts.first()) {
            (Role::Assistant, _) => Origin::Model,
            (Role::User, Some(ContentPart::Text { text }))
                if text.starts_with('<') || is_notice(text) =>
            {
                Origin::Runtime
            }
            (Role::User, _) => Origin::Person,
        };
        new_message(id, origin, message.parts.to_vec())
    });
    messages.collect()
}

/// The messages of a conversation in the form that `context::summary` writes for a summary request:
/// a tag before each message names its author, and files and tool results have tags of their own.
pub(super) fn parse(conversation: &str) -> Vec<Message> {
    let blocks = conversation.split("<message from=\"").skip(1);
    let messages = (1..).zip(blocks).filter_map(|(id, block)| {
        let (speaker, text) = block.split_once("\">")?;
        let origin = match speaker {
            "user" => Origin::Person,
            "assistant" => Origin::Model,
            _ => Origin::Runtime,
        };
        Some(new_message(id, origin, parts(text.trim_end().trim_end_matches("</message>"))))
    });
    messages.collect()
}

/// The text of a message, and its files and tool results as files.
fn parts(text: &str) -> Vec<ContentPart> {
    static MATERIAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?ms)^<(?:file name=[^>\n]*|tool_result)>\n(.*?)^</(?:file|tool_result)>$")
            .ok()
    });
    let Some(material) = MATERIAL.as_ref() else { return Vec::new() };
    let said = ContentPart::Text { text: material.replace_all(text, "").into_owned() };
    let files = material.captures_iter(text).filter_map(|found| found.get(1));
    std::iter::once(said).chain(files.map(|file| text_file(file.as_str()))).collect()
}

fn text_file(text: &str) -> ContentPart {
    ContentPart::File {
        blob: BlobId(0),
        name: String::new(),
        media_type: "text/plain".to_owned(),
        text: text.to_owned(),
        bytes: 0,
    }
}

fn new_message(id: i64, origin: Origin, parts: Vec<ContentPart>) -> Message {
    Message {
        id: MessageId(id),
        thread_id: ThreadId(0),
        parent_id: None,
        kind: MessageKind::Chat {},
        role: if origin == Origin::Model { Role::Assistant } else { Role::User },
        origin,
        parts: parts.into(),
        state: MessageState::Complete {},
        inclusion: Inclusion::Usual,
        model: None,
        created_at: 0,
    }
}
