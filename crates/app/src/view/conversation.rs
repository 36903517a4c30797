//! Sessions, their threads and a page of a transcript.

use serde::{Deserialize, Serialize};
use skein_context::health::breakdown::Breakdown;
use skein_domain::cache_miss::CacheMiss;
use skein_domain::cost::Cost;
use skein_domain::generation::Generation;
use skein_domain::ids::{MessageId, PointId, SessionId};
use skein_domain::message::{Message, MessageState};
use skein_domain::model::ModelRef;
use skein_domain::session::{Session, Thread};
use skein_domain::strategy::Strategy;
use skein_store::SessionReadState;
use specta::Type;

/// A session as the sidebar shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionItem {
    /// Key.
    pub id: SessionId,
    /// `None` until the user or the model named it.
    pub title: Option<String>,
    /// The displayed name: its title, or until it has one, the user's first words. `None`: there are none.
    pub name: Option<String>,
    /// Kept at the top.
    pub pinned: bool,
    /// Milliseconds since the epoch.
    pub updated_at: i64,
    /// The current activity of the session.
    pub activity: Activity,
    /// The outcome of its last turn; `None`: no turn has ended since the program started.
    pub ended: Option<TurnOutcome>,
    /// True if a turn has ended in it since it was last open.
    pub unread: bool,
    /// The order in which sessions were opened, ascending; `None`: it was never opened.
    pub opened: Option<i64>,
}

/// The outcome of a turn in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum TurnOutcome {
    /// The turn has an answer.
    Answered,
    /// The turn ended before its answer was complete: it can be continued.
    CutOff,
    /// The turn failed.
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
    /// The outcome of a turn that ended before this start of the program, by the stored messages. `None`:
    /// nothing is unread.
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

/// The current activity of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Activity {
    /// Nothing is running.
    Idle,
    /// A turn runs.
    Replying,
    /// A turn waits for the user's answer about a tool call.
    Asking,
    /// A compaction of the session is running.
    Compacting,
}

/// The running work that would end with the program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ActiveWork {
    /// The activities of the sessions that are not idle.
    pub sessions: Vec<Activity>,
    /// True if a side question is being answered.
    pub answering_aside: bool,
    /// True if an import is running.
    pub importing: bool,
    /// True if a file for the user is being written.
    pub exporting: bool,
    /// The number of replies that could not be stored and are in no file that the user saved.
    pub unstored: u32,
}

impl ActiveWork {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// True if all work waits for the user: to answer a question or to free disk space.
    pub fn waits_for_user(&self) -> bool {
        let only_unstored = self.unstored > 0 && Self { unstored: 0, ..self.clone() }.is_empty();
        only_unstored || self.sessions.contains(&Activity::Asking)
    }
}

/// An open session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionView {
    /// The stored session.
    pub session: Session,
    /// The displayed name: its title, or until it has one, the user's first words. `None`: there are none.
    pub name: Option<String>,
    /// The threads, newest first.
    pub threads: Vec<Thread>,
    /// True if the current thread has no messages: a new one would be the same.
    pub is_empty: bool,
    /// The model the next message goes to.
    pub model: ModelRef,
    /// The strategy for a filling window, overrides applied.
    pub strategy: Strategy,
    /// True if the strategy acts automatically, overrides applied.
    pub automatic: bool,
    /// The draft in the composer.
    pub draft: skein_domain::draft::Draft,
    /// The unsent edits of messages, the latest at the end.
    pub edits: Vec<skein_store::UnsentEdit>,
    /// The messages queued behind the running turn, in the order they will be sent.
    pub waiting: Vec<skein_domain::message::queued_message::QueuedMessage>,
    /// True if the program ended during the last turn.
    pub is_turn_cut: bool,
    /// The current activity of the session.
    pub activity: Activity,
    /// The tool calls that wait for the user's answer.
    pub questions: Vec<crate::events::ApprovalRequest>,
}

/// The part of a transcript to load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TranscriptPosition {
    /// The end of the transcript.
    End {},
    /// The messages before a message.
    Before {
        /// The message, which is not included.
        message_id: MessageId,
    },
    /// The messages after a message.
    After {
        /// The message, which is not included.
        message_id: MessageId,
    },
    /// The messages around a message: for a search hit.
    Around {
        /// The message in the middle.
        message_id: MessageId,
    },
}

/// A part of the path that is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TranscriptView {
    /// The items in order. A card or summary follows the message it was made after, the summary of a range
    /// stands beside it.
    pub items: Vec<TranscriptItem>,
    /// Messages of the path before the first item.
    pub before: u32,
    /// Messages of the path after the last item.
    pub after: u32,
}

/// A message of the transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TranscriptItem {
    /// The stored message.
    pub message: Message,
    /// The position of the message on the path, from 1; a summary or card has that of the message before it.
    pub number: u32,
    /// The siblings of the message, oldest first, itself included.
    pub siblings: Vec<MessageId>,
    /// For the end of the path: the next message of the branch that the user left by going back to here.
    pub later: Option<MessageId>,
    /// The compaction point that covers it; `None`: none does.
    pub covered_by: Option<PointId>,
    /// For a summary: its compaction point.
    pub point: Option<PointView>,
    /// D01: for a reply, the call that wrote it, with the reported usage.
    pub generation: Option<Generation>,
    /// The cost of that call by the prices at its time; `None`: it was not recorded.
    #[serde(default)]
    pub cost: Option<Cost>,
    /// Why the provider's cache was not used for that call; `None`: it was, or nothing is known of it.
    #[serde(default)]
    pub cache_miss: Option<CacheMiss>,
    /// For the card of `/context`: its breakdown; `None`: another message, or a card of another version.
    #[serde(default)]
    pub card: Option<Breakdown>,
    /// The error that keeps a reply from being stored; `None`: it is stored.
    pub unstored: Option<skein_domain::error::Error>,
}

/// A compaction point as its divider in the transcript shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PointView {
    /// The stored point.
    pub point: skein_domain::compaction_point::CompactionPoint,
    pub writer: skein_domain::compaction_point::SummaryWriter,
    /// W09: the model whose provider keeps an encrypted summary beside this one, which is sent to that model
    /// in its place while neither is out of date; `None`: there is none.
    #[serde(default)]
    pub encrypted_by: Option<skein_domain::model::ModelRef>,
    /// The number of covered messages.
    pub covered_messages: u32,
    /// True if the summary is sent now, because no later compaction covers its messages. Then it can be
    /// undone.
    pub applied: bool,
    /// True if a covered message was edited or deleted since: the summary can be written again.
    pub stale: bool,
}

/// The end of a turn that has begun: the user's message is stored, on the path or as a draft, and so is the
/// reply. A turn that could not begin is an error, and the composer keeps the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TurnEnd {
    /// The turn has an answer.
    Answered {},
    /// The user stopped it, or the connection was lost.
    Interrupted {},
    /// The limit of generations in one turn was reached; the user can continue.
    GenerationLimit {},
    /// The reply could not be stored. It is in memory, its item says so ([`TranscriptItem::unstored`]), and
    /// nothing follows it before it is stored.
    Unstored {},
    /// The turn failed.
    Failed { error: skein_domain::error::Error },
}
