//! The effort levels of Ollama's own API.

use skein_domain::provider_config::ReasoningEffort;

use crate::wire::reasoning_effort::{EffortLevel, EffortParam};

/// One model family has levels, and cannot be switched off.
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
