//! "What the model sees": the lines of a window as the user is shown them, in the words that every wire
//! says.

use serde::{Deserialize, Serialize};
use skein_domain::ids::{MessageId, PointId, ReminderId};
use skein_domain::message::{ContentPart, Role};
use specta::Type;

use super::context_window::Window;
use super::prefix::{Prefix, SectionKind};
use super::prompt_entry::EntryContent;
use crate::prompts;
use skein_domain::tool_declaration::ToolFamily;

/// One line of the request as the user is shown it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PreviewEntry {
    /// What it is.
    pub label: EntryLabel,
    /// Who it is sent as; `None` for the system prompt and the tools.
    pub role: Option<Role>,
    /// Exactly what is sent.
    pub parts: Vec<PreviewPart>,
    /// Its tokens.
    pub tokens: u32,
}

/// A part of a line as it is sent: what is stored of it otherwise, a model does not see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PreviewPart {
    /// Words: what was said or thought, or a file in its frame.
    Text {
        /// As they are sent.
        text: String,
    },
    /// A picture.
    Picture {
        /// As the user knows it: no words of it are sent.
        name: String,
    },
    /// A tool call and its result.
    Call {
        /// The tool.
        name: String,
        /// As the model wrote them.
        args: String,
        /// What the model is told came of it, whatever became of it.
        result: String,
        /// The pictures of it that go along, by their names.
        pictures: Vec<String>,
    },
}

/// What a line of the request is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum EntryLabel {
    /// A text of the system prompt.
    Section {
        /// Which.
        section: SectionKind,
    },
    /// A declared tool.
    Tool {
        /// Its name.
        name: String,
        /// Which row of the breakdown it belongs to.
        family: ToolFamily,
    },
    /// What stands on the user's side before the model's words, where those are first.
    Opening {},
    /// The summary.
    Summary {
        /// Its message.
        message_id: MessageId,
        /// Its point.
        point_id: PointId,
    },
    /// Anchors beside the summary.
    Anchors {},
    /// How to look covered messages up.
    Recall {},
    /// A covered message that is pinned.
    Pinned {
        /// Which.
        message_id: MessageId,
    },
    /// A message.
    Message {
        /// Which.
        message_id: MessageId,
    },
    /// Covered passages that fit the new message.
    Passages {},
    /// A reminder.
    Reminder {
        /// Which.
        reminder_id: ReminderId,
    },
    /// What the user has written and not sent.
    Draft {},
    /// That the reply which was cut off is to be gone on with.
    GoOn {},
}

impl Window<'_> {
    /// The request line by line, in the order it is sent.
    pub fn preview(&self) -> Vec<PreviewEntry> {
        let lines = self.entries.iter().map(|line| {
            let (role, parts) = line.content.sent();
            let label = line.content.label();
            let parts = parts.iter().map(seen).collect();
            PreviewEntry { label, role: Some(role), parts, tokens: line.tokens }
        });
        prefix_lines(self.conversation.prefix).chain(lines).collect()
    }
}

fn seen(part: &ContentPart) -> PreviewPart {
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

fn prefix_lines(prefix: &Prefix) -> impl Iterator<Item = PreviewEntry> {
    let line = |label, text: String, tokens| PreviewEntry {
        label,
        role: None,
        parts: vec![PreviewPart::Text { text }],
        tokens,
    };
    let sections = prefix.sections.iter().map(move |section| {
        let label = EntryLabel::Section { section: section.kind.clone() };
        line(label, section.content.text.clone(), section.content.tokens)
    });
    let tools = prefix.tools.iter().map(move |tool| {
        let declaration = &tool.declaration;
        let label = EntryLabel::Tool { name: declaration.name.clone(), family: declaration.family };
        let text = format!("{}\n{}", declaration.description, declaration.parameters);
        line(label, text, tool.tokens)
    });
    sections.chain(tools)
}

impl EntryContent<'_> {
    fn label(&self) -> EntryLabel {
        match self {
            Self::Opening => EntryLabel::Opening {},
            Self::Summary { covered } => EntryLabel::Summary {
                message_id: covered.point.summary_message_id,
                point_id: covered.point.id,
            },
            Self::Anchors { .. } => EntryLabel::Anchors {},
            Self::Recall { .. } => EntryLabel::Recall {},
            Self::Pinned { sent } => EntryLabel::Pinned { message_id: sent.counted.message.id },
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
