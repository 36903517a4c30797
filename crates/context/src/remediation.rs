//! What is said to the model, and when its mind is cleared, as its window fills (D11–D15).
//!
//! A pure function over a small stored state, evaluated once before every generation. Not here:
//! inserting the notice, or clearing (`runtime::turn`).

use serde::{Deserialize, Serialize};

use crate::health::HealthLevel;

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
    /// The person's own message, just sent.
    Person,
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
            (None, Occasion::Free) => (Self::Caution { rest: pause }, Step::Caution),
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
    /// Another call of the same generation failed: nothing is cleared, and the result says so.
    BesideFailure,
    /// It was cleared in this turn already: nothing is cleared, and the result says so.
    Again,
}

/// Whether a model's call of `clear_mind` clears. Once in a turn at most, so that a model that
/// loops on it comes to an end.
pub fn clear_mind(cleared_this_turn: bool, failed_beside: bool) -> ClearMind {
    match (failed_beside, cleared_this_turn) {
        (true, _) => ClearMind::BesideFailure,
        (false, true) => ClearMind::Again,
        (false, false) => ClearMind::Cleared,
    }
}
