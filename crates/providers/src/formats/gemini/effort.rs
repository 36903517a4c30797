//! How Google's Gemini API says how hard a model is to think.

use skein_domain::provider_config::ReasoningEffort;

use crate::wire::reasoning_effort::{EffortLevel, EffortParam, thinking_tokens};

/// What it thinks is always asked for: it costs nothing more. Its second generation is told how many
/// tokens it may think for, its later ones how hard.
pub(super) fn levels(model: &str, effort: ReasoningEffort) -> Vec<EffortLevel> {
    let has_budget = model.trim_start_matches("models/").starts_with("gemini-2");
    let mut levels = match (effort, thinking_tokens(effort), effort.level()) {
        (_, Some(tokens), _) if has_budget => vec![(EffortParam::Budget(tokens), effort)],
        (_, _, Some(level)) => vec![(EffortParam::Level(level), effort)],
        // The least that 2.5 Pro takes.
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
