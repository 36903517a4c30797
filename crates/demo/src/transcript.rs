//! Messages of a prompt, or of a conversation written in tags, as the engine's message type.

use skein_context::facts;
use skein_context::tokens::message_tokens::Tokenizer;
use skein_context::window::Prompt;
use skein_domain::ids::{BlobId, MessageId, ThreadId};
use skein_domain::message::{
    ContentPart, Inclusion, Message, MessageKind, MessageState, Origin, Role,
};

use super::counter;
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
    let mut messages = Vec::new();
    for block in conversation.split("<message from=\"").skip(1) {
        let Some((speaker, text)) = block.split_once("\">") else { continue };
        let origin = match speaker {
            "user" => Origin::Person,
            "assistant" => Origin::Model,
            _ => Origin::Runtime,
        };
        let id = i64::try_from(messages.len() + 1).unwrap_or(i64::MAX);
        messages.push(new_message(id, origin, parts(text)));
    }
    messages
}

fn parts(text: &str) -> Vec<ContentPart> {
    let mut parts = Vec::new();
    let (mut lines, mut is_material) = (String::new(), false);
    for line in text.lines().chain(["</file>"]) {
        let opens = line.starts_with("<file name=") || line == "<tool_result>";
        let closes = matches!(line, "</file>" | "</tool_result>" | "</message>");
        if !opens && !closes {
            lines.push_str(line);
            lines.push('\n');
            continue;
        }
        let text = std::mem::take(&mut lines);
        match text.trim().is_empty() {
            true => {}
            false if is_material => parts.push(file(text)),
            false => parts.push(ContentPart::Text { text }),
        }
        is_material = opens;
    }
    parts
}

/// The facts in messages as lines of a list, best first, at most `budget` tokens of them.
pub(super) fn fact_lines(messages: &[Message], budget: u32) -> Vec<String> {
    let found = facts::extract(&facts::sources(messages));
    let counter = counter();
    facts::lines_to_read(&facts::fit_budget(found, budget, |text| counter.text(text)).kept)
}

fn file(text: String) -> ContentPart {
    ContentPart::File {
        blob: BlobId(0),
        name: String::new(),
        media_type: "text/plain".to_owned(),
        text,
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
