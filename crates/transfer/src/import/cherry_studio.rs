//! Reads Cherry Studio's backup: an archive with one JSON text that holds all topics, and the
//! attachments beside it. Of its settings only the names of the topics are read; the others contain
//! keys and passwords.
//!
//! The format follows the source (github.com/CherryHQ/cherry-studio): `getBackupData` and
//! `handleData` in `src/renderer/src/services/BackupService.ts` write and read the text,
//! `types/newMessage.ts` and `types/legacyMessage.ts` define a message, and `filterUsefulMessages`
//! in `utils/messageUtils/filters.ts` chooses which of several answers is sent.
//!
//! Not here: the parts of a message (`cherry_studio_blocks`), and the database copy that newer
//! versions write beside it, which only a browser can read.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Role};

use super::bounded_reader::{BoundedReader, MemoryAllowance};
use super::builder::{
    ConversationBuilder, ParsedMessage, array_field, millis_from_rfc3339, str_field,
};
use super::cherry_studio_blocks::{self, BlocksById};
use super::import_entry::ImportEntry;
use super::zip_archive::ImportArchive;

/// The name of the JSON text in the archive.
pub(crate) const BACKUP_FILE: &str = "data.json";

/// The default names of a topic.
const DEFAULT_NAMES: &[&str] = &[
    "Default Topic",
    "New Topic",
    "默认话题",
    "新话题",
    "預設話題",
    "新話題",
    "デフォルトトピック",
    "新しいトピック",
];

/// True if the archive holds Cherry Studio's own database instead of its phone app's backup.
pub(crate) fn is_snapshot(archive: &mut ImportArchive) -> bool {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Metadata {
        app_name: String,
    }
    let about = archive.unpack("metadata.json").ok();
    let about = about.and_then(|bytes| serde_json::from_slice::<Metadata>(&bytes).ok());
    about.is_some_and(|about| about.app_name.starts_with("Cherry Studio"))
}

/// The number of topics in these tables.
pub(crate) fn topic_count(tables: &str) -> usize {
    let tables: Value = serde_json::from_str(tables).unwrap_or_default();
    topics_with_messages(&tables).count()
}

/// The topics with messages: every assistant also has an empty one. Version 1 has one table for
/// everything.
fn topics_with_messages(tables: &Value) -> impl Iterator<Item = &Value> {
    let rows = tables.as_array().into_iter().flatten();
    let rows =
        rows.filter(|row| str_field(row, "key").is_some_and(|key| key.starts_with("topic:")));
    let topics = array_field(tables, "topics").chain(rows.filter_map(|row| row.get("value")));
    topics.filter(|topic| array_field(topic, "messages").next().is_some())
}

pub(crate) fn parse<'a>(
    root: &'a Map<String, Value>,
    archive: &'a mut ImportArchive,
) -> impl Iterator<Item = ImportEntry> {
    let tables = root.get("indexedDB").unwrap_or(&Value::Null);
    let blocks =
        array_field(tables, "message_blocks").filter_map(|it| Some((str_field(it, "id")?, it)));
    let blocks: BlocksById = blocks.collect();
    let mut named = topic_info(root);
    topics_with_messages(tables).map(move |topic| {
        let about = str_field(topic, "id").and_then(|id| named.remove(id)).unwrap_or_default();
        one(topic, about, &blocks, archive)
    })
}

/// The data of a topic that is stored outside it; empty if its assistant was deleted.
#[derive(Default)]
struct TopicInfo {
    name: Option<String>,
    /// True if the name is a default one.
    unnamed: bool,
    pinned: bool,
    /// The instructions of its assistant, and its own.
    instructions: Vec<String>,
    created_at: Option<i64>,
    updated_at: Option<i64>,
}

impl TopicInfo {
    fn new(topic: &Value, assistant: &Value) -> Self {
        let name = str_field(topic, "name");
        let is = |key: &str| topic.get(key) == Some(&Value::Bool(true));
        let instructions = [assistant, topic].into_iter().filter_map(|it| str_field(it, "prompt"));
        Self {
            name: name.map(str::to_owned),
            unnamed: !is("isNameManuallyEdited")
                && name.is_some_and(|it| DEFAULT_NAMES.contains(&it)),
            pinned: is("pinned"),
            instructions: instructions.map(str::to_owned).collect(),
            created_at: millis_from_rfc3339(topic.get("createdAt")),
            updated_at: millis_from_rfc3339(topic.get("updatedAt")),
        }
    }
}

/// The data of each topic by id. It is a JSON text within a JSON text, beside settings with keys.
fn topic_info(root: &Map<String, Value>) -> HashMap<String, TopicInfo> {
    #[derive(Deserialize)]
    struct PersistedState {
        assistants: Option<String>,
    }
    let kept = root.get("localStorage").and_then(|it| str_field(it, "persist:cherry-studio"));
    let kept = kept.and_then(|text| serde_json::from_str::<PersistedState>(text).ok()?.assistants);
    let kept = kept.and_then(|text| {
        // The outer text was already limited and repaired when it was read.
        serde_json::from_reader(BoundedReader::new(text.as_bytes(), MemoryAllowance::new(0))).ok()
    });
    let kept: Value = kept.unwrap_or_default();
    let mut named = HashMap::new();
    for assistant in array_field(&kept, "assistants").chain(kept.get("defaultAssistant")) {
        for topic in array_field(assistant, "topics") {
            let Some(id) = str_field(topic, "id") else { continue };
            named.entry(id.to_owned()).or_insert_with(|| TopicInfo::new(topic, assistant));
        }
    }
    named
}

fn one(
    topic: &Value,
    about: TopicInfo,
    blocks: &BlocksById,
    archive: &mut ImportArchive,
) -> ImportEntry {
    let TopicInfo { name, unnamed, pinned, mut instructions, created_at, updated_at } = about;
    let mut builder = ConversationBuilder::new(name.clone().filter(|_| !unnamed));
    builder.conversation.session.pinned = pinned;
    builder.begin_thread(created_at.unwrap_or(0));
    let mut line = TopicReader { builder, blocks, archive, leaf: None, answers: HashMap::new() };
    for message in array_field(topic, "messages") {
        match str_field(message, "role") {
            _ if str_field(message, "type") == Some("clear") => line.clear(message),
            Some("user") => line.ask(message),
            Some("assistant") => line.answer(message),
            Some("system") => instructions.extend(line.instructions(message)),
            Some(_) | None => {}
        }
    }
    let TopicReader { mut builder, leaf, .. } = line;
    builder.end_thread(leaf);
    instructions.retain(|text| !text.trim().is_empty());
    builder.set_instructions(Some(&instructions.join("\n\n")));
    ImportEntry { title: name, conversation: Ok(builder.finish(created_at, updated_at)) }
}

/// Reads a topic: a list of messages in which the answers to the same message are siblings.
struct TopicReader<'a> {
    builder: ConversationBuilder,
    blocks: &'a BlocksById<'a>,
    archive: &'a mut ImportArchive,
    leaf: Option<MessageId>,
    /// The answers by the id of their question.
    answers: HashMap<&'a str, AnswerGroup>,
}

/// The answers to one message.
struct AnswerGroup {
    under: Option<MessageId>,
    /// The answer that is sent on.
    chosen: MessageId,
    /// True if the user chose it; otherwise it is the first.
    useful: bool,
}

impl<'a> TopicReader<'a> {
    /// Ends the thread: messages before a clear are not sent any more. An empty thread stays open.
    fn clear(&mut self, message: &Value) {
        if self.leaf.is_none() {
            return;
        }
        self.builder.end_thread(self.leaf.take());
        self.answers.clear();
        let last = self.builder.conversation.threads.last().and_then(|it| it.messages.last());
        let at = millis_from_rfc3339(message.get("createdAt")).or(last.map(|last| last.created_at));
        self.builder.begin_thread(at.unwrap_or(0));
    }

    fn ask(&mut self, message: &Value) {
        if let Some(id) = self.add_message(self.leaf, Role::User, message) {
            self.leaf = Some(id);
        }
    }

    /// Adds an answer. The first answer to a message continues the path; further ones become
    /// siblings.
    fn answer(&mut self, message: &'a Value) {
        let question_id = str_field(message, "askId").filter(|asked| !asked.is_empty());
        let useful = message.get("useful") == Some(&Value::Bool(true));
        let before = question_id.and_then(|asked| self.answers.get(asked));
        let under = before.map_or(self.leaf, |before| before.under);
        let Some(id) = self.add_message(under, Role::Assistant, message) else { return };
        match question_id.and_then(|asked| self.answers.get_mut(asked)) {
            Some(before) => {
                if useful && !before.useful && self.leaf == Some(before.chosen) {
                    (before.chosen, before.useful) = (id, true);
                    self.leaf = Some(id);
                }
            }
            None => {
                let answers = AnswerGroup { under, chosen: id, useful };
                self.answers.extend(question_id.map(|asked| (asked, answers)));
                self.leaf = Some(id);
            }
        }
    }

    fn instructions(&mut self, message: &Value) -> Vec<String> {
        let parts = self.parts(message);
        let texts = parts.iter().filter_map(|part| part.as_text().map(str::to_owned));
        texts.collect()
    }

    /// Adds a message unless it is empty.
    fn add_message(
        &mut self,
        under: Option<MessageId>,
        role: Role,
        message: &Value,
    ) -> Option<MessageId> {
        let parts = self.parts(message);
        let at = millis_from_rfc3339(message.get("createdAt"));
        Some(self.builder.add_message(under, ParsedMessage::chat(role, parts, at)?))
    }

    fn parts(&mut self, message: &Value) -> Vec<ContentPart> {
        cherry_studio_blocks::parse_parts(message, self.blocks, &mut self.builder, self.archive)
    }
}
