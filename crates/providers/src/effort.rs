//! How hard a model is to think, as each wire can say it: what the person chose, and below it what
//! comes close, for the models that refuse it; at last nothing.
//!
//! A wire knows more levels than any of its models takes, and no list says which. What is refused is
//! learned; what is taken and not heeded is not, so the models known to do that are named here. Not
//! here: which rung a server was found to stand on (`dodges`), or the JSON of it (each wire's `request`).

use skein_domain::provider_config::Effort;

use super::dodges::{Dodge, Dodges};
use super::registry::{Format, Row, Switch};
use super::{EffortReason, Request};

/// What is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// Whether to think at all.
    Whether(bool),
    /// Not before the answer: one that uses tools still tells between them what it is at.
    BetweenTools,
    /// A level by its name.
    Level(&'static str),
    /// A level, and that what is thought is to be shown.
    Shown(&'static str),
    /// For how many tokens.
    Budget(u32),
    /// Only that what is thought is to be shown.
    Show,
}

/// Something that can be said, and which of the person's choices it comes to.
type Rung = (Said, Effort);

/// A wire, as far as it matters for what can be said on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wire {
    format: Format,
    switch: Switch,
}

impl From<Format> for Wire {
    fn from(format: Format) -> Self {
        Self { format, switch: Switch::Effort }
    }
}

impl From<&Row> for Wire {
    fn from(row: &Row) -> Self {
        Self { format: row.format, switch: row.switch }
    }
}

/// What is said to a server of a request's model; `None`: nothing.
pub(super) fn said(wire: impl Into<Wire>, request: &Request, dodges: &Dodges) -> Option<Said> {
    let effort = asked(request, dodges);
    let ladder = ladder(wire.into(), &request.model, effort);
    ladder.get(dodges.rung(effort)).map(|(said, _)| *said)
}

/// How hard a request says to think, if it says so.
pub(super) fn told(wire: impl Into<Wire>, request: &Request, dodges: &Dodges) -> Option<Effort> {
    said(wire, request, dodges).map(|_| asked(request, dodges))
}

/// What the choice in a request comes to, and why, where it is something else than was chosen.
pub(super) fn comes_to(
    wire: impl Into<Wire>,
    request: &Request,
    dodges: &Dodges,
) -> Option<(Effort, EffortReason)> {
    let asked = asked(request, dodges);
    let is = level(wire.into(), &request.model, asked, dodges);
    let because = match asked != request.effort && is == Effort::Off {
        true => EffortReason::Tools,
        false => EffortReason::Model,
    };
    (is != request.effort).then_some((is, because))
}

/// What a choice comes to in a conversation, where it is something else than was chosen: there are tools.
pub(super) fn instead(
    wire: impl Into<Wire>,
    model: &str,
    effort: Effort,
    dodges: &Dodges,
) -> Option<Effort> {
    let is = level(wire.into(), model, with_tools(effort, dodges), dodges);
    Some(is).filter(|is| *is != effort)
}

fn level(wire: Wire, model: &str, asked: Effort, dodges: &Dodges) -> Effort {
    let ladder = ladder(wire, model, asked);
    ladder.get(dodges.rung(asked)).map_or(Effort::Default, |(_, is)| *is)
}

/// What is asked for of what the person chose, before any of it is refused.
fn asked(request: &Request, dodges: &Dodges) -> Effort {
    if request.prompt.tools.is_empty() {
        request.effort
    } else {
        with_tools(request.effort, dodges)
    }
}

fn with_tools(effort: Effort, dodges: &Dodges) -> Effort {
    if dodges.has(Dodge::ToolsUnthought) { Effort::Off } else { effort }
}

fn ladder(wire: Wire, model: &str, effort: Effort) -> Vec<Rung> {
    match wire.format {
        Format::Chat => chat(wire.switch, model, effort),
        Format::Responses => match effort.level() {
            // What it thinks is shown to organisations that have proved who they are.
            Some(level) => vec![(Said::Shown(level), effort), (Said::Level(level), effort)],
            None => levels(effort),
        },
        Format::Anthropic => anthropic(model, effort),
        Format::Gemini => gemini(model, effort),
        Format::Ollama => ollama(model, effort),
    }
}

/// Where it is switched elsewhere a server that has no such switch answers as if nothing had been said,
/// so that "none" would leave it thinking its hardest: after the switch only a level is tried.
fn chat(switch: Switch, model: &str, effort: Effort) -> Vec<Rung> {
    let always = Always::of(model);
    match (effort.level(), tokens(effort)) {
        _ if effort == Effort::Default => Vec::new(),
        (Some(_), _) if effort == Effort::Medium && always == Some(Always::NoMedium) => {
            vec![(Said::Level("high"), Effort::High)]
        }
        (Some(level), Some(tokens)) if switch == Switch::Enable => {
            vec![(Said::Budget(tokens), effort), (Said::Level(level), effort)]
        }
        (Some(level), _) => vec![(Said::Level(level), effort)],
        (None, _) if always.is_some() => vec![(Said::Level("low"), Effort::Low)],
        (None, _) if switch == Switch::Effort => levels(effort),
        (None, _) => vec![(Said::Whether(false), effort), (Said::Level("low"), Effort::Low)],
    }
}

/// A model that thinks whatever it is told, wherever it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Always {
    /// It has all levels.
    AnyLevel,
    /// It has no medium, and takes what it does not know for the most it can.
    NoMedium,
}

impl Always {
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

fn levels(effort: Effort) -> Vec<Rung> {
    let less = ["none", "minimal", "low"].map(Said::Level);
    match effort.level() {
        Some(level) => vec![(Said::Level(level), effort)],
        None if effort == Effort::Default => Vec::new(),
        None => less.into_iter().zip([Effort::Off, Effort::Low, Effort::Low]).collect(),
    }
}

/// How much is left to the model; its elder generations are told how many tokens. Of the newest one is
/// not to be switched off but kept to what it tells between tools, and others cannot be silenced at all.
fn anthropic(model: &str, effort: Effort) -> Vec<Rung> {
    match (effort.level(), tokens(effort)) {
        (Some(level), Some(tokens)) => {
            vec![(Said::Shown(level), effort), (Said::Budget(tokens), effort)]
        }
        _ if effort == Effort::Off && Always::of(model).is_some() => {
            vec![(Said::Shown("low"), Effort::Low)]
        }
        _ if effort == Effort::Off => vec![
            (Said::Whether(false), effort),
            (Said::BetweenTools, effort),
            (Said::Shown("low"), Effort::Low),
        ],
        _ if thinks_unasked(model) => vec![(Said::Show, effort)],
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
fn gemini(model: &str, effort: Effort) -> Vec<Rung> {
    let has_budget = model.trim_start_matches("models/").starts_with("gemini-2");
    let mut rungs = match (effort, tokens(effort), effort.level()) {
        (_, Some(tokens), _) if has_budget => vec![(Said::Budget(tokens), effort)],
        (_, _, Some(level)) => vec![(Said::Level(level), effort)],
        // The least that 2.5 Pro takes.
        (Effort::Off, ..) if has_budget => {
            vec![(Said::Budget(0), effort), (Said::Budget(128), Effort::Low)]
        }
        (Effort::Off, ..) => {
            vec![(Said::Level("minimal"), effort), (Said::Level("low"), Effort::Low)]
        }
        _ => Vec::new(),
    };
    rungs.push((Said::Show, Effort::Default));
    rungs
}

/// One family has levels, and thinks whatever it is told.
fn ollama(model: &str, effort: Effort) -> Vec<Rung> {
    match effort.level() {
        _ if effort == Effort::Default => Vec::new(),
        Some(level) if model.contains("gpt-oss") => vec![(Said::Level(level), effort)],
        None if model.contains("gpt-oss") => vec![(Said::Level("low"), Effort::Low)],
        level => vec![(Said::Whether(level.is_some()), effort)],
    }
}

/// Tokens that a model may think for.
fn tokens(effort: Effort) -> Option<u32> {
    match effort {
        Effort::Default | Effort::Off => None,
        Effort::Low => Some(2_048),
        Effort::Medium => Some(8_192),
        Effort::High => Some(24_576),
    }
}
