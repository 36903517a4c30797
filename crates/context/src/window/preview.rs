//! "What the model sees": the entries of a window as the user reads them, with the texts that all wire
//! formats send.

use serde::{Deserialize, Serialize};
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::ids::{MessageId, PointId, ReminderId};
use skein_domain::message::{ContentPart, Role};
use specta::Type;

use super::context_window::Window;
use super::encrypted_items::{ItemPart, item_parts};
use super::prefix::{Prefix, SectionKind};
use super::prompt_entry::EntryContent;
use crate::prompts;
use skein_domain::tool_declaration::ToolFamily;

/// An entry of the request as the user reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PreviewEntry {
    /// The kind of entry.
    pub label: EntryLabel,
    /// The role it is sent as; `None` for the system prompt and the tools.
    pub role: Option<Role>,
    /// The parts as they are sent.
    pub parts: Vec<PreviewPart>,
    /// The tokens of the entry.
    pub tokens: u32,
}

/// A part of an entry as it is sent. Stored data that the model does not read is not in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PreviewPart {
    /// Text: of a message, of its reasoning, or of a file in its frame.
    Text {
        /// The text as it is sent.
        text: String,
    },
    /// An image.
    Picture {
        /// The name of the image, which is not sent.
        name: String,
    },
    /// Content that only the provider of a model can read.
    Encrypted {
        /// The provider's id of the model.
        model: String,
        /// The size of the content.
        bytes: u32,
    },
    /// A tool call and its result.
    Call {
        /// The name of the tool.
        name: String,
        /// The arguments as the model wrote them.
        args: String,
        /// The result as the model reads it, whatever the state of the call.
        result: String,
        /// The names of the images that are sent with it.
        pictures: Vec<String>,
    },
}

/// The kind of an entry of the request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum EntryLabel {
    /// A section of the system prompt.
    Section {
        /// The kind of section.
        section: SectionKind,
    },
    /// A declared tool.
    Tool {
        /// The name of the tool.
        name: String,
        /// The row of the breakdown that it belongs to.
        family: ToolFamily,
    },
    /// The opening on the user's side before a first message of the model.
    Opening {},
    /// The summary.
    Summary {
        /// The message with the summary.
        message_id: MessageId,
        /// The compaction point of the summary.
        point_id: PointId,
    },
    /// The facts beside the summary.
    Anchors {},
    /// The hint how to search covered messages.
    Recall {},
    /// A covered message that is pinned.
    Pinned {
        /// The pinned message.
        message_id: MessageId,
    },
    /// A message.
    Message {
        /// The message.
        message_id: MessageId,
    },
    /// Covered passages that match the new message.
    Passages {},
    /// A reminder.
    Reminder {
        /// The reminder.
        reminder_id: ReminderId,
    },
    /// The unsent draft.
    Draft {},
    /// The request to continue a reply that was cut off.
    GoOn {},
}

impl Window<'_> {
    /// The request entry by entry, in the order it is sent.
    pub fn preview(&self) -> Vec<PreviewEntry> {
        let entries = self.entries.iter().map(|entry| {
            let (role, parts) = entry.content.sent();
            let label = entry.content.label();
            let parts = match entry.content.encrypted() {
                Some(encrypted) => encrypted_parts(encrypted),
                None => parts.iter().map(preview_part).collect(),
            };
            PreviewEntry { label, role: Some(role), parts, tokens: entry.tokens }
        });
        prefix_entries(self.conversation.prefix).chain(entries).collect()
    }
}

fn encrypted_parts(encrypted: &EncryptedSummary) -> Vec<PreviewPart> {
    let parts = item_parts(&encrypted.items).map(|part| match part {
        ItemPart::Text(text) => PreviewPart::Text { text: text.to_owned() },
        ItemPart::Image => PreviewPart::Picture { name: String::new() },
        ItemPart::Encrypted(content) => PreviewPart::Encrypted {
            model: encrypted.model.model.clone(),
            bytes: u32::try_from(content.len()).unwrap_or(u32::MAX),
        },
    });
    parts.collect()
}

fn preview_part(part: &ContentPart) -> PreviewPart {
    match part {
        ContentPart::Text { text } | ContentPart::Reasoning { text, .. } => {
            PreviewPart::Text { text: text.clone() }
        }
        ContentPart::Image(picture) => PreviewPart::Picture { name: picture.name.clone() },
        ContentPart::File { name, text, .. } => {
            PreviewPart::Text { text: prompts::file_block(name, text) }
        }
        ContentPart::Tool { call } => PreviewPart::Call {
            name: call.name.clone(),
            args: call.args.clone(),
            result: prompts::tool_result_text(call).into_owned(),
            pictures: call.shown().iter().map(|picture| picture.name.clone()).collect(),
        },
    }
}

fn prefix_entries(prefix: &Prefix) -> impl Iterator<Item = PreviewEntry> {
    let entry = |label, text: String, tokens| PreviewEntry {
        label,
        role: None,
        parts: vec![PreviewPart::Text { text }],
        tokens,
    };
    let sections = prefix.sections.iter().map(move |section| {
        let label = EntryLabel::Section { section: section.kind.clone() };
        entry(label, section.content.text.clone(), section.content.tokens)
    });
    let tools = prefix.tools.iter().map(move |tool| {
        let declaration = &tool.declaration;
        let label = EntryLabel::Tool { name: declaration.name.clone(), family: declaration.family };
        let text = format!("{}\n{}", declaration.description, declaration.parameters);
        entry(label, text, tool.tokens)
    });
    sections.chain(tools)
}

impl EntryContent<'_> {
    fn label(&self) -> EntryLabel {
        match self {
            Self::Opening => EntryLabel::Opening {},
            Self::Summary { covered, .. } => EntryLabel::Summary {
                message_id: covered.point.summary_message_id,
                point_id: covered.point.id,
            },
            Self::Facts { .. } => EntryLabel::Anchors {},
            Self::SearchHint { .. } => EntryLabel::Recall {},
            Self::Pinned { sent, .. } => EntryLabel::Pinned { message_id: sent.counted.message.id },
            Self::Message { sent, .. } => {
                EntryLabel::Message { message_id: sent.counted.message.id }
            }
            Self::Passages { .. } => EntryLabel::Passages {},
            Self::Reminder { reminder, .. } => EntryLabel::Reminder { reminder_id: reminder.id },
            Self::Draft { .. } => EntryLabel::Draft {},
            Self::ContinueReply { .. } => EntryLabel::GoOn {},
        }
    }
}
