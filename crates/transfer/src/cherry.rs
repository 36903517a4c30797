//! Cherry Studio's backup as it can be carried elsewhere: an archive with one text that holds all of its
//! topics, and the attachments beside it. Of its settings only what names the topics is read: the others hold
//! keys and passwords.
//!
//! The shape is that of its source (github.com/CherryHQ/cherry-studio): `getBackupData` and `handleData` in
//! `src/renderer/src/services/BackupService.ts` write and read the text, `types/newMessage.ts` and
//! `types/legacyMessage.ts` say what a message is, and `filterUsefulMessages` in
//! `utils/messageUtils/filters.ts` which of several answers is sent on.
//!
//! Not here: what a message consists of (`cherry_blocks`), and the copy of its database that newer versions
//! make beside this, which only the browser it is made of can read.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, MessageKind, Role};

use super::cherry_blocks::{self, Blocks};
use super::sources::Found;
use super::text::{Text, Weight};
use super::tree::{Growing, Said, list, of_text, word};
use super::unpacked::Archive;

/// The name of the text in its archive.
pub(super) const TEXT: &str = "data.json";

/// What a topic is called that nobody has named.
const UNNAMED: &[&str] = &[
    "Default Topic",
    "New Topic",
    "默认话题",
    "新话题",
    "預設話題",
    "新話題",
    "デフォルトトピック",
    "新しいトピック",
];

/// Whether an archive is a copy of its database.
pub(super) fn is_snapshot(archive: &mut Archive) -> bool {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Metadata {
        app_name: String,
    }
    let about = archive.unpack("metadata.json").ok();
    let about = about.and_then(|bytes| serde_json::from_slice::<Metadata>(&bytes).ok());
    about.is_some_and(|about| about.app_name.starts_with("Cherry Studio"))
}

/// How many topics these tables hold.
pub(super) fn topics(tables: &str) -> usize {
    let tables: Value = serde_json::from_str(tables).unwrap_or_default();
    begun(&tables).count()
}

/// The topics in which something was said: every assistant has an empty one. In version 1 there is one table
/// for everything.
fn begun(tables: &Value) -> impl Iterator<Item = &Value> {
    let rows = tables.as_array().into_iter().flatten();
    let rows = rows.filter(|row| word(row, "key").is_some_and(|key| key.starts_with("topic:")));
    let topics = list(tables, "topics").chain(rows.filter_map(|row| row.get("value")));
    topics.filter(|topic| list(topic, "messages").next().is_some())
}

/// Reads every topic.
pub(super) fn found<'a>(
    root: &'a Map<String, Value>,
    archive: &'a mut Archive,
) -> impl Iterator<Item = Found> {
    let tables = root.get("indexedDB").unwrap_or(&Value::Null);
    let blocks = list(tables, "message_blocks").filter_map(|it| Some((word(it, "id")?, it)));
    let blocks: Blocks = blocks.collect();
    let mut named = named(root);
    begun(tables).map(move |topic| {
        let about = word(topic, "id").and_then(|id| named.remove(id)).unwrap_or_default();
        one(topic, about, &blocks, archive)
    })
}

/// What is said of a topic outside of it; nothing of one whose assistant is gone.
#[derive(Default)]
struct About {
    name: Option<String>,
    /// Whether it is called so because nobody has named it.
    unnamed: bool,
    pinned: bool,
    /// Those of its assistant, and its own.
    instructions: Vec<String>,
    created_at: Option<i64>,
    updated_at: Option<i64>,
}

impl About {
    fn new(topic: &Value, assistant: &Value) -> Self {
        let name = word(topic, "name");
        let is = |key: &str| topic.get(key) == Some(&Value::Bool(true));
        let instructions = [assistant, topic].into_iter().filter_map(|it| word(it, "prompt"));
        Self {
            name: name.map(str::to_owned),
            unnamed: !is("isNameManuallyEdited") && name.is_some_and(|it| UNNAMED.contains(&it)),
            pinned: is("pinned"),
            instructions: instructions.map(str::to_owned).collect(),
            created_at: of_text(topic.get("createdAt")),
            updated_at: of_text(topic.get("updatedAt")),
        }
    }
}

/// What is said of each topic, by its id. It stands in a text in a text, beside those with keys.
fn named(root: &Map<String, Value>) -> HashMap<String, About> {
    #[derive(Deserialize)]
    struct Kept {
        assistants: Option<String>,
    }
    let kept = root.get("localStorage").and_then(|it| word(it, "persist:cherry-studio"));
    let kept = kept.and_then(|text| serde_json::from_str::<Kept>(text).ok()?.assistants);
    let kept = kept.and_then(|text| {
        // What was written twice was mended once.
        serde_json::from_reader(Text::new(text.as_bytes(), Weight::new(0))).ok()
    });
    let kept: Value = kept.unwrap_or_default();
    let mut named = HashMap::new();
    for assistant in list(&kept, "assistants").chain(kept.get("defaultAssistant")) {
        for topic in list(assistant, "topics") {
            let Some(id) = word(topic, "id") else { continue };
            named.entry(id.to_owned()).or_insert_with(|| About::new(topic, assistant));
        }
    }
    named
}

fn one(topic: &Value, about: About, blocks: &Blocks, archive: &mut Archive) -> Found {
    let About { name, unnamed, pinned, mut instructions, created_at, updated_at } = about;
    let mut growing = Growing::new(name.clone().filter(|_| !unnamed));
    growing.conversation.session.pinned = pinned;
    growing.begin(created_at.unwrap_or(0));
    let mut line = Line { growing, blocks, archive, leaf: None, answers: HashMap::new() };
    for message in list(topic, "messages") {
        match word(message, "role") {
            _ if word(message, "type") == Some("clear") => line.clear(message),
            Some("user") => line.ask(message),
            Some("assistant") => line.answer(message),
            Some("system") => instructions.extend(line.instructions(message)),
            Some(_) | None => {}
        }
    }
    let Line { mut growing, leaf, .. } = line;
    growing.end(leaf);
    instructions.retain(|text| !text.trim().is_empty());
    growing.instruct(Some(&instructions.join("\n\n")));
    Found { title: name, conversation: Ok(growing.done(created_at, updated_at)) }
}

/// A topic being read: a list of messages in which what answers the same one stands side by side.
struct Line<'a> {
    growing: Growing,
    blocks: &'a Blocks<'a>,
    archive: &'a mut Archive,
    /// Where the path ends.
    leaf: Option<MessageId>,
    /// By the id of what they answer.
    answers: HashMap<&'a str, Answers>,
}

/// The answers to one message.
struct Answers {
    under: Option<MessageId>,
    /// The one that is sent on.
    chosen: MessageId,
    /// Whether the person chose it; else it is the first.
    useful: bool,
}

impl<'a> Line<'a> {
    /// What stood before is not sent any more: a thread ends there. Where nothing was said in it, none does.
    fn clear(&mut self, message: &Value) {
        if self.leaf.is_none() {
            return;
        }
        self.growing.end(self.leaf.take());
        self.answers.clear();
        let last = self.growing.conversation.threads.last().and_then(|it| it.messages.last());
        let at = of_text(message.get("createdAt")).or(last.map(|last| last.created_at));
        self.growing.begin(at.unwrap_or(0));
    }

    fn ask(&mut self, message: &Value) {
        if let Some(id) = self.say(self.leaf, Role::User, message) {
            self.leaf = Some(id);
        }
    }

    /// The first one to a message goes on where the path ends, and any other beside it.
    fn answer(&mut self, message: &'a Value) {
        let asked = word(message, "askId").filter(|asked| !asked.is_empty());
        let useful = message.get("useful") == Some(&Value::Bool(true));
        let before = asked.and_then(|asked| self.answers.get(asked));
        let under = before.map_or(self.leaf, |before| before.under);
        let Some(id) = self.say(under, Role::Assistant, message) else { return };
        match asked.and_then(|asked| self.answers.get_mut(asked)) {
            Some(before) => {
                if useful && !before.useful && self.leaf == Some(before.chosen) {
                    (before.chosen, before.useful) = (id, true);
                    self.leaf = Some(id);
                }
            }
            None => {
                let answers = Answers { under, chosen: id, useful };
                self.answers.extend(asked.map(|asked| (asked, answers)));
                self.leaf = Some(id);
            }
        }
    }

    fn instructions(&mut self, message: &Value) -> Vec<String> {
        let parts = self.parts(message).into_iter();
        let texts = parts.filter_map(|part| match part {
            ContentPart::Text { text } => Some(text),
            ContentPart::Reasoning { .. }
            | ContentPart::Image(_)
            | ContentPart::File { .. }
            | ContentPart::Tool { .. } => None,
        });
        texts.collect()
    }

    /// Of what is empty nothing is said.
    fn say(&mut self, under: Option<MessageId>, role: Role, message: &Value) -> Option<MessageId> {
        let parts = self.parts(message);
        let at = of_text(message.get("createdAt"));
        let said = Said { kind: MessageKind::Chat {}, role, parts, at };
        (!said.parts.is_empty()).then(|| self.growing.say(under, said))
    }

    fn parts(&mut self, message: &Value) -> Vec<ContentPart> {
        cherry_blocks::parts(message, self.blocks, &mut self.growing, self.archive)
    }
}
