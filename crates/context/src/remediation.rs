//! What is said to the model, and when its mind is cleared, as its window fills (D11–D15).
//!
//! A pure function over a small stored state, evaluated once before every generation. Not here:
//! inserting the notice, or clearing (`runtime::turn`).

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
pub enum Occasion {
    /// The user's own message, in a session whose last round ran tools: another generation, before which a
    /// notice delays nobody, is likely to follow.
    Person,
    /// The user's own message, in a session without a tool loop: no other generation comes.
    PersonAlone,
    /// A tool loop, with a further message of the person waiting behind it.
    Queued,
    /// A tool loop, and nobody waits.
    Free,
}

/// What an evaluation asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
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
    pub fn evaluate(self, level: HealthLevel, occasion: Occasion, cadence: u32) -> (Self, Step) {
        match level {
            HealthLevel::Unavailable => (self, Step::Nothing),
            HealthLevel::Healthy => (Self::Calm {}, Step::Nothing),
            HealthLevel::Caution => self.cautioned(occasion, cadence.saturating_sub(1)),
            HealthLevel::Critical => self.counted_down(),
        }
    }

    /// `pause`: evaluations without a notice between two with one.
    fn cautioned(self, occasion: Occasion, pause: u32) -> (Self, Step) {
        let rest = match self {
            Self::Calm {} | Self::Critical { .. } => 0,
            Self::Caution { rest } => rest.min(pause),
        };
        match (rest.checked_sub(1), occasion) {
            (Some(rest), _) => (Self::Caution { rest }, Step::Nothing),
            (None, Occasion::PersonAlone | Occasion::Free) => {
                (Self::Caution { rest: pause }, Step::Caution)
            }
            (None, Occasion::Person | Occasion::Queued) => {
                (Self::Caution { rest: 0 }, Step::Nothing)
            }
        }
    }

    fn counted_down(self) -> (Self, Step) {
        let rest = match self {
            Self::Calm {} | Self::Caution { .. } => COUNTDOWN,
            Self::Critical { rest } => rest,
        };
        match rest.checked_sub(1) {
            Some(remaining) => (Self::Critical { rest: remaining }, Step::Countdown { remaining }),
            None => (Self::Calm {}, Step::Clear),
        }
    }
}

/// What comes of a model's call of `clear_mind` (D15).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClearMind {
    /// The mind is cleared.
    Cleared,
    /// Nothing is cleared, and the result of the call says why.
    Refused {
        /// Why.
        why: NotCleared,
    },
}

/// Why a model's call of `clear_mind` clears nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotCleared {
    /// The person switched off what happens by itself, or chose another strategy meanwhile.
    SwitchedOff,
    /// Another call of the same reply did not succeed.
    BesideFailure,
    /// It was cleared in this turn already.
    Again,
}

/// What [`clear_mind`] depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Circumstances {
    /// Whether reminding is what the person wants now, by itself.
    pub allowed: bool,
    /// Whether another call of the same reply did not succeed.
    pub failed_beside: bool,
    /// Whether the mind was cleared in this turn already, by whomever.
    pub cleared_this_turn: bool,
}

/// Whether a model's call of `clear_mind` clears. Once in a turn at most, so that a model that
/// loops on it comes to an end.
pub fn clear_mind(circumstances: Circumstances) -> ClearMind {
    let Circumstances { allowed, failed_beside, cleared_this_turn } = circumstances;
    let refused = |why| ClearMind::Refused { why };
    match (allowed, failed_beside, cleared_this_turn) {
        (false, _, _) => refused(NotCleared::SwitchedOff),
        (true, true, _) => refused(NotCleared::BesideFailure),
        (true, false, true) => refused(NotCleared::Again),
        (true, false, false) => ClearMind::Cleared,
    }
}

/// The person's messages at the end of a path that no reply has taken up yet: the first of the new
/// thread when this one is cleared. A reply that failed, or that only kept notes, took up nothing.
pub fn unanswered<'a>(path: impl DoubleEndedIterator<Item = &'a Message>) -> Vec<MessageId> {
    let waiting = path.rev().take_while(|message| !takes_up(message));
    let waiting = waiting
        .filter(|message| message.role == Role::User && message.kind == (MessageKind::Chat {}));
    let mut found: Vec<_> = waiting.map(|message| message.id).collect();
    found.reverse();
    found
}

/// Whether a message is a reply that takes up what was said before it: not one that failed, said
/// nothing, or only kept notes.
pub fn takes_up(reply: &Message) -> bool {
    let failed = matches!(reply.state, MessageState::Failed { .. });
    let works = |part: &ContentPart| match part {
        ContentPart::Text { text } => !text.trim().is_empty(),
        ContentPart::Tool { call } => !reminder::TOOLS.contains(&call.name.as_str()),
        ContentPart::Image(_) | ContentPart::File { .. } => true,
        ContentPart::Reasoning { .. } => false,
    };
    reply.role == Role::Assistant && !failed && reply.parts.iter().any(works)
}
