//! How Anthropic messages say how hard a model is to think.

use skein_domain::provider_config::ReasoningEffort;

use crate::wire::reasoning_effort::{EffortLevel, EffortParam, ForcedReasoning, thinking_tokens};

/// How much is left to the model; its elder generations are told how many tokens. Of the newest one is
/// not to be switched off but kept to what it tells between tools, and others cannot be silenced at all.
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
        _ if thinks_unasked(model) => vec![(EffortParam::SummaryOnly, effort)],
        _ => Vec::new(),
    }
}

/// Whether a Claude thinks where nothing is said of it: since the fifth generation, and shows nothing of
/// it. Elder ones would be switched on by being asked to show it.
fn thinks_unasked(model: &str) -> bool {
    let Some((_, name)) = model.rsplit_once("claude-") else { return false };
    // Of its first ones the family follows the generation, and a date is no generation.
    let generation =
        name.split(['-', '.', '@', ':']).nth(1).and_then(|word| word.parse::<u8>().ok());
    name.starts_with(char::is_alphabetic) && generation.is_some_and(|number| number >= 5)
}
