//! Whether what came back may stand in the place of what it covers.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::facts::Fact;
use crate::tokens::message_tokens::Tokenizer;

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    /// The model was done.
    Complete,
    /// An output limit, a filter or a lost connection cut it off.
    Truncated,
}

/// A summary that may be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its words, without reasoning.
    pub text: String,
    /// Its tokens.
    pub tokens: u32,
}

/// Why a summary is not kept. Nothing changes then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SummaryRejection {
    /// Nothing is left without the reasoning.
    Empty {},
    /// It was cut off.
    CutOff {},
    /// It is far under its budget and holds nothing of what it covers.
    SaysNothing {},
    /// It is not shorter than what it replaces.
    NotShorter {
        /// Its tokens.
        summary: u32,
        /// Tokens of what it would have replaced.
        replaced: u32,
    },
}

/// Of its budget, a summary that has less than this part is thin.
const THIN: u32 = 8;
/// So many values the originals have at least, for a summary without any of them to say nothing.
const VALUES: usize = 5;
/// Bytes of a value that does not stand in a text by chance.
const VALUE: usize = 2;

/// Whether a summary is far under its budget and holds none of the values in the facts of what it covers:
/// whatever it is, it is no summary of that.
pub fn lacks_content(summary: &Summary, budget: u32, facts: &[Fact]) -> bool {
    let values = facts.iter().flat_map(|fact| &fact.values).map(String::as_str);
    let values: HashSet<&str> = values.filter(|value| value.len() >= VALUE).collect();
    let holds = values.iter().any(|value| summary.text.contains(value));
    is_thin(summary, budget) && values.len() >= VALUES && !holds
}

/// Whether a summary is far under its budget.
pub fn is_thin(summary: &Summary, budget: u32) -> bool {
    summary.tokens.saturating_mul(THIN) < budget
}

/// Reasoning and empty headings are stripped; what remains must be whole, not empty, and shorter than
/// `replaced` tokens.
///
/// # Errors
/// The first of these that does not hold.
pub fn validate_summary(
    counter: &impl Tokenizer,
    text: &str,
    ending: Completeness,
    replaced: u32,
) -> Result<Summary, SummaryRejection> {
    let text = without_empty_headings(without_fence(strip_reasoning(text)));
    let tokens = counter.text(&text);
    match ending {
        Completeness::Truncated => Err(SummaryRejection::CutOff {}),
        Completeness::Complete if text.is_empty() => Err(SummaryRejection::Empty {}),
        Completeness::Complete if tokens >= replaced => {
            Err(SummaryRejection::NotShorter { summary: tokens, replaced })
        }
        Completeness::Complete => Ok(Summary { text, tokens }),
    }
}

/// An answer without the reasoning that some models write in front of it. Reasoning that never ends
/// leaves nothing.
pub(crate) fn strip_reasoning(text: &str) -> &str {
    let mut rest = text.trim();
    let has_heading = |text: &str| text.starts_with("## ") || text.contains("\n## ");
    for (open, close) in
        [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>")]
    {
        // Some servers swallow the opening tag.
        match rest.split_once(close) {
            Some((before, after)) if before.starts_with(open) || !has_heading(before) => {
                rest = after.trim();
            }
            Some(_) => {}
            None if rest.starts_with(open) => return "",
            None => {}
        }
    }
    rest
}

/// An answer without a fence around the whole of it.
fn without_fence(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    match inner.and_then(|inner| inner.split_once('\n')) {
        Some((language, body)) if !language.contains(' ') && !body.contains("```") => body.trim(),
        Some(_) | None => text,
    }
}

/// A summary without the headings that have nothing under them, or only a dash. Where no heading has
/// anything,
/// it stays as it is: a summary of nothing.
fn without_empty_headings(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    // Where the heading stands whose first words have not come yet.
    let mut pending: Option<usize> = None;
    let mut in_fence = false;
    for line in text.lines() {
        let is_heading = !in_fence && line.starts_with("## ");
        in_fence ^= line.trim_start().starts_with("```");
        if is_heading {
            kept.truncate(pending.unwrap_or(kept.len()));
            pending = Some(kept.len());
        } else if !matches!(line.trim(), "" | "-" | "–" | "—" | "*") {
            pending = None;
        }
        kept.push(line);
    }
    kept.truncate(pending.unwrap_or(kept.len()));
    let told = kept.join("\n").trim().to_owned();
    if told.is_empty() { text.to_owned() } else { told }
}
