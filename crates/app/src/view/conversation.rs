//! Sessions, their threads and a page of a transcript.

use serde::{Deserialize, Serialize};
use skein_domain::cost::Cost;
use skein_domain::generation::Generation;
use skein_domain::ids::{MessageId, PointId, SessionId};
use skein_domain::message::{Message, MessageState};
use skein_domain::model::ModelRef;
use skein_domain::session::{Session, Thread};
use skein_domain::strategy::Strategy;
use skein_store::{DeletionId, SessionReadState};
use specta::Type;

/// A line of the sidebar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionItem {
    /// Key.
    pub id: SessionId,
    /// `None` until the person or the model named it.
    pub title: Option<String>,
    /// What it is called: its title, or until it has one, the person's first words. `None`: there are none.
    pub name: Option<String>,
    /// Kept at the top.
    pub pinned: bool,
    /// Milliseconds since the epoch.
    pub updated_at: i64,
    /// What it is doing at this moment.
    pub activity: Activity,
    /// How its last turn ended, of those that have ended since the program was started.
    pub ended: Option<TurnOutcome>,
    /// A turn has ended in it since it was last open.
    pub unread: bool,
    /// Greater than that of every session that was opened before; `None`: it never was.
    pub opened: Option<i64>,
}

/// How a turn ended, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TurnOutcome {
    /// With an answer.
    Answered,
    /// Before its answer was whole: it can go on.
    CutOff,
    /// Without an answer.
    Failed,
}

impl From<&TurnEnd> for TurnOutcome {
    fn from(end: &TurnEnd) -> Self {
        match end {
            TurnEnd::Answered {} => Self::Answered,
            TurnEnd::Interrupted {} | TurnEnd::GenerationLimit {} => Self::CutOff,
            TurnEnd::Unstored {} | TurnEnd::Failed { .. } => Self::Failed,
        }
    }
}

impl TurnOutcome {
    /// Of a turn that ended before this start of the program: by what it left. `None`: nothing is unread.
    pub(crate) fn of_leaf(session: &SessionReadState) -> Option<Self> {
        let leaf = session.leaf.as_ref()?;
        Some(match leaf {
            MessageState::Complete {} if session.is_unanswered => Self::CutOff,
            MessageState::Complete {} => Self::Answered,
            MessageState::Streaming {}
            | MessageState::Ended { .. }
            | MessageState::Interrupted {} => Self::CutOff,
            MessageState::Failed { .. } => Self::Failed,
        })
    }
}

/// A message that was deleted and can be had back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DeletedMessage {
    /// Undoes it.
    pub deletion: DeletionId,
    /// The first line of its words, or the name of what stands before them; empty where it has neither.
    pub words: String,
    /// Where it was.
    pub session: SessionId,
    /// What that is called; `None`: it has no name.
    pub title: Option<String>,
    /// Milliseconds since the epoch.
    pub deleted_at: i64,
    /// When it goes for good: at the first start after that. Milliseconds since the epoch.
    pub kept_until: i64,
}

/// A session that was deleted and can be had back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DeletedSession {
    /// Key.
    pub id: SessionId,
    /// What it is called; `None`: it has no name.
    pub title: Option<String>,
    /// How many messages it holds, in all of its threads and branches.
    pub messages: u32,
    /// Milliseconds since the epoch.
    pub deleted_at: i64,
    /// When it goes for good: at the first start after that. Milliseconds since the epoch.
    pub kept_until: i64,
}

/// What a session is doing at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Activity {
    /// Nothing.
    Idle,
    /// A turn runs.
    Replying,
    /// A turn waits for the person's yes to a tool.
    Asking,
    /// It is being compacted.
    Compacting,
}

/// What would end with the program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ActiveWork {
    /// What the sessions are doing in which something runs.
    pub sessions: Vec<Activity>,
    /// Conversations are coming in from a file.
    pub importing: bool,
    /// Something is being written into a file that the person chose.
    pub exporting: bool,
    /// How many replies are in memory alone, because they could not be stored, and in no file that the
    /// user saved them in.
    pub unstored: u32,
}

impl ActiveWork {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether nothing goes on before the user has done something: they answer a question, or make room.
    pub fn waits_for_user(&self) -> bool {
        let only_unstored = self.unstored > 0 && Self { unstored: 0, ..self.clone() }.is_empty();
        only_unstored || self.sessions.contains(&Activity::Asking)
    }
}

/// An open session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// As stored.
    pub session: Session,
    /// What it is called: its title, or until it has one, the person's first words. `None`: there are none.
    pub name: Option<String>,
    /// Newest first.
    pub threads: Vec<Thread>,
    /// Nothing was said in the current one: a new one would be no newer.
    pub is_empty: bool,
    /// The model the next message goes to.
    pub model: ModelRef,
    /// What happens by itself as the window fills, overrides applied.
    pub strategy: Strategy,
    /// Whether it happens by itself, overrides applied.
    pub automatic: bool,
    /// What is written in the box.
    pub draft: skein_domain::draft::Draft,
    /// What is changed of messages that are being edited, the one that was changed last at the end.
    pub edits: Vec<skein_store::UnsentEdit>,
    /// Messages that wait for the running turn to end, in the order they will be sent.
    pub waiting: Vec<skein_domain::message::queued_message::QueuedMessage>,
    /// The program ended during its last turn, however far that was.
    pub is_turn_cut: bool,
    /// What it is doing at this moment.
    pub activity: Activity,
    /// Tool calls that wait for the person's yes.
    pub questions: Vec<crate::events::ApprovalRequest>,
}

/// Which part of a transcript is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TranscriptPosition {
    /// Its end.
    End {},
    /// What comes before a message.
    Before {
        /// Not included.
        message_id: MessageId,
    },
    /// What comes after a message.
    After {
        /// Not included.
        message_id: MessageId,
    },
    /// Around a message: where a search hit leads.
    Around {
        /// In the middle.
        message_id: MessageId,
    },
}

/// A stretch of the path that is seen, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TranscriptView {
    /// In order. A summary or card stands behind the message it was made after.
    pub items: Vec<TranscriptItem>,
    /// Messages of the path before the first item.
    pub before: u32,
    /// Messages of the path after the last item.
    pub after: u32,
}

/// A message as it stands in the transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TranscriptItem {
    /// As stored.
    pub message: Message,
    /// Its place on the path, from 1; a summary or card has that of the message before it.
    pub number: u32,
    /// The alternatives it is one of, oldest first, itself included.
    pub siblings: Vec<MessageId>,
    /// Of the end of the path: where it went on before somebody went back to continue from here.
    pub later: Option<MessageId>,
    /// The compaction point that covers it, if any.
    pub covered_by: Option<PointId>,
    /// For a summary: the point it belongs to, with its numbers.
    pub point: Option<PointView>,
    /// D01: for a reply, the call that wrote it, with the provider's word on it.
    pub generation: Option<Generation>,
    /// The cost of that call by the prices that held then; `None`: nobody entered it.
    #[serde(default)]
    pub cost: Option<Cost>,
    /// Why a reply is in memory alone, for as long as it is so.
    pub unstored: Option<skein_domain::error::Error>,
}

/// A compaction point as its divider shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PointView {
    /// As stored.
    pub point: skein_domain::compaction_point::CompactionPoint,
    /// How many messages it covers.
    pub covered_messages: u32,
    /// Whether it is the latest and can be undone.
    pub latest: bool,
    /// Whether something it covers was edited or deleted since: it can be written anew.
    pub stale: bool,
}

/// How a turn ended that has begun: what the person said is stored, on the path or for the box again,
/// and so is what was answered. One that could not begin is an error: then whoever said it keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TurnEnd {
    /// With an answer.
    Answered {},
    /// The person stopped it, or the stream was cut.
    Interrupted {},
    /// The limit of generations per turn was reached: "Continue" goes on.
    GenerationLimit {},
    /// With a reply that could not be stored. It is in memory, its message says so
    /// ([`TranscriptItem::unstored`]), and nothing follows it before it is stored.
    Unstored {},
    /// Without an answer.
    Failed {
        /// Why.
        error: skein_domain::error::Error,
    },
}
