//! Messages, their ordered parts, and the state each part is in.
//!
//! A message is immutable once complete: editing makes a sibling, and what is sent shares its parts.
//! A tool call and its result are one part, so that an orphan cannot be written down. Not here: how
//! parts are stored (`store`) or put on a wire (`providers`).

pub mod draft;
pub mod finish_reason;
pub mod image_scaling;
pub mod queued_message;
mod reply_error;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use specta::Type;

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
    /// The message it answers or follows; `None` at the root. A summary or card hangs beside the
    /// path: its parent is where it was made, and it is nobody's parent.
    pub parent_id: Option<MessageId>,
    /// What it is for.
    pub kind: MessageKind,
    /// Who the provider is told it comes from.
    pub role: Role,
    /// Who it really comes from.
    pub origin: Origin,
    /// In order. Empty only while streaming or when a reply ended before its first word.
    pub parts: Arc<[ContentPart]>,
    /// Whether it is still growing, whole, cut off or failed.
    pub state: MessageState,
    /// What the user wants of it in the context.
    pub inclusion: Inclusion,
    /// The model that wrote it; `None` for what no model wrote.
    pub model: Option<ModelRef>,
    /// Milliseconds since the epoch.
    pub created_at: i64,
}

impl Message {
    /// All text parts joined by blank lines.
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(ContentPart::as_text).collect::<Vec<_>>().join("\n\n")
    }

    /// Whether the program says it, not the user and not the model.
    pub fn is_notice(&self) -> bool {
        matches!(self.kind, MessageKind::Notice { .. })
    }

    /// Whether it always stays in the context.
    pub fn is_pinned(&self) -> bool {
        self.inclusion == Inclusion::Pinned
    }

    /// Whether it is never sent.
    pub fn is_left_out(&self) -> bool {
        self.inclusion == Inclusion::LeftOut
    }

    /// FR-1.6: whether this is the summary of a compaction.
    pub fn is_summary(&self) -> bool {
        matches!(self.kind, MessageKind::Summary {})
    }
}

/// What the user wants of a message in the context. One of the conversation alone is ever other than
/// usual: a summary is undone instead, and what the program says is part of what it does.
///
/// A left-out message keeps its place on the path, so rounds and boundaries stay. Everything that reads
/// messages for a model skips it: prompt, summary, facts, passages, hand-over note, and the tools that search
/// history.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Inclusion {
    /// It is sent until it is covered.
    #[default]
    Usual,
    /// It is always sent, verbatim.
    Pinned,
    /// It is not sent. A summary that was made of it before says what it says until it is renewed. It keeps
    /// its place: rounds, and with them which tool parts of others stay, are as if it were sent.
    LeftOut,
}

/// What a message is for. Only `Chat` and `Notice` lie on the path from root to leaf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum MessageKind {
    /// Said by the user or the model.
    Chat {},
    /// FR-1.6: the summary of a compaction, pointed at by its compaction point.
    Summary {},
    /// Said by the program, in the model's hearing.
    Notice {
        /// What it says, as data for the window; its words for the model are in the parts.
        notice: Notice,
    },
    /// Shown to the user only, never sent: the card that `/context` posts. Its text part holds
    /// the breakdown as JSON.
    Card {},
}

/// What the program says in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Notice {
    /// D11: the context is past the optimal size.
    Caution {
        /// Reported prompt tokens.
        prompt: u32,
        /// The optimal size they passed.
        optimal: u32,
    },
    /// D14: the countdown before an automatic clear.
    Critical {
        /// Turns that remain after this one: 4, 3, 2, 1, 0.
        remaining: u32,
    },
    /// P06: the conversation was full, was archived and began anew.
    Archived {
        /// Percent of the window at which it was.
        percent: u32,
    },
    /// D15: the mind was cleared; the reminders remain.
    Cleared {
        /// Who cleared it.
        by: crate::session::ClearedBy,
        /// Whether the continuation package was made by the program because the model wrote none.
        local_package: bool,
    },
}

/// Who the provider is told a message comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// The user's side.
    User,
    /// The model's side.
    Assistant,
}

/// Who a message really comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    /// Typed, pasted or attached by the user.
    Person,
    /// Written by a model.
    Model,
    /// Written by the program.
    Runtime,
}

/// Whether a message is still growing, whole, cut off or failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum MessageState {
    /// Growing; found at a start, it becomes `Interrupted`.
    Streaming {},
    /// Whole.
    Complete {},
    /// The provider ended it before the model was done; what had arrived is kept.
    Ended {
        /// What it ran into.
        at: StopReason,
    },
    /// Cut off: cancelled, the stream ended without a finish, or the program was killed.
    Interrupted {},
    /// The reply failed; what had arrived is kept.
    Failed {
        /// The JSON of an [`Error`](crate::error::Error); a text of another version may be anything.
        #[specta(type = String)]
        error: ReplyError,
    },
}

/// What a reply runs into that its provider ends before the model is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum StopReason {
    /// The longest answer asked for.
    Output {
        /// Where less was asked for than the model gives: what for; `None`: it was not.
        shortened: Option<OutputCap>,
    },
    /// The window was full.
    Window {},
    /// What the provider lets nobody read.
    Filter {},
}

/// Why a shorter answer was asked for than the model gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OutputCap {
    /// The longest answer that was asked for, in tokens.
    pub tokens: u32,
    /// What leaves no more.
    pub by: OutputCapReason,
}

/// What leaves no room for a longer answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum OutputCapReason {
    /// The window, beside its prompt.
    Window,
    /// What the account lets through in a minute, or has money for.
    Allowance,
}

/// One piece of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ContentPart {
    /// Markdown as it was written.
    Text {
        /// The words.
        text: String,
    },
    /// What the model thought aloud. Shown folded; sent back only where its provider demands it.
    Reasoning {
        /// The words; empty when the provider sends them encrypted.
        text: String,
        /// What the provider wants back with it, opaque.
        signature: Option<String>,
    },
    /// A picture.
    Image(ImageRef),
    /// A file whose text is sent.
    File {
        /// Where its original bytes are.
        blob: BlobId,
        /// As the user knows it.
        name: String,
        /// For example `text/plain`.
        media_type: String,
        /// The text extracted from it, as it is sent.
        text: String,
        /// Size of the file.
        bytes: u32,
    },
    /// A tool call and what came of it.
    Tool {
        /// The call with its state.
        call: ToolCall,
    },
}

/// A picture, by where its bytes are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImageRef {
    /// Where its bytes are.
    pub blob: BlobId,
    /// As the user knows it.
    pub name: String,
    /// For example `image/png`.
    pub media_type: String,
    /// Pixels; `None` when the header could not be read.
    pub width: Option<u32>,
    /// Pixels; `None` when the header could not be read.
    pub height: Option<u32>,
    /// Size of the file.
    pub bytes: u32,
}

/// A tool call and what came of it: one part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// The provider's id, or one made up where it gives none. Unique within its message.
    pub call_id: String,
    /// As declared to the model; MCP tools as `server__tool`.
    pub name: String,
    /// The arguments as the model wrote them: JSON, or not quite when it was cut off.
    pub args: String,
    /// What the provider wants back with the call, opaque.
    pub signature: Option<String>,
    /// What came of it.
    pub state: ToolState,
}

impl ContentPart {
    /// The words of a text part.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text { text } = self { Some(text) } else { None }
    }

    /// The call of a tool part.
    pub fn as_call(&self) -> Option<&ToolCall> {
        if let Self::Tool { call } = self { Some(call) } else { None }
    }

    /// The same, to be changed.
    pub fn as_call_mut(&mut self) -> Option<&mut ToolCall> {
        if let Self::Tool { call } = self { Some(call) } else { None }
    }

    /// Whether a model is told anything by it: no wire takes a text of blanks.
    pub fn has_content(&self) -> bool {
        match self {
            Self::Text { text } => !text.trim().is_empty(),
            Self::Reasoning { text, signature } => !text.is_empty() || signature.is_some(),
            Self::Image(_) | Self::File { .. } | Self::Tool { .. } => true,
        }
    }

    /// The picture that it is.
    pub fn attached_image(&self) -> Option<&ImageRef> {
        if let Self::Image(picture) = self { Some(picture) } else { None }
    }

    /// The pictures that its tool showed.
    pub fn shown(&self) -> &[ImageRef] {
        self.as_call().map_or(&[], ToolCall::shown)
    }
}

impl ToolCall {
    /// What it showed, and is not withheld.
    pub fn shown(&self) -> &[ImageRef] {
        if let ToolState::Done { output } = &self.state
            && !output.withheld
        {
            return &output.pictures;
        }
        &[]
    }

    /// The words that came of it, whether it ended well or badly; `None`: it has not, or not with words.
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

/// What came of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ToolState {
    /// Its arguments may still be arriving.
    Pending {},
    /// The user is being asked.
    AwaitingApproval {},
    /// It runs.
    Running {
        /// Milliseconds since the epoch.
        started_at: i64,
    },
    /// It ended well.
    Done {
        /// What it returned.
        output: ToolOutput,
    },
    /// It ended badly, in words for the model.
    Failed {
        /// What went wrong.
        message: String,
    },
    /// The user said no.
    Denied {},
    /// The user, or the end of the program, stopped it.
    Cancelled {},
}

/// What a tool returned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolOutput {
    /// What enters the context: the whole, or its head and tail with a line between (P08).
    pub text: String,
    /// The whole output, when `text` is not; readable through a tool.
    pub whole: Option<WholeOutput>,
    /// What it showed, each named by a line of the text. Sent only to models that are known to see.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<ImageRef>,
    /// P09: left out of the context after an overflow. Still stored and shown.
    pub withheld: bool,
}

/// A whole output kept outside the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WholeOutput {
    /// Its key.
    pub id: OutputId,
    /// Its length in characters.
    pub chars: u32,
}
