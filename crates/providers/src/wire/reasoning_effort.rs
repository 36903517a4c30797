//! Reasoning effort: the levels that a wire format can request, closest to the user's choice first.
//!
//! A format has more levels than any of its models accepts, and no list tells which. A level that a
//! server rejects is skipped from then on (`quirks`). A model that accepts a level and ignores it
//! cannot be detected, so such models are named here ([`ForcedReasoning`]). Not here: the levels of
//! one format (its `effort`), or their JSON (its `request`).

use skein_domain::provider_config::ReasoningEffort;

use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};
use crate::stream_event::EffortReason;

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

/// The parameter that a request sends; `None` if it sends none.
pub(crate) fn effort_param(
    request: &ModelRequest,
    quirks: &Quirks,
    levels: impl FnOnce(ReasoningEffort) -> Vec<EffortLevel>,
) -> Option<EffortParam> {
    let effort = requested(request, quirks);
    let levels = levels(effort);
    levels.get(quirks.skipped_levels(effort)).map(|(said, _)| *said)
}

/// The effort that a request names; `None` if it names none.
pub(crate) fn requested_effort(
    request: &ModelRequest,
    quirks: &Quirks,
    levels: impl FnOnce(ReasoningEffort) -> Vec<EffortLevel>,
) -> Option<ReasoningEffort> {
    effort_param(request, quirks, levels).map(|_| requested(request, quirks))
}

/// The effort that a request amounts to and the reason, if it differs from the user's choice.
pub(crate) fn adjusted_effort(
    request: &ModelRequest,
    quirks: &Quirks,
    levels: impl FnOnce(ReasoningEffort) -> Vec<EffortLevel>,
) -> Option<(ReasoningEffort, EffortReason)> {
    let asked = requested(request, quirks);
    let is = level(asked, quirks, levels);
    let because = match asked != request.effort && is == ReasoningEffort::Off {
        true => EffortReason::Tools,
        false => EffortReason::Model,
    };
    (is != request.effort).then_some((is, because))
}

/// The effort that a choice amounts to in a conversation with tools, if it differs.
pub(crate) fn adjusted_effort_with_tools(
    effort: ReasoningEffort,
    quirks: &Quirks,
    levels: impl FnOnce(ReasoningEffort) -> Vec<EffortLevel>,
) -> Option<ReasoningEffort> {
    let is = level(with_tools(effort, quirks), quirks, levels);
    Some(is).filter(|is| *is != effort)
}

fn level(
    asked: ReasoningEffort,
    quirks: &Quirks,
    levels: impl FnOnce(ReasoningEffort) -> Vec<EffortLevel>,
) -> ReasoningEffort {
    levels(asked).get(quirks.skipped_levels(asked)).map_or(ReasoningEffort::Default, |(_, is)| *is)
}

/// The effort before any level is skipped.
fn requested(request: &ModelRequest, quirks: &Quirks) -> ReasoningEffort {
    if request.prompt.tools.is_empty() {
        request.effort
    } else {
        with_tools(request.effort, quirks)
    }
}

fn with_tools(effort: ReasoningEffort, quirks: &Quirks) -> ReasoningEffort {
    if quirks.has(Quirk::NoReasoningWithTools) { ReasoningEffort::Off } else { effort }
}

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
