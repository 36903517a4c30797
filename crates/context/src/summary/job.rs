//! The calls a summary takes, one after the other.

use std::collections::VecDeque;

use super::material::{fenced_in, pieces, render};
use crate::compaction::Plan;
use crate::counting::{Counts, sum};
use crate::limits::Limits;
use crate::message::{ContentPart, Message, Role};
use crate::policy::ToolCleaning;
use crate::prompts;
use crate::window::{Prompt, PromptMessage, Window};

/// Assumed of a summary model whose window is unknown, in tokens: cautious, as more calls cost less
/// than a refused one.
const UNKNOWN_WINDOW: u32 = 32_000;

/// What an answer may think aloud beside its summary, in tokens, where the window has room for it.
const THINKING: u32 = 2_000;

/// What a cached token costs, as a share of one that is not: a quarter. Providers charge between a
/// tenth and a half.
const CACHED_SHARE: u32 = 4;

/// What a summary is written from.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// The covered messages, oldest first.
    pub covered: &'a [&'a Message],
    /// The summary to bring up to date; `None`: there is none, or it is stale.
    pub previous: Option<&'a str>,
    /// What the person asked to keep in particular; `None`: nothing.
    pub keep: Option<&'a str>,
    /// Tokens the summary may have.
    pub budget: u32,
}

/// One call to the summary model.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRequest {
    /// What it is given.
    pub prompt: Prompt,
    /// The longest answer to ask for, in tokens.
    pub max_output: u32,
}

/// A summary being written: the calls still to be made and the answers so far.
///
/// Make the call that [`SummaryJob::request`] gives, hand its text to [`SummaryJob::answered`], and
/// go on until there is none; then [`SummaryJob::text`] is the summary, still to be accepted.
#[derive(Debug, Clone)]
pub struct SummaryJob {
    calls: VecDeque<Call>,
    answers: Vec<String>,
    /// What the person asked to keep in particular.
    keep: Option<String>,
    budget: u32,
    max_output: u32,
    /// How many summaries one merge takes, at least 2.
    merged_at_once: usize,
}

#[derive(Debug, Clone)]
enum Call {
    Summarize { piece: String },
    Update { previous: String, piece: String },
    Merge { parts: Vec<String> },
    InPlace { prompt: Prompt },
}

impl SummaryJob {
    /// Cuts the material for a summary model with this window (`None`: unknown).
    pub fn new(counter: &impl Counts, material: Material<'_>, window: Option<u32>) -> Self {
        let window = window.unwrap_or(UNKNOWN_WINDOW);
        let budget = material.budget.min(window / 8).max(1);
        let max_output =
            budget.saturating_mul(2).saturating_add(THINKING).min(window / 4).max(budget);
        let instructions = instructions(prompts::SUMMARY_UPDATE, budget, material.keep);
        // A tenth is left for what the count may be off by.
        let room = (window / 10 * 9)
            .saturating_sub(max_output)
            .saturating_sub(counter.text(&instructions))
            .max(window / 8);
        let merged_at_once = usize::try_from(room / budget).unwrap_or(usize::MAX);
        Self {
            calls: calls(counter, material, room),
            answers: Vec::new(),
            keep: material.keep.map(str::to_owned),
            budget,
            max_output,
            merged_at_once: merged_at_once.saturating_sub(1).max(2),
        }
    }

    /// One call that goes on with the conversation itself instead of sending its messages anew, for
    /// the model that the conversation is held with: its provider reads what it has cached.
    ///
    /// `None` where that would not be everything (old tool parts are cleaned at every send, or the
    /// summary so far is stale), where it would not fit, or would not be cheaper. `cached` are the
    /// tokens the provider last said it had cached. `longest` is the longest answer the model gives
    /// (`None`: unknown): what is cached is read only where it thinks as it did before, and that takes
    /// room.
    pub fn in_place(
        counter: &impl Counts,
        window: &Window<'_>,
        plan: &Plan,
        keep: Option<&str>,
        cached: u32,
        limits: Limits,
        longest: Option<u32>,
    ) -> Option<Self> {
        let everything = match window.conversation.policy.tool_cleaning {
            ToolCleaning::EverySend => false,
            ToolCleaning::AtCompaction | ToolCleaning::Never => {
                plan.previous == window.covered.map(|covered| covered.point.id)
            }
        };
        let path = window.conversation.path;
        let last = path.iter().rposition(|counted| counted.message.id == plan.boundary)?;
        let (mut prompt, tokens) = window.prompt_until(last);
        let cached = cached.min(tokens);
        let cost = (tokens - cached).saturating_add(cached / CACHED_SHARE);
        let budget = plan.summary_budget;
        let max_output = budget.saturating_mul(2).saturating_add(THINKING);
        let instructions = instructions(prompts::SUMMARY, budget, keep);
        let text = prompts::SUMMARY_IN_PLACE.replace("{instructions}", &instructions);
        let asked = sum([tokens, counter.text(&text)]);
        let whole = sum([asked, max_output]);
        if !everything || cost >= plan.replaced || limits.ceiling().is_some_and(|most| whole > most)
        {
            return None;
        }
        let left = limits.window.map_or(u32::MAX, |window| window.saturating_sub(asked));
        let max_output = longest.map_or(max_output, |longest| longest.min(left).max(max_output));
        prompt.messages.push(asks(text));
        Some(Self {
            calls: VecDeque::from([Call::InPlace { prompt }]),
            answers: Vec::new(),
            keep: keep.map(str::to_owned),
            budget,
            max_output,
            merged_at_once: 2,
        })
    }

    /// The next call; `None`: all are made.
    pub fn request(&self) -> Option<SummaryRequest> {
        let (system, text) = match self.calls.front()? {
            Call::InPlace { prompt } => {
                let prompt = prompt.clone();
                return Some(SummaryRequest { prompt, max_output: self.max_output });
            }
            Call::Summarize { piece } => (prompts::SUMMARY, conversation(piece)),
            Call::Update { previous, piece } => {
                (prompts::SUMMARY_UPDATE, format!("{}{}", summary(previous), conversation(piece)))
            }
            Call::Merge { parts } => {
                (prompts::MERGE, parts.iter().map(|part| summary(part)).collect())
            }
        };
        Some(SummaryRequest {
            prompt: Prompt {
                system: instructions(system, self.budget, self.keep.as_deref()),
                tools: Vec::new(),
                messages: vec![asks(text)],
                stable_messages: 0,
            },
            max_output: self.max_output,
        })
    }

    /// Takes the answer to the last request.
    pub fn answered(&mut self, text: &str) {
        self.calls.pop_front();
        self.answers.push(super::accept::without_reasoning(text).to_owned());
        if self.calls.is_empty() && self.answers.len() > 1 {
            let parts: Vec<String> = self.answers.drain(..).map(|part| fenced_in(&part)).collect();
            self.calls =
                groups(parts, self.merged_at_once).map(|parts| Call::Merge { parts }).collect();
        }
    }

    /// How many calls are still to be made, merges of later answers not counted.
    pub fn calls_left(&self) -> usize {
        self.calls.len()
    }

    /// The summary; empty before all calls are answered.
    pub fn text(self) -> String {
        self.answers.into_iter().next().unwrap_or_default()
    }
}

/// The first calls: one for each piece of the material. The first of them takes the summary that is
/// to be brought up to date.
fn calls(counter: &impl Counts, material: Material<'_>, room: u32) -> VecDeque<Call> {
    let texts = material.covered.iter().filter_map(|message| render(message)).collect();
    let Some(previous) = material.previous.map(fenced_in) else {
        let pieces = pieces(counter, texts, room).into_iter();
        return pieces.map(|piece| Call::Summarize { piece }).collect();
    };
    let beside_it = room.saturating_sub(counter.text(&previous)).max(room / 4);
    let mut pieces = pieces(counter, texts, beside_it).into_iter();
    let update = Call::Update { previous, piece: pieces.next().unwrap_or_default() };
    let rest = pieces.map(|piece| Call::Summarize { piece });
    std::iter::once(update).chain(rest).collect()
}

/// Parts in groups of about `size`; none of them alone, as one part needs no merging.
fn groups(parts: Vec<String>, size: usize) -> impl Iterator<Item = Vec<String>> {
    let mut groups: Vec<Vec<String>> = Vec::new();
    for part in parts {
        match groups.last_mut().filter(|group| group.len() < size) {
            Some(group) => group.push(part),
            None => groups.push(vec![part]),
        }
    }
    if let [.., before, last] = groups.as_mut_slice()
        && last.len() == 1
    {
        before.append(last);
    }
    groups.into_iter().filter(|group| !group.is_empty())
}

/// A prompt with its numbers, and with what the person asked to keep.
fn instructions(template: &str, budget: u32, keep: Option<&str>) -> String {
    let text = template.replace("{budget}", &budget.to_string());
    match keep {
        None => text,
        Some(keep) => format!("{text}\n{}", prompts::STEERING.replace("{keep}", keep)),
    }
}

fn asks(text: String) -> PromptMessage {
    PromptMessage { role: Role::User, parts: [ContentPart::Text { text }].into() }
}

fn conversation(text: &str) -> String {
    format!("<conversation>\n{}\n</conversation>\n", text.trim_end())
}

fn summary(text: &str) -> String {
    format!("<summary>\n{text}\n</summary>\n")
}
