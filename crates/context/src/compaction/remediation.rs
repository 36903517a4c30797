//! The reminders of strategy `remind`: the notices to the model and the clear, as its window fills (D11–D15).
//!
//! A pure function over a small stored state, evaluated once before every generation. Not here: inserting the
//! notice, or clearing (`app::turn`).

use serde::{Deserialize, Serialize};
use skein_domain::health::HealthLevel;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Role};
use skein_domain::reminder;

/// The number of notices of the countdown: 4, 3, 2, 1, 0 turns remain.
const COUNTDOWN: u32 = 5;

/// The state of the reminders in a thread. Stored with the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Remediation {
    /// The window is healthy.
    Calm {},
    /// The window exceeds the optimal size.
    Caution {
        /// Evaluations without a notice before the next one; 0: one is due.
        rest: u32,
    },
    /// The window exceeds the critical size.
    Critical {
        /// Notices of the countdown still to come; 0: the next evaluation clears the context.
        rest: u32,
    },
}

impl Default for Remediation {
    fn default() -> Self {
        Self::Calm {}
    }
}

/// The message that the next generation answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemediationTrigger {
    /// A message of the user, in a session whose last round ran tools. Another generation is likely to
    /// follow, and a notice before that one delays nobody.
    UserMessageBeforeTools,
    /// A message of the user, in a session without a tool loop: no other generation follows.
    UserMessage,
    /// A tool result, with another message of the user in the queue.
    ToolLoopBeforeQueued,
    /// A tool result, with no message in the queue.
    ToolLoop,
}

/// The action that follows from an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemediationAction {
    /// Do nothing.
    Nothing,
    /// D13: post the caution notice.
    Caution,
    /// D14: post a notice of the countdown.
    Countdown {
        /// The number of turns that remain after this one.
        remaining: u32,
    },
    /// D15: clear the context.
    Clear,
}

impl Remediation {
    /// Evaluates once. Returns the new state, and the action before the generation.
    ///
    /// `cadence` is a number of evaluations; see [`crate::health::caution_cadence`].
    pub fn evaluate(
        self,
        level: HealthLevel,
        trigger: RemediationTrigger,
        cadence: u32,
    ) -> (Self, RemediationAction) {
        match level {
            HealthLevel::Unavailable => (self, RemediationAction::Nothing),
            HealthLevel::Healthy => (Self::Calm {}, RemediationAction::Nothing),
            HealthLevel::Caution => self.evaluate_caution(trigger, cadence.saturating_sub(1)),
            HealthLevel::Critical => self.evaluate_countdown(),
        }
    }

    /// `pause`: the number of evaluations between two notices.
    fn evaluate_caution(
        self,
        trigger: RemediationTrigger,
        pause: u32,
    ) -> (Self, RemediationAction) {
        let rest = match self {
            Self::Calm {} | Self::Critical { .. } => 0,
            Self::Caution { rest } => rest.min(pause),
        };
        match (rest.checked_sub(1), trigger) {
            (Some(rest), _) => (Self::Caution { rest }, RemediationAction::Nothing),
            (None, RemediationTrigger::UserMessage | RemediationTrigger::ToolLoop) => {
                (Self::Caution { rest: pause }, RemediationAction::Caution)
            }
            (
                None,
                RemediationTrigger::UserMessageBeforeTools
                | RemediationTrigger::ToolLoopBeforeQueued,
            ) => (Self::Caution { rest: 0 }, RemediationAction::Nothing),
        }
    }

    fn evaluate_countdown(self) -> (Self, RemediationAction) {
        let rest = match self {
            Self::Calm {} | Self::Caution { .. } => COUNTDOWN,
            Self::Critical { rest } => rest,
        };
        match rest.checked_sub(1) {
            Some(remaining) => {
                (Self::Critical { rest: remaining }, RemediationAction::Countdown { remaining })
            }
            None => (Self::Calm {}, RemediationAction::Clear),
        }
    }
}

/// The outcome of a call of `clear_mind` (D15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClearMindOutcome {
    /// The context is cleared.
    Cleared,
    /// Nothing is cleared, and the result of the call says why.
    NotCleared {
        /// The reason.
        why: NotClearedReason,
    },
}

/// The reason why a call of `clear_mind` clears nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotClearedReason {
    /// The user switched automatic actions off, or chose another strategy meanwhile.
    SwitchedOff,
    /// Another call of the same reply failed.
    OtherCallFailed,
    /// The context was already cleared in this turn.
    AlreadyCleared,
}

/// The inputs of [`decide_clear_mind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClearMindContext {
    /// True if strategy `remind` is chosen and automatic actions are on.
    pub allowed: bool,
    /// True if another call of the same reply failed.
    pub failed_beside: bool,
    /// True if the context was already cleared in this turn, by the model or by the countdown.
    pub cleared_this_turn: bool,
}

/// Decides on a call of `clear_mind`. It clears at most once in a turn, so that a model that repeats the call
/// comes to an end.
pub fn decide_clear_mind(circumstances: ClearMindContext) -> ClearMindOutcome {
    let ClearMindContext { allowed, failed_beside, cleared_this_turn } = circumstances;
    let refused = |why| ClearMindOutcome::NotCleared { why };
    match (allowed, failed_beside, cleared_this_turn) {
        (false, _, _) => refused(NotClearedReason::SwitchedOff),
        (true, true, _) => refused(NotClearedReason::OtherCallFailed),
        (true, false, true) => refused(NotClearedReason::AlreadyCleared),
        (true, false, false) => ClearMindOutcome::Cleared,
    }
}

/// The user's messages at the end of a path that have no answer yet, oldest first. A new thread begins with
/// them. A reply that failed or only kept notes is no answer.
pub fn pending_user_messages<'a>(
    path: impl DoubleEndedIterator<Item = &'a Message>,
) -> Vec<MessageId> {
    let waiting = path.rev().take_while(|message| !is_answer(message));
    let waiting = waiting
        .filter(|message| message.role == Role::User && message.kind == (MessageKind::Chat {}));
    let mut pending: Vec<_> = waiting.map(|message| message.id).collect();
    pending.reverse();
    pending
}

/// True if a message is a reply with content. A reply that failed, is empty or only kept notes is none.
pub fn is_answer(reply: &Message) -> bool {
    let failed = matches!(reply.state, MessageState::Failed { .. });
    let works = |part: &ContentPart| match part {
        ContentPart::Text { text } => !text.trim().is_empty(),
        ContentPart::Tool { call } => !reminder::TOOLS.contains(&call.name.as_str()),
        ContentPart::Image(_) | ContentPart::File { .. } => true,
        ContentPart::Reasoning { .. } => false,
    };
    reply.role == Role::Assistant && !failed && reply.parts.iter().any(works)
}

/// The result of a call of `clear_mind` that clears nothing, as the model reads it.
pub fn clear_mind_error_text(why: NotClearedReason) -> &'static str {
    match why {
        NotClearedReason::SwitchedOff => {
            include_str!("../prompts/not_cleared_off.md").trim_ascii_end()
        }
        NotClearedReason::OtherCallFailed => {
            include_str!("../prompts/not_cleared_beside.md").trim_ascii_end()
        }
        NotClearedReason::AlreadyCleared => {
            include_str!("../prompts/not_cleared_again.md").trim_ascii_end()
        }
    }
}
