//! The inputs and the decisions of the gate.
//!
//! Not here: deciding (`gate`).

use serde::{Deserialize, Serialize};
use skein_domain::health::HealthSnapshot;
use skein_domain::ids::MessageId;
use skein_domain::message::Notice;
use specta::Type;

use super::plan::Plan;
use super::remediation::Remediation;
use crate::limits::Limits;

/// Compactions that may fail in a row before automatic compaction pauses.
const MAX_FAILURES: u32 = 2;

/// The moment at which the gate is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateTrigger {
    /// A turn has ended, in the background.
    TurnCompleted,
    /// The first generation of a turn is about to leave.
    BeforeSend,
    /// A further generation of a tool loop is about to leave.
    BeforeGeneration,
    /// P09: the provider refused the prompt as too long.
    Overflow {
        /// True if the refused request was the repetition already.
        repeated: bool,
    },
    /// The user asked for a compaction.
    Manual,
    /// The user chose another model and asks what would happen.
    ModelSwitched,
}

/// The state of automatic compaction in a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CompactionAttempt {
    /// No compaction was tried.
    #[default]
    None,
    /// A compaction was done, or runs while the call is answered.
    Done,
    /// A compaction gained too little, failed, or was stopped by the user.
    Failed,
}

/// The inputs of a decision, beside the window.
#[derive(Debug, Clone, Copy)]
pub struct GateState<'a> {
    /// The limits of the model of the next call.
    pub limits: Limits,
    /// The health by the last report of this thread, while that applies
    /// ([`crate::health::usage::LastReport::current`]); `None`: no report applies.
    pub health: Option<&'a HealthSnapshot>,
    /// The state of the reminders in the thread.
    pub remediation: Remediation,
    /// D08: the number of evaluations from one caution notice to the next.
    pub cadence: u32,
    /// True if another message of the user is queued behind the running turn.
    pub queued: bool,
    /// The automatic compaction of this turn so far.
    pub attempt: CompactionAttempt,
    /// The number of compactions that failed in a row.
    pub failures: u32,
    /// Tokens that a new thread begins with and this one is sent without: its notice, and the declaration of
    /// the tool that searches earlier threads.
    pub new_thread_tokens: u32,
    /// Tokens of the longest notice that the strategy `remind` may add, with its message's overhead.
    pub notice_tokens: u32,
}

impl GateState<'_> {
    /// A verdict that leaves the stored state as it is.
    pub(super) fn with(&self, decision: Decision) -> Verdict {
        Verdict { decision, remediation: self.remediation }
    }

    /// A turn has one automatic compaction, and none after two failures in a row. A second one runs only if
    /// the call could not leave without it (`needed`). It cannot repeat without end: its result fits
    /// ([`Plan::at_most`]), so only new messages can make another one necessary.
    pub(super) fn may_compact(&self, needed: bool) -> bool {
        let allowed = match self.attempt {
            CompactionAttempt::None => true,
            CompactionAttempt::Done => needed,
            CompactionAttempt::Failed => false,
        };
        allowed && self.failures < MAX_FAILURES
    }
}

/// The result of the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The action to take.
    pub decision: Decision,
    /// The new state of the reminders; it is stored before the action.
    pub remediation: Remediation,
}

/// The action that the gate decides on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Decision {
    /// The call may leave.
    Go {},
    /// Compact, then ask again. With [`GateTrigger::Manual`] and [`GateTrigger::ModelSwitched`] this is a
    /// preview.
    Compact {
        /// The messages to cover, and the sizes.
        plan: Plan,
        /// True if the call has to wait for the compaction, because there is too little room.
        first: bool,
    },
    /// Append this notice to the path, then let the call leave.
    Notice {
        /// The notice.
        notice: Notice,
    },
    /// D15: continue in a new thread, automatically.
    Clear {
        /// The user's messages without a reply; the new thread begins with them.
        carry: Vec<MessageId>,
    },
    /// P04–P07: archive the thread and continue in a new one.
    Archive {
        /// The messages of the current round; the new thread begins with them.
        carry: Vec<MessageId>,
        /// The threshold that was exceeded, in percent of the window.
        percent: u32,
    },
    /// P09: remove this tool output from the context, not from the store; then repeat the call once.
    Withhold {
        /// The message with the tool call.
        message_id: MessageId,
        /// The id of the tool call.
        call_id: String,
    },
    /// Law 1: too little room is left for the reply, and no compaction would help. The call may leave.
    Stuck {
        /// The smallest window that a compaction could reach, in tokens.
        floor: u32,
        /// The limit that it would have to get below, in tokens.
        limit: u32,
    },
    /// The threshold is exceeded, but compaction failed twice and waits for the user. The call may leave,
    /// because it fits.
    Paused {
        /// Estimated tokens of the window.
        used: u32,
        /// The threshold, in tokens.
        limit: u32,
    },
    /// The request does not fit, and the action that would make it fit was stopped, has failed or is up to
    /// the user. The draft stays, and the numbers are shown.
    Held {
        /// Estimated tokens of the window.
        used: u32,
        /// The largest prompt that the model takes, in tokens.
        limit: u32,
    },
    /// P07, P09: the request does not fit and cannot be made to. The draft stays, and the numbers are shown.
    TooLong {
        /// Tokens that remain at least.
        used: u32,
        /// The largest prompt that the model takes, in tokens; `None`: unknown.
        limit: Option<u32>,
    },
}
