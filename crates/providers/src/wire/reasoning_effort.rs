//! How hard a model is to think, as each wire can say it: what the person chose, and below it what
//! comes close, for the models that refuse it; at last nothing.
//!
//! A wire knows more levels than any of its models takes, and no list says which. What is refused is
//! learned; what is taken and not heeded is not, so the models known to do that are named here. Not
//! here: which rung a server was found to stand on (`quirks`), or the JSON of it (each wire's `request`).

use skein_domain::provider_config::ReasoningEffort;

use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};
use crate::stream_event::EffortReason;

/// What is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EffortParam {
    /// Whether to think at all.
    Toggle(bool),
    /// Not before the answer: one that uses tools still tells between them what it is at.
    BetweenTools,
    /// A level by its name.
    Level(&'static str),
    /// A level, and that what is thought is to be shown.
    LevelWithSummary(&'static str),
    /// For how many tokens.
    Budget(u32),
    /// Only that what is thought is to be shown.
    SummaryOnly,
}

/// Something that can be said, and which of the person's choices it comes to.
pub(crate) type EffortLevel = (EffortParam, ReasoningEffort);

/// What is said to a server of a request's model; `None`: nothing.
pub(crate) fn effort_param(
    request: &ModelRequest,
    dodges: &Quirks,
    levels: impl FnOnce(ReasoningEffort) -> Vec<EffortLevel>,
) -> Option<EffortParam> {
    let effort = asked(request, dodges);
    let levels = levels(effort);
    levels.get(dodges.skipped_levels(effort)).map(|(said, _)| *said)
}

/// How hard a request says to think, if it says so.
pub(crate) fn requested_effort(
    request: &ModelRequest,
    dodges: &Quirks,
    levels: impl FnOnce(ReasoningEffort) -> Vec<EffortLevel>,
) -> Option<ReasoningEffort> {
    effort_param(request, dodges, levels).map(|_| asked(request, dodges))
}

/// What the choice in a request comes to, and why, where it is something else than was chosen.
pub(crate) fn adjusted_effort(
    request: &ModelRequest,
    dodges: &Quirks,
    levels: impl FnOnce(ReasoningEffort) -> Vec<EffortLevel>,
) -> Option<(ReasoningEffort, EffortReason)> {
    let asked = asked(request, dodges);
    let is = level(asked, dodges, levels);
    let because = match asked != request.effort && is == ReasoningEffort::Off {
        true => EffortReason::Tools,
        false => EffortReason::Model,
    };
    (is != request.effort).then_some((is, because))
}

/// What a choice comes to in a conversation, where it is something else than was chosen: there are tools.
pub(crate) fn adjusted_effort_with_tools(
    effort: ReasoningEffort,
    dodges: &Quirks,
    levels: impl FnOnce(ReasoningEffort) -> Vec<EffortLevel>,
) -> Option<ReasoningEffort> {
    let is = level(with_tools(effort, dodges), dodges, levels);
    Some(is).filter(|is| *is != effort)
}

fn level(
    asked: ReasoningEffort,
    dodges: &Quirks,
    levels: impl FnOnce(ReasoningEffort) -> Vec<EffortLevel>,
) -> ReasoningEffort {
    levels(asked).get(dodges.skipped_levels(asked)).map_or(ReasoningEffort::Default, |(_, is)| *is)
}

/// What is asked for of what the person chose, before any of it is refused.
fn asked(request: &ModelRequest, dodges: &Quirks) -> ReasoningEffort {
    if request.prompt.tools.is_empty() {
        request.effort
    } else {
        with_tools(request.effort, dodges)
    }
}

fn with_tools(effort: ReasoningEffort, dodges: &Quirks) -> ReasoningEffort {
    if dodges.has(Quirk::NoReasoningWithTools) { ReasoningEffort::Off } else { effort }
}

/// A model that thinks whatever it is told, wherever it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForcedReasoning {
    /// It has all levels.
    AnyLevel,
    /// It has no medium, and takes what it does not know for the most it can.
    NoMedium,
}

impl ForcedReasoning {
    /// As their makers document them.
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

/// Tokens that a model may think for.
pub(crate) fn thinking_tokens(effort: ReasoningEffort) -> Option<u32> {
    match effort {
        ReasoningEffort::Default | ReasoningEffort::Off => None,
        ReasoningEffort::Low => Some(2_048),
        ReasoningEffort::Medium => Some(8_192),
        ReasoningEffort::High => Some(24_576),
    }
}
