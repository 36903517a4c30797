//! The effort levels of Google's Gemini API.

use skein_domain::provider_config::ReasoningEffort;

use crate::wire::reasoning_effort::{EffortLevel, EffortParam, thinking_tokens};

/// The second generation gets a token budget, later ones a level. Reasoning is always requested for
/// display, which costs nothing.
pub(super) fn levels(model: &str, effort: ReasoningEffort) -> Vec<EffortLevel> {
    let has_budget = model.trim_start_matches("models/").starts_with("gemini-2");
    let mut levels = match (effort, thinking_tokens(effort), effort.level()) {
        (_, Some(tokens), _) if has_budget => vec![(EffortParam::Budget(tokens), effort)],
        (_, _, Some(level)) => vec![(EffortParam::Level(level), effort)],
        // The minimum of 2.5 Pro.
        (ReasoningEffort::Off, ..) if has_budget => {
            vec![(EffortParam::Budget(0), effort), (EffortParam::Budget(128), ReasoningEffort::Low)]
        }
        (ReasoningEffort::Off, ..) => {
            vec![
                (EffortParam::Level("minimal"), effort),
                (EffortParam::Level("low"), ReasoningEffort::Low),
            ]
        }
        _ => Vec::new(),
    };
    levels.push((EffortParam::SummaryOnly, ReasoningEffort::Default));
    levels
}
