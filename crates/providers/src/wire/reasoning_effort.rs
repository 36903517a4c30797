//! Reasoning effort: the levels that a wire format can request, closest to the user's choice first.
//!
//! A format has more levels than any of its models accepts, and no list tells which. A level that a
//! server rejects is skipped from then on (`quirks`). A model that accepts a level and ignores it
//! cannot be detected, so such models are named here ([`ForcedReasoning`]). Not here: the levels of
//! one format (its `effort`), the choice of one (`wire_format`), or their JSON (its
//! `request`).

use skein_domain::provider_config::ReasoningEffort;

/// A reasoning parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EffortParam {
    /// Reasoning on or off.
    Toggle(bool),
    /// Reasoning between tool calls only, not before the reply.
    BetweenTools,
    /// A named level.
    Level(&'static str),
    /// A named level, and reasoning is shown.
    LevelWithSummary(&'static str),
    /// A budget in tokens.
    Budget(u32),
    /// Reasoning is shown; no level.
    SummaryOnly,
}

/// A parameter, and the effort that it amounts to.
pub(crate) type EffortLevel = (EffortParam, ReasoningEffort);

/// A model that always reasons, on every server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForcedReasoning {
    /// The model has all levels.
    AnyLevel,
    /// The model has no level `medium`, and treats a level that it does not know as the highest.
    NoMedium,
}

impl ForcedReasoning {
    /// As documented by the models' makers.
    pub(crate) fn of(model: &str) -> Option<Self> {
        let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
        let is = |family: &[&str]| family.iter().any(|family| name.starts_with(family));
        if is(&["kimi-k3", "glm-5.3"]) {
            return Some(Self::NoMedium);
        }
        is(&["gpt-oss", "minimax-m2"]).then_some(Self::AnyLevel)
    }
}

/// The levels of OpenAI's formats.
pub(crate) fn named_levels(effort: ReasoningEffort) -> Vec<EffortLevel> {
    let less = ["none", "minimal", "low"].map(EffortParam::Level);
    match effort.level() {
        Some(level) => vec![(EffortParam::Level(level), effort)],
        None if effort == ReasoningEffort::Default => Vec::new(),
        None => less
            .into_iter()
            .zip([ReasoningEffort::Off, ReasoningEffort::Low, ReasoningEffort::Low])
            .collect(),
    }
}

/// The reasoning budget of an effort, in tokens.
pub(crate) fn thinking_tokens(effort: ReasoningEffort) -> Option<u32> {
    match effort {
        ReasoningEffort::Default | ReasoningEffort::Off => None,
        ReasoningEffort::Low => Some(2_048),
        ReasoningEffort::Medium => Some(8_192),
        ReasoningEffort::High => Some(24_576),
    }
}
