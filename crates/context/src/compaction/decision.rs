//! What the gate is asked with, and what it answers.

use serde::{Deserialize, Serialize};
use skein_domain::health::HealthSnapshot;
use skein_domain::ids::MessageId;
use skein_domain::message::Notice;
use specta::Type;

use super::plan::Plan;
use super::remediation::Remediation;
use crate::limits::Limits;

/// Compactions that may fail in a row before the program stops trying by itself.
const FAILURES_AT_MOST: u32 = 2;

/// When the question is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateTrigger {
    /// A turn has ended, in the background.
    TurnCompleted,
    /// The first generation of a turn is about to leave.
    BeforeSend,
    /// A further generation of a tool loop is about to leave.
    BeforeGeneration,
    /// P09: the provider said the context was too long.
    Overflow {
        /// Whether this is the repetition already.
        repeated: bool,
    },
    /// The user asked for a compaction.
    Manual,
    /// The user chose another model: what would happen, before it does.
    ModelSwitched,
}

/// What came of compacting by itself in this turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CompactionAttempt {
    /// It was not tried.
    #[default]
    None,
    /// It was done, or goes on while the call is answered.
    Done,
    /// It gained too little, could not be done, or the user stopped it.
    Failed,
}

/// What the answer depends on beside the window.
#[derive(Debug, Clone, Copy)]
pub struct GateState<'a> {
    /// Of the model of the next call.
    pub limits: Limits,
    /// Of the last generation in this thread, while its report holds
    /// ([`crate::health::usage::Ledger::current`]); `None`: there is none.
    pub health: Option<&'a HealthSnapshot>,
    /// Where the thread stands.
    pub remediation: Remediation,
    /// D08, in evaluations.
    pub cadence: u32,
    /// Whether a further message of the user waits behind the running turn.
    pub queued: bool,
    /// What came of compacting by itself in this turn so far.
    pub attempt: CompactionAttempt,
    /// Compactions that failed in a row.
    pub failures: u32,
    /// Tokens that a new thread begins with and this one is sent without: its notice, and the tool that
    /// searches what came before.
    pub new_thread_tokens: u32,
    /// Tokens of the longest notice that the strategy `remind` may add, with its message's overhead.
    pub notice_tokens: u32,
}

impl GateState<'_> {
    /// A decision that leaves the state of the thread as it is.
    pub(super) fn with(&self, decision: Decision) -> Verdict {
        Verdict { decision, remediation: self.remediation }
    }

    /// One automatic compaction in a turn, and none after two failures in a row. A further one only
    /// where the call could not leave without it: what such a one leaves fits ([`Plan::at_most`]), so that
    /// only what comes after it can ask for another.
    pub(super) fn may_compact(&self, needed: bool) -> bool {
        let allowed = match self.attempt {
            CompactionAttempt::None => true,
            CompactionAttempt::Done => needed,
            CompactionAttempt::Failed => false,
        };
        allowed && self.failures < FAILURES_AT_MOST
    }
}

/// The answer, with the state to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What is to be done.
    pub decision: Decision,
    /// Where the thread stands now; store it before acting.
    pub remediation: Remediation,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Decision {
    /// Nothing: the call may leave.
    Go {},
    /// Compact, then ask again. With [`Trigger::Manual`] and [`Trigger::ModelSwitched`]: a preview.
    Compact {
        /// How.
        plan: Plan,
        /// Whether the call has to wait for it, for want of room; else it may leave meanwhile.
        first: bool,
    },
    /// Append this notice to the path, then let the call leave.
    Notice {
        /// What it says.
        notice: Notice,
    },
    /// D15: begin a new thread by itself, then go on there.
    Clear {
        /// The user's messages that no reply has taken up: the first of the new thread.
        carry: Vec<MessageId>,
    },
    /// P04–P07: archive the thread and begin a new one, then go on there.
    Archive {
        /// The round in progress: the first of the new thread.
        carry: Vec<MessageId>,
        /// Percent of the window that was passed.
        percent: u32,
    },
    /// P09: this tool output leaves the context, not the store; then repeat the call once.
    Withhold {
        /// Where it is.
        message_id: MessageId,
        /// Which call.
        call_id: String,
    },
    /// Law 1: too little room is left for the answer, and no compaction would help. The call may still
    /// leave.
    Stuck {
        /// What would remain at least, in tokens.
        floor: u32,
        /// What may be used, in tokens.
        limit: u32,
    },
    /// Over the limit, but compaction has failed twice and waits for the user. The call may still
    /// leave: it fits.
    Paused {
        /// Estimated tokens.
        used: u32,
        /// What may be used, in tokens.
        limit: u32,
    },
    /// It cannot be sent as it is, and what would make it fit was stopped, has failed, or is the
    /// user's to do. The draft is kept, the numbers are shown.
    Held {
        /// Estimated tokens.
        used: u32,
        /// What a prompt may take, in tokens.
        limit: u32,
    },
    /// P07, P09: it cannot be sent. The draft is kept, the numbers are shown.
    TooLong {
        /// Tokens that cannot be done without.
        used: u32,
        /// What the model takes; `None`: unknown.
        limit: Option<u32>,
    },
}
