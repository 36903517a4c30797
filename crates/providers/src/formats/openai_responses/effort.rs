//! The effort levels of OpenAI Responses.

use skein_domain::provider_config::ReasoningEffort;

use crate::wire::reasoning_effort::{EffortLevel, EffortParam, named_levels};

/// The levels for a choice, closest first.
pub(super) fn levels(effort: ReasoningEffort) -> Vec<EffortLevel> {
    match effort.level() {
        // Reasoning summaries are shown to verified organisations only.
        Some(level) => {
            vec![
                (EffortParam::LevelWithSummary(level), effort),
                (EffortParam::Level(level), effort),
            ]
        }
        None => named_levels(effort),
    }
}
