//! Reads Skein's own export files, of every version.

use serde_json::{Value, json};
use skein_domain::error::FileError;
use skein_domain::message::Inclusion;

use super::builder;
use super::import_entry::{ImportEntry, ImportedConversation};
use crate::skein_format::{ConversationFile, VERSION, without_folder};

/// The conversation of an export file, or the reason why it has none.
pub(crate) fn parse(mut root: Value) -> ImportEntry {
    let session_field = |key: &str| root.get("conversation")?.get("session")?.get(key)?.as_str();
    let title = session_field("title").map(str::to_owned);
    let version = root.get("version").and_then(Value::as_u64);
    if version < Some(4) {
        name_inclusions(&mut root);
    }
    if version < Some(6) {
        name_unread(&mut root);
    }
    let conversation = match version {
        Some(version) if version <= u64::from(VERSION) => {
            serde_json::from_value::<ConversationFile>(root)
                .map(|file| {
                    let conversation = without_folder(file.conversation);
                    ImportedConversation { conversation, missing: 0, unplaced: 0 }
                })
                .map_err(|error| FileError::Misbuilt { detail: error.to_string() })
        }
        Some(_) => Err(FileError::NewerFormat {}),
        None => Err(FileError::Misbuilt { detail: "`version` is no number".into() }),
    };
    ImportEntry { title, conversation }
}

/// The threads of a file of any version.
fn threads(root: &mut Value) -> impl Iterator<Item = &mut Value> {
    root.pointer_mut("/conversation/threads").and_then(Value::as_array_mut).into_iter().flatten()
}

/// Converts the pin flag of versions before 4 to an inclusion.
fn name_inclusions(root: &mut Value) {
    for thread in threads(root) {
        let messages = thread.get_mut("messages").and_then(Value::as_array_mut);
        for message in messages.into_iter().flatten().filter_map(Value::as_object_mut) {
            let Some(Value::Bool(pinned)) = message.remove("pinned") else { continue };
            let inclusion = if pinned { Inclusion::Pinned } else { Inclusion::Usual };
            message.insert("inclusion".to_owned(), json!(inclusion));
        }
    }
}

/// Adds the messages that a summary did not read, for versions before 6: messages pinned before its
/// boundary were not read.
fn name_unread(root: &mut Value) {
    for thread in threads(root) {
        let id = |value: &Value, key: &str| value.get(key).and_then(Value::as_i64);
        let is_pinned =
            |message: &&Value| message.get("inclusion") == Some(&json!(Inclusion::Pinned));
        let pinned: Vec<_> = builder::array_field(thread, "messages")
            .filter(is_pinned)
            .filter_map(|message| id(message, "id"))
            .collect();
        let points = thread.get_mut("points").and_then(Value::as_array_mut);
        for point in points.into_iter().flatten() {
            let boundary = id(point, "boundaryMessageId");
            let unread: Vec<_> = pinned.iter().filter(|id| Some(**id) <= boundary).collect();
            let unread = json!(unread);
            if let Value::Object(fields) = point {
                fields.insert("unread".to_owned(), unread);
            }
        }
    }
}
