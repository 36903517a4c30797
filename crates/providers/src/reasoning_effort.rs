//! How hard a model is to think, as each wire can say it: what the person chose, and below it what
//! comes close, for the models that refuse it; at last nothing.
//!
//! A wire knows more levels than any of its models takes, and no list says which. What is refused is
//! learned; what is taken and not heeded is not, so the models known to do that are named here. Not
//! here: which rung a server was found to stand on (`quirks`), or the JSON of it (each wire's `request`).

use skein_domain::provider_config::ReasoningEffort;

use super::quirks::{Quirk, Quirks};
use super::registry::{ProviderSpec, ReasoningSwitch, WireFormat};
use super::{EffortReason, ModelRequest};

/// What is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EffortParam {
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
type EffortLevel = (EffortParam, ReasoningEffort);

/// A wire, as far as it matters for what can be said on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct EffortSyntax {
    format: WireFormat,
    switch: ReasoningSwitch,
}

impl From<WireFormat> for EffortSyntax {
    fn from(format: WireFormat) -> Self {
        Self { format, switch: ReasoningSwitch::Effort }
    }
}

impl From<&ProviderSpec> for EffortSyntax {
    fn from(row: &ProviderSpec) -> Self {
        Self { format: row.format, switch: row.reasoning_switch }
    }
}

/// What is said to a server of a request's model; `None`: nothing.
pub(super) fn effort_param(
    wire: impl Into<EffortSyntax>,
    request: &ModelRequest,
    dodges: &Quirks,
) -> Option<EffortParam> {
    let effort = asked(request, dodges);
    let ladder = ladder(wire.into(), &request.model, effort);
    ladder.get(dodges.skipped_levels(effort)).map(|(said, _)| *said)
}

/// How hard a request says to think, if it says so.
pub(super) fn requested_effort(
    wire: impl Into<EffortSyntax>,
    request: &ModelRequest,
    dodges: &Quirks,
) -> Option<ReasoningEffort> {
    effort_param(wire, request, dodges).map(|_| asked(request, dodges))
}

/// What the choice in a request comes to, and why, where it is something else than was chosen.
pub(super) fn adjusted_effort(
    wire: impl Into<EffortSyntax>,
    request: &ModelRequest,
    dodges: &Quirks,
) -> Option<(ReasoningEffort, EffortReason)> {
    let asked = asked(request, dodges);
    let is = level(wire.into(), &request.model, asked, dodges);
    let because = match asked != request.effort && is == ReasoningEffort::Off {
        true => EffortReason::Tools,
        false => EffortReason::Model,
    };
    (is != request.effort).then_some((is, because))
}

/// What a choice comes to in a conversation, where it is something else than was chosen: there are tools.
pub(super) fn adjusted_effort_with_tools(
    wire: impl Into<EffortSyntax>,
    model: &str,
    effort: ReasoningEffort,
    dodges: &Quirks,
) -> Option<ReasoningEffort> {
    let is = level(wire.into(), model, with_tools(effort, dodges), dodges);
    Some(is).filter(|is| *is != effort)
}

fn level(
    wire: EffortSyntax,
    model: &str,
    asked: ReasoningEffort,
    dodges: &Quirks,
) -> ReasoningEffort {
    let ladder = ladder(wire, model, asked);
    ladder.get(dodges.skipped_levels(asked)).map_or(ReasoningEffort::Default, |(_, is)| *is)
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

fn ladder(wire: EffortSyntax, model: &str, effort: ReasoningEffort) -> Vec<EffortLevel> {
    match wire.format {
        WireFormat::Chat => chat(wire.switch, model, effort),
        WireFormat::Responses => match effort.level() {
            // What it thinks is shown to organisations that have proved who they are.
            Some(level) => vec![
                (EffortParam::LevelWithSummary(level), effort),
                (EffortParam::Level(level), effort),
            ],
            None => levels(effort),
        },
        WireFormat::Anthropic => anthropic(model, effort),
        WireFormat::Gemini => gemini(model, effort),
        WireFormat::Ollama => ollama(model, effort),
    }
}

/// Where it is switched elsewhere a server that has no such switch answers as if nothing had been said,
/// so that "none" would leave it thinking its hardest: after the switch only a level is tried.
fn chat(switch: ReasoningSwitch, model: &str, effort: ReasoningEffort) -> Vec<EffortLevel> {
    let always = ForcedReasoning::of(model);
    match (effort.level(), tokens(effort)) {
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
        (None, _) if switch == ReasoningSwitch::Effort => levels(effort),
        (None, _) => vec![
            (EffortParam::Toggle(false), effort),
            (EffortParam::Level("low"), ReasoningEffort::Low),
        ],
    }
}

/// A model that thinks whatever it is told, wherever it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ForcedReasoning {
    /// It has all levels.
    AnyLevel,
    /// It has no medium, and takes what it does not know for the most it can.
    NoMedium,
}

impl ForcedReasoning {
    /// As their makers document them.
    fn of(model: &str) -> Option<Self> {
        let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
        let is = |family: &[&str]| family.iter().any(|family| name.starts_with(family));
        if is(&["kimi-k3", "glm-5.3"]) {
            return Some(Self::NoMedium);
        }
        is(&["gpt-oss", "minimax-m2"]).then_some(Self::AnyLevel)
    }
}

fn levels(effort: ReasoningEffort) -> Vec<EffortLevel> {
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

/// How much is left to the model; its elder generations are told how many tokens. Of the newest one is
/// not to be switched off but kept to what it tells between tools, and others cannot be silenced at all.
fn anthropic(model: &str, effort: ReasoningEffort) -> Vec<EffortLevel> {
    match (effort.level(), tokens(effort)) {
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

/// What it thinks is always asked for: it costs nothing more. Its second generation is told how many
/// tokens it may think for, its later ones how hard.
fn gemini(model: &str, effort: ReasoningEffort) -> Vec<EffortLevel> {
    let has_budget = model.trim_start_matches("models/").starts_with("gemini-2");
    let mut rungs = match (effort, tokens(effort), effort.level()) {
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
    rungs.push((EffortParam::SummaryOnly, ReasoningEffort::Default));
    rungs
}

/// One family has levels, and thinks whatever it is told.
fn ollama(model: &str, effort: ReasoningEffort) -> Vec<EffortLevel> {
    match effort.level() {
        _ if effort == ReasoningEffort::Default => Vec::new(),
        Some(level) if model.contains("gpt-oss") => vec![(EffortParam::Level(level), effort)],
        None if model.contains("gpt-oss") => {
            vec![(EffortParam::Level("low"), ReasoningEffort::Low)]
        }
        level => vec![(EffortParam::Toggle(level.is_some()), effort)],
    }
}

/// Tokens that a model may think for.
fn tokens(effort: ReasoningEffort) -> Option<u32> {
    match effort {
        ReasoningEffort::Default | ReasoningEffort::Off => None,
        ReasoningEffort::Low => Some(2_048),
        ReasoningEffort::Medium => Some(8_192),
        ReasoningEffort::High => Some(24_576),
    }
}
