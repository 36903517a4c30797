//! What the next message would set off, said while it is written: by the gate itself, so that nothing is
//! announced that it would not do.

use serde::{Deserialize, Serialize};
use skein_domain::strategy::Strategy;
use specta::Type;

use crate::compaction::decision::{Decision, GateState, GateTrigger};
use crate::compaction::gate::decide;
use crate::compaction::{PlanOutcome, PlanPurpose, plan};
use crate::limits::policy::Policy;
use crate::window::Window;

/// What the next message would set off by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Forecast {
    /// The conversation would be compacted.
    Compaction {},
    /// The thread would be archived.
    Archiving {},
    /// Nothing, though the threshold is passed: no compaction would get below it.
    Stuck {
        /// What would remain at least, in tokens.
        floor: u32,
        /// What it would have to get below, in tokens.
        limit: u32,
        /// Where it compacts instead, in tokens: there less would do. `None`: it is past that, too.
        instead: Option<u32>,
    },
}

/// What the next message would set off. `None`: nothing, or something that is said elsewhere. The
/// reminding strategy goes by reported tokens, not by what is in the composer.
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
                    // Where nothing can be covered, nothing is compacted there either.
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
