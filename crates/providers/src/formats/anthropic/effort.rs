//! The effort levels of Anthropic messages.

use skein_domain::provider_config::ReasoningEffort;

use crate::wire::reasoning_effort::{EffortLevel, EffortParam, ForcedReasoning, thinking_tokens};

/// Newer models decide the amount of reasoning themselves; older generations get a token budget.
/// One of the newest cannot be switched off, only limited to reasoning between tool calls; others
/// cannot be switched off at all.
pub(super) fn levels(model: &str, effort: ReasoningEffort) -> Vec<EffortLevel> {
    match (effort.level(), thinking_tokens(effort)) {
        (Some(level), Some(tokens)) => {
            vec![
                (EffortParam::LevelWithSummary(level), effort),
                (EffortParam::Budget(tokens), effort),
            ]
        }
        _ if effort == ReasoningEffort::Off && ForcedReasoning::of(model).is_some() => {
            vec![(EffortParam::LevelWithSummary("low"), ReasoningEffort::Low)]
        }
        _ if effort == ReasoningEffort::Off => vec![
            (EffortParam::Toggle(false), effort),
            (EffortParam::BetweenTools, effort),
            (EffortParam::LevelWithSummary("low"), ReasoningEffort::Low),
        ],
        _ if reasons_by_default(model) => vec![(EffortParam::SummaryOnly, effort)],
        _ => Vec::new(),
    }
}

/// True if a Claude model reasons by default: since the fifth generation, without showing it. For
/// older ones, a request to show it would switch it on.
fn reasons_by_default(model: &str) -> bool {
    let Some((_, name)) = model.rsplit_once("claude-") else { return false };
    // In the first model ids the family follows the generation. A date is not a generation.
    let generation =
        name.split(['-', '.', '@', ':']).nth(1).and_then(|word| word.parse::<u8>().ok());
    name.starts_with(char::is_alphabetic) && generation.is_some_and(|number| number >= 5)
}
