//! Messages, their ordered parts, and the state of each part.
//!
//! A message is immutable once complete: editing creates a sibling, and a request shares its parts. A tool
//! call and its result are one part, so that neither can exist alone. Not here: storing parts (`store`), or
//! wire formats (`providers`).

pub mod draft;
pub mod finish_reason;
pub mod image_scaling;
pub mod queued_message;
mod reply_error;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::compaction_point::SummaryWriter;
use crate::ids::{BlobId, MessageId, OutputId, ThreadId};
use crate::model::ModelRef;

pub use reply_error::ReplyError;

/// One message of a thread's tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Key.
    pub id: MessageId,
    /// The thread it belongs to.
    pub thread_id: ThreadId,
    /// The message that it follows; `None` at the root. The parent of a summary or card is the message after
    /// which it was made; no message has a summary or card as its parent.
    pub parent_id: Option<MessageId>,
    /// The purpose of the message.
    pub kind: MessageKind,
    /// The role that the provider is told.
    pub role: Role,
    /// The true author.
    pub origin: Origin,
    /// The parts in order. Empty only while streaming or if a reply ended before its first text.
    pub parts: Arc<[ContentPart]>,
    /// The state of the message.
    pub state: MessageState,
    /// The user's choice for the context.
    pub inclusion: Inclusion,
    /// The model that wrote it; `None`: no model did.
    pub model: Option<ModelRef>,
    /// Milliseconds since the epoch.
    pub created_at: i64,
}

impl Message {
    /// All text parts, joined by blank lines.
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(ContentPart::as_text).collect::<Vec<_>>().join("\n\n")
    }

    /// True if the program wrote it as a notice.
    pub fn is_notice(&self) -> bool {
        matches!(self.kind, MessageKind::Notice { .. })
    }

    /// True if the message always stays in the context.
    pub fn is_pinned(&self) -> bool {
        self.inclusion == Inclusion::Pinned
    }

    /// True if the message is never sent.
    pub fn is_left_out(&self) -> bool {
        self.inclusion == Inclusion::LeftOut
    }

    /// FR-1.6: true if it is the summary of a compaction.
    pub fn is_summary(&self) -> bool {
        matches!(self.kind, MessageKind::Summary { .. })
    }

    /// The writer of a summary; the usual one for other messages.
    pub fn writer(&self) -> SummaryWriter {
        match self.kind {
            MessageKind::Summary { writer } => writer,
            MessageKind::Chat {} | MessageKind::Notice { .. } | MessageKind::Card {} => {
                SummaryWriter::default()
            }
        }
    }
}

/// The user's choice for a message in the context. Only messages of the conversation can differ from `Usual`:
/// a summary is undone instead, and a notice belongs to an action of the program.
///
/// A left-out message keeps its place on the path, so rounds and boundaries stay. Everything that reads
/// messages for a model skips it: prompt, summary, facts, passages, hand-over note, and the tools that search
/// history.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Inclusion {
    /// The message is sent until a compaction covers it.
    #[default]
    Usual,
    /// The message is always sent, verbatim.
    Pinned,
    /// The message is not sent. A former summary may still mention it until it is renewed. Rounds, and the
    /// tool parts that stay because of them, are the same as if it were sent.
    LeftOut,
}

/// The purpose of a message. Only `Chat` and `Notice` are on the path from root to leaf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum MessageKind {
    /// A message of the user or the model.
    Chat {},
    /// FR-1.6: the summary of a compaction, which its compaction point refers to.
    Summary {
        /// The writer of the text, whoever edited it later.
        #[serde(default, skip_serializing_if = "SummaryWriter::is_skein")]
        writer: SummaryWriter,
    },
    /// A notice of the program that the model reads.
    Notice {
        /// The notice as data for the UI; the text for the model is in the parts.
        notice: Notice,
    },
    /// The card that `/context` posts: shown to the user, never sent. Its text part is the JSON of the
    /// breakdown.
    Card {},
}

/// A notice of the program in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Notice {
    /// D11: the context exceeds the optimal size.
    Caution {
        /// Reported prompt tokens.
        prompt: u32,
        /// The optimal size.
        optimal: u32,
    },
    /// D14: the countdown before an automatic clear.
    Critical {
        /// The turns that remain after this one: 4, 3, 2, 1, 0.
        remaining: u32,
    },
    /// P06: the conversation was full; it was archived, and a new thread began.
    Archived {
        /// The threshold of archiving, in percent of the window.
        percent: u32,
    },
    /// D15: the context was cleared; the reminders remain.
    Cleared {
        /// The author of the clear.
        by: crate::session::ClearedBy,
        /// True if the program made the hand-over note because the model wrote none.
        local_package: bool,
    },
}

/// The role of a message in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// The user's side.
    User,
    /// The model's side.
    Assistant,
}

/// The true author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    /// The user typed, pasted or attached it.
    Person,
    /// A model wrote it.
    Model,
    /// The program wrote it.
    Runtime,
}

/// The state of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum MessageState {
    /// In progress; after a restart it becomes `Interrupted`.
    Streaming {},
    /// Complete.
    Complete {},
    /// The provider ended it before the model finished; the text that had arrived is kept.
    Ended {
        /// The reason.
        at: StopReason,
    },
    /// Cut off: the user stopped it, the stream ended without a finish reason, or the program was killed.
    Interrupted {},
    /// The reply failed; the text that had arrived is kept.
    Failed {
        /// The JSON of an [`Error`](crate::error::Error); another version may have written any text.
        #[specta(type = String)]
        error: ReplyError,
    },
}

/// The limit that made the provider end a reply before the model finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum StopReason {
    /// The longest reply that was asked for.
    Output {
        /// The cap, if less was asked for than the model can give; `None`: it was not.
        shortened: Option<OutputCap>,
    },
    /// The window was full.
    Window {},
    /// The provider's content filter.
    Filter {},
}

/// The cap of a reply for which less was asked than the model can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OutputCap {
    /// The longest reply that was asked for, in tokens.
    pub tokens: u32,
    /// The reason for the cap.
    pub by: OutputCapReason,
}

/// The reason why a reply was capped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum OutputCapReason {
    /// The window has no more room beside the prompt.
    Window,
    /// The account's rate limit or credit allows no more.
    Allowance,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ContentPart {
    /// Markdown text.
    Text {
        /// The text.
        text: String,
    },
    /// The model's reasoning. Shown folded; sent back only if the provider demands it.
    Reasoning {
        /// The text; empty if the provider sends it encrypted.
        text: String,
        /// Opaque state that the provider wants back with it.
        signature: Option<String>,
    },
    /// An image.
    Image(ImageRef),
    /// A file whose text is sent.
    File {
        /// The original bytes.
        blob: BlobId,
        /// The name that the user knows.
        name: String,
        /// The media type, for example `text/plain`.
        media_type: String,
        /// The extracted text, as it is sent.
        text: String,
        /// The size of the file, in bytes.
        bytes: u32,
    },
    /// A tool call and its result.
    Tool {
        /// The call with its state.
        call: ToolCall,
    },
}

/// An image, whose bytes are stored apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImageRef {
    /// The original bytes.
    pub blob: BlobId,
    /// The name that the user knows.
    pub name: String,
    /// The media type, for example `image/png`.
    pub media_type: String,
    /// Width in pixels; `None`: the header could not be read.
    pub width: Option<u32>,
    /// Height in pixels; `None`: the header could not be read.
    pub height: Option<u32>,
    /// The size of the file, in bytes.
    pub bytes: u32,
}

/// A tool call and its result, in one part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// The provider's id, or a generated one if it gives none. Unique within its message.
    pub call_id: String,
    /// The declared name; MCP tools as `server__tool`.
    pub name: String,
    /// The arguments as the model wrote them: JSON, incomplete if the reply was cut off.
    pub args: String,
    /// Opaque state that the provider wants back with the call.
    pub signature: Option<String>,
    /// The state of the call.
    pub state: ToolState,
}

impl ContentPart {
    /// The text of a text part.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text { text } = self { Some(text) } else { None }
    }

    /// The call of a tool part.
    pub fn as_call(&self) -> Option<&ToolCall> {
        if let Self::Tool { call } = self { Some(call) } else { None }
    }

    /// The call of a tool part, mutable.
    pub fn as_call_mut(&mut self) -> Option<&mut ToolCall> {
        if let Self::Tool { call } = self { Some(call) } else { None }
    }

    /// True if the part has content for a model: no wire format takes a blank text.
    pub fn has_content(&self) -> bool {
        match self {
            Self::Text { text } => !text.trim().is_empty(),
            Self::Reasoning { text, signature } => !text.is_empty() || signature.is_some(),
            Self::Image(_) | Self::File { .. } | Self::Tool { .. } => true,
        }
    }

    /// The image of an image part.
    pub fn attached_image(&self) -> Option<&ImageRef> {
        if let Self::Image(picture) = self { Some(picture) } else { None }
    }

    /// The images of its tool result.
    pub fn shown(&self) -> &[ImageRef] {
        self.as_call().map_or(&[], ToolCall::shown)
    }
}

impl ToolCall {
    /// The images of its result, unless that is withheld.
    pub fn shown(&self) -> &[ImageRef] {
        if let ToolState::Done { output } = &self.state
            && !output.withheld
        {
            return &output.pictures;
        }
        &[]
    }

    /// The text of its result or its error; `None`: it has none.
    pub fn result_text(&self) -> Option<&str> {
        match &self.state {
            ToolState::Done { output } => Some(&output.text),
            ToolState::Failed { message } => Some(message),
            ToolState::Pending {}
            | ToolState::AwaitingApproval {}
            | ToolState::Running { .. }
            | ToolState::Denied {}
            | ToolState::Cancelled {} => None,
        }
    }
}

/// The state of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ToolState {
    /// The arguments may be incomplete.
    Pending {},
    /// The user is being asked.
    AwaitingApproval {},
    /// The tool is running.
    Running {
        /// The start, in milliseconds since the epoch.
        started_at: i64,
    },
    /// The call succeeded.
    Done {
        /// The result.
        output: ToolOutput,
    },
    /// The call failed.
    Failed {
        /// The error, as text for the model.
        message: String,
    },
    /// The user declined it.
    Denied {},
    /// The user, or the end of the program, stopped it.
    Cancelled {},
}

/// The result of a tool.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolOutput {
    /// The text that enters the context: the whole, or its beginning and end with a line between them (P08).
    pub text: String,
    /// The whole output, if `text` is not the whole; a tool can read it. `None`: `text` is the whole.
    pub whole: Option<WholeOutput>,
    /// The images of the result; a line of the text names each. Sent only to models that are known to take
    /// images.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<ImageRef>,
    /// P09: true if it was removed from the context after an overflow. It is still stored and shown.
    pub withheld: bool,
    /// A fingerprint of the folder that the paths among the arguments are relative to. `None`: the tool takes
    /// none, or an earlier version stored the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// A whole output that is stored outside the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WholeOutput {
    /// The id of the output.
    pub id: OutputId,
    /// The length of the output in characters.
    pub chars: u32,
}
