//! The effort levels of OpenAI chat completions.

use skein_domain::provider_config::ReasoningEffort;

use crate::registry::ReasoningSwitch;
use crate::wire::reasoning_effort::{
    EffortLevel, EffortParam, ForcedReasoning, named_levels, thinking_tokens,
};

/// A server with another switch ignores an unknown `none` and would reason at its maximum, so only
/// named levels follow the switch.
pub(super) fn levels(
    switch: ReasoningSwitch,
    model: &str,
    effort: ReasoningEffort,
) -> Vec<EffortLevel> {
    let always = ForcedReasoning::of(model);
    match (effort.level(), thinking_tokens(effort)) {
        _ if effort == ReasoningEffort::Default => Vec::new(),
        (Some(_), _)
            if effort == ReasoningEffort::Medium && always == Some(ForcedReasoning::NoMedium) =>
        {
            vec![(EffortParam::Level("high"), ReasoningEffort::High)]
        }
        (Some(level), Some(tokens)) if switch == ReasoningSwitch::Enable => {
            vec![(EffortParam::Budget(tokens), effort), (EffortParam::Level(level), effort)]
        }
        (Some(level), _) => vec![(EffortParam::Level(level), effort)],
        (None, _) if always.is_some() => vec![(EffortParam::Level("low"), ReasoningEffort::Low)],
        (None, _) if switch == ReasoningSwitch::Effort => named_levels(effort),
        (None, _) => vec![
            (EffortParam::Toggle(false), effort),
            (EffortParam::Level("low"), ReasoningEffort::Low),
        ],
    }
}
