//! How Ollama's own API says how hard a model is to think.

use skein_domain::provider_config::ReasoningEffort;

use crate::wire::reasoning_effort::{EffortLevel, EffortParam};

/// One family has levels, and thinks whatever it is told.
pub(super) fn levels(model: &str, effort: ReasoningEffort) -> Vec<EffortLevel> {
    match effort.level() {
        _ if effort == ReasoningEffort::Default => Vec::new(),
        Some(level) if model.contains("gpt-oss") => vec![(EffortParam::Level(level), effort)],
        None if model.contains("gpt-oss") => {
            vec![(EffortParam::Level("low"), ReasoningEffort::Low)]
        }
        level => vec![(EffortParam::Toggle(level.is_some()), effort)],
    }
}
