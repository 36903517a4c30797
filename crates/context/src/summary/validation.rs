//! Validates the text of a summary.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::facts::Fact;
use crate::tokens::message_tokens::Tokenizer;

/// The completeness of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    /// The model finished by itself.
    Complete,
    /// An output limit, a filter or a lost connection cut the reply off.
    Truncated,
}

/// A valid summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The text, without reasoning.
    pub text: String,
    /// The tokens of the summary.
    pub tokens: u32,
}

/// The reason why a summary is rejected. The conversation stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SummaryRejection {
    /// Nothing is left after the reasoning.
    Empty {},
    /// The summary was cut off.
    CutOff {},
    /// The summary is far shorter than it may be and contains nothing of the covered messages.
    SaysNothing {},
    /// The summary is not shorter than the messages it replaces.
    NotShorter {
        /// Tokens of the summary.
        summary: u32,
        /// Tokens of the messages that it would replace.
        replaced: u32,
    },
}

/// The divisor of the room below which a summary is thin.
const THIN: u32 = 8;
/// The fewest values that the originals must have for a summary without any of them to be rejected.
const MIN_VALUES: usize = 5;
/// Bytes of the shortest value that does not appear in a text by chance.
const MIN_VALUE_BYTES: usize = 2;

/// True if a summary is far shorter than it may be and contains no value of the facts of the originals.
pub fn lacks_content(summary: &Summary, room: u32, facts: &[Fact]) -> bool {
    let values = facts.iter().flat_map(|fact| &fact.values).map(String::as_str);
    let values: HashSet<&str> = values.filter(|value| value.len() >= MIN_VALUE_BYTES).collect();
    let holds = values.iter().any(|value| summary.text.contains(value));
    is_thin(summary, room) && values.len() >= MIN_VALUES && !holds
}

/// True if a summary is far shorter than it may be.
pub fn is_thin(summary: &Summary, room: u32) -> bool {
    summary.tokens.saturating_mul(THIN) < room
}

/// Validates a summary after reasoning and empty headings are removed. It must be complete, not empty, and
/// shorter than `replaced` tokens.
///
/// # Errors
/// The first reason to reject it.
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

/// A reply without the reasoning that some models write before it. If the reasoning has no end, nothing is
/// left.
pub(crate) fn strip_reasoning(text: &str) -> &str {
    let mut rest = text.trim();
    let has_heading = |text: &str| text.starts_with("## ") || text.contains("\n## ");
    for (open, close) in
        [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>")]
    {
        // Some servers remove the opening tag.
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

/// A reply without a code fence around the whole of it.
fn without_fence(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    match inner.and_then(|inner| inner.split_once('\n')) {
        Some((language, body)) if !language.contains(' ') && !body.contains("```") => body.trim(),
        Some(_) | None => text,
    }
}

/// A summary without the headings that have nothing or only a dash under them. If all headings are empty, the
/// text stays as it is.
fn without_empty_headings(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    // The index of the last heading, until a line with text follows it.
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
    let kept = kept.join("\n").trim().to_owned();
    if kept.is_empty() { text.to_owned() } else { kept }
}
