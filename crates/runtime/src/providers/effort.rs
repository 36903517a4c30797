//! How hard a model is to think, as each wire can say it: what the person chose, and below it what
//! comes close, for the models that refuse it; at last nothing.
//!
//! A wire knows more levels than any of its models takes, and no list says which. Not here: which rung
//! a server was found to stand on (`dodges`), or the JSON of it (each wire's `request`).

use super::Request;
use super::dodges::Dodges;
use super::registry::Format;
use crate::provider_config::Effort;

/// What is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// Whether to think at all.
    Whether(bool),
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

/// What is said to a server of a request's model; `None`: nothing.
pub(super) fn said(format: Format, request: &Request, dodges: &Dodges) -> Option<Said> {
    let ladder = ladder(format, &request.model, request.effort);
    ladder.get(dodges.rung(request.effort)).map(|(said, _)| *said)
}

/// What a choice comes to on a rung, where it is something else than was chosen.
pub(super) fn instead(format: Format, model: &str, effort: Effort, rung: usize) -> Option<Effort> {
    let is = ladder(format, model, effort).get(rung).map_or(Effort::Default, |(_, is)| *is);
    Some(is).filter(|is| *is != effort)
}

fn ladder(format: Format, model: &str, effort: Effort) -> Vec<Rung> {
    match format {
        Format::Chat => levels(effort),
        Format::Responses => match effort.level() {
            // What it thinks is shown to organisations that have proved who they are.
            Some(level) => vec![(Said::Shown(level), effort), (Said::Level(level), effort)],
            None => levels(effort),
        },
        Format::Anthropic => anthropic(effort),
        Format::Gemini => gemini(model, effort),
        Format::Ollama => ollama(model, effort),
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

/// How much is left to the model; its elder generations are told how many tokens.
fn anthropic(effort: Effort) -> Vec<Rung> {
    match (effort.level(), tokens(effort)) {
        (Some(level), Some(tokens)) => {
            vec![(Said::Shown(level), effort), (Said::Budget(tokens), effort)]
        }
        _ if effort == Effort::Off => vec![(Said::Whether(false), effort)],
        _ => Vec::new(),
    }
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
