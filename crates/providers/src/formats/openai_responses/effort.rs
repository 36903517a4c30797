//! How OpenAI Responses say how hard a model is to think.

use skein_domain::provider_config::ReasoningEffort;

use crate::wire::reasoning_effort::{EffortLevel, EffortParam, named_levels};

/// What can be said for a choice, closest first.
pub(super) fn levels(effort: ReasoningEffort) -> Vec<EffortLevel> {
    match effort.level() {
        // What it thinks is shown to organisations that have proved who they are.
        Some(level) => {
            vec![
                (EffortParam::LevelWithSummary(level), effort),
                (EffortParam::Level(level), effort),
            ]
        }
        None => named_levels(effort),
    }
}
