//! What is said to the model, and when its mind is cleared, as its window fills (D11–D15).
//!
//! A pure function over a small stored state, evaluated once before every generation. Not here:
//! inserting the notice, or clearing (`app::turn`).

use serde::{Deserialize, Serialize};
use skein_domain::health::HealthLevel;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Role};
use skein_domain::reminder;

/// Notices of the countdown: 4, 3, 2, 1, 0 turns remain.
const COUNTDOWN: u32 = 5;

/// Where a thread stands. Stored with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Remediation {
    /// Nothing is being said.
    Calm {},
    /// Past the optimal size.
    Caution {
        /// Evaluations without a notice before the next one; 0: one is due.
        rest: u32,
    },
    /// Past the critical size.
    Critical {
        /// Notices of the countdown still to come; 0: the next evaluation clears.
        rest: u32,
    },
}

impl Default for Remediation {
    fn default() -> Self {
        Self::Calm {}
    }
}

/// Whom the next generation answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemediationTrigger {
    /// The user's own message, in a session whose last round ran tools: another generation, before which a
    /// notice delays nobody, is likely to follow.
    UserMessageBeforeTools,
    /// The user's own message, in a session without a tool loop: no other generation comes.
    UserMessage,
    /// A tool loop, with a further message of the user waiting behind it.
    ToolLoopBeforeQueued,
    /// A tool loop, and nobody waits.
    ToolLoop,
}

/// What an evaluation asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemediationAction {
    /// Nothing.
    Nothing,
    /// D13: the caution notice.
    Caution,
    /// D14: the countdown's notice.
    Countdown {
        /// Turns that remain after this one.
        remaining: u32,
    },
    /// D15: the mind is cleared.
    Clear,
}

impl Remediation {
    /// One evaluation: the state afterwards, and what is to be done before the generation.
    ///
    /// `cadence` is in evaluations; see [`crate::health::cadence`].
    pub fn evaluate(
        self,
        level: HealthLevel,
        occasion: RemediationTrigger,
        cadence: u32,
    ) -> (Self, RemediationAction) {
        match level {
            HealthLevel::Unavailable => (self, RemediationAction::Nothing),
            HealthLevel::Healthy => (Self::Calm {}, RemediationAction::Nothing),
            HealthLevel::Caution => self.cautioned(occasion, cadence.saturating_sub(1)),
            HealthLevel::Critical => self.counted_down(),
        }
    }

    /// `pause`: evaluations without a notice between two with one.
    fn cautioned(self, occasion: RemediationTrigger, pause: u32) -> (Self, RemediationAction) {
        let rest = match self {
            Self::Calm {} | Self::Critical { .. } => 0,
            Self::Caution { rest } => rest.min(pause),
        };
        match (rest.checked_sub(1), occasion) {
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

    fn counted_down(self) -> (Self, RemediationAction) {
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

/// What comes of a model's call of `clear_mind` (D15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClearMindOutcome {
    /// The mind is cleared.
    Cleared,
    /// Nothing is cleared, and the result of the call says why.
    NotCleared {
        /// Why.
        why: NotClearedReason,
    },
}

/// Why a model's call of `clear_mind` clears nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotClearedReason {
    /// The user switched off what happens by itself, or chose another strategy meanwhile.
    SwitchedOff,
    /// Another call of the same reply did not succeed.
    OtherCallFailed,
    /// It was cleared in this turn already.
    AlreadyCleared,
}

/// What [`clear_mind`] depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClearMindContext {
    /// Whether reminding is what the user wants now, by itself.
    pub allowed: bool,
    /// Whether another call of the same reply did not succeed.
    pub failed_beside: bool,
    /// Whether the context was already cleared in this turn, by the model or by the countdown.
    pub cleared_this_turn: bool,
}

/// Whether a model's call of `clear_mind` clears. Once in a turn at most, so that a model that
/// loops on it comes to an end.
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

/// The user's messages at the end of a path that no reply has taken up yet: the first of the new
/// thread when this one is cleared. A reply that failed, or that only kept notes, took up nothing.
pub fn pending_user_messages<'a>(
    path: impl DoubleEndedIterator<Item = &'a Message>,
) -> Vec<MessageId> {
    let waiting = path.rev().take_while(|message| !is_answer(message));
    let waiting = waiting
        .filter(|message| message.role == Role::User && message.kind == (MessageKind::Chat {}));
    let mut found: Vec<_> = waiting.map(|message| message.id).collect();
    found.reverse();
    found
}

/// Whether a message is a reply that takes up what was said before it: not one that failed, said
/// nothing, or only kept notes.
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

/// What a call of `clear_mind` that clears nothing returns to the model.
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
