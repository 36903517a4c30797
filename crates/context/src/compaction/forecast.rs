//! Predicts the automatic action of the next message while the user writes it. The gate itself predicts, so
//! that the forecast and the action agree.

use serde::{Deserialize, Serialize};
use skein_domain::strategy::Strategy;
use specta::Type;

use crate::compaction::decision::{Decision, GateState, GateTrigger};
use crate::compaction::gate::decide;
use crate::compaction::{PlanOutcome, PlanPurpose, plan};
use crate::limits::policy::Policy;
use crate::window::Window;

/// The automatic action that the next message triggers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Forecast {
    /// The conversation is compacted.
    Compaction {},
    /// The thread is archived.
    Archiving {},
    /// Nothing happens although the threshold is exceeded: no compaction would get below it.
    Stuck {
        /// The smallest window that a compaction could reach, in tokens.
        floor: u32,
        /// The limit that it would have to get below, in tokens.
        limit: u32,
        /// The size at which a compaction would help again, in tokens. `None`: it is exceeded already.
        instead: Option<u32>,
    },
}

/// The automatic action of the next message. `None`: there is none, or another part of the UI announces it.
/// Strategy `remind` has none, because it goes by reported tokens and not by the draft.
pub fn forecast(window: &Window<'_>, state: &GateState<'_>) -> Option<Forecast> {
    let Policy { automatic: true, strategy, output_reserve, .. } = *window.conversation.policy
    else {
        return None;
    };
    match strategy {
        Strategy::Summarize | Strategy::Archive => {}
        Strategy::Remind => return None,
    }
    match decide(window, state, GateTrigger::BeforeSend).decision {
        Decision::Compact { .. } => Some(Forecast::Compaction {}),
        Decision::Archive { .. } => Some(Forecast::Archiving {}),
        Decision::Stuck { floor, limit } => Some(Forecast::Stuck { floor, limit, instead: None }),
        Decision::Go {} if strategy == Strategy::Summarize => {
            match plan(window, state.limits, PlanPurpose::Threshold) {
                PlanOutcome::Stuck { floor, limit } => {
                    // If nothing can be covered now, nothing can be covered at the larger size either.
                    let covers = floor < window.used.tokens;
                    let instead =
                        state.limits.prompt_limit_with_reserve(output_reserve).filter(|_| covers);
                    Some(Forecast::Stuck { floor, limit, instead })
                }
                PlanOutcome::Fine {} | PlanOutcome::Compact { .. } => None,
            }
        }
        Decision::Go {}
        | Decision::Notice { .. }
        | Decision::Clear { .. }
        | Decision::Withhold { .. }
        | Decision::Held { .. }
        | Decision::Paused { .. }
        | Decision::TooLong { .. } => None,
    }
}
