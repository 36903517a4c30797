//! What other clients do, written from their description, over the same conversation.

use serde::Serialize;
use skein_context::counting::{Counts, MessageTokens};
use skein_context::message::{ContentPart, Message, Role};
use skein_context::summary::{Material, SummaryJob, Writer};
use skein_context::window::{Prompt, PromptMessage};
use skein_runtime::providers::demo;

/// A way of dealing with a conversation that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Baseline {
    /// Everything is sent, whatever its length: the ceiling.
    Nothing,
    /// The oldest messages are dropped until the rest is below the threshold.
    OldestDropped,
    /// At every compaction the older half of the turns is dropped.
    HalfDropped,
    /// At every compaction all is replaced by one summary: no tail, no anchors.
    OneSummary,
}

impl Baseline {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 4] =
        [Self::Nothing, Self::OldestDropped, Self::HalfDropped, Self::OneSummary];

    /// As the table calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "no compaction",
            Self::OldestDropped => "oldest dropped",
            Self::HalfDropped => "half dropped",
            Self::OneSummary => "one summary",
        }
    }
}

/// The state of the baselines along a conversation.
#[derive(Debug, Clone, Default)]
pub struct Baselines {
    /// First message that `HalfDropped` still sends.
    half_from: usize,
    /// What `OneSummary` sends.
    summary: String,
    /// How far it reaches.
    summarised: usize,
}

impl Baselines {
    /// One more compaction when so many messages have been told. `budget` is what Skein's own
    /// summary may have.
    pub fn compact(
        &mut self,
        counter: &impl Counts,
        messages: &[Message],
        told: usize,
        budget: u32,
        window: u32,
    ) {
        let turns = (told - self.half_from) / 2;
        self.half_from += turns / 2 * 2;
        let new: Vec<&Message> = messages.iter().take(told).skip(self.summarised).collect();
        let previous = (!self.summary.is_empty()).then_some(self.summary.as_str());
        let material = Material { covered: &new, previous, keep: None, budget };
        let mut job =
            SummaryJob::new(counter, material, Writer { window: Some(window), longest: None });
        while let Some(request) = job.request() {
            job.answered(counter, &demo::answer(&request.prompt).text);
        }
        self.summary = job.text();
        self.summarised = told;
    }

    /// What a baseline sends when so many messages have been told.
    pub fn prompt(
        &self,
        baseline: Baseline,
        messages: &[Message],
        tokens: &[MessageTokens],
        told: usize,
        threshold: u32,
    ) -> Prompt {
        let from = match baseline {
            Baseline::Nothing => 0,
            Baseline::OldestDropped => oldest_that_fit(tokens, told, threshold),
            Baseline::HalfDropped => self.half_from,
            Baseline::OneSummary => self.summarised,
        };
        let summary = match baseline {
            Baseline::OneSummary => Some(self.summary.clone()),
            Baseline::Nothing | Baseline::OldestDropped | Baseline::HalfDropped => None,
        };
        let summary = summary.into_iter().map(|text| PromptMessage {
            role: Role::User,
            parts: [ContentPart::Text { text: format!("<summary>\n{text}\n</summary>") }].into(),
        });
        let told = messages.iter().take(told).skip(from);
        let said =
            told.map(|message| PromptMessage { role: message.role, parts: message.parts.clone() });
        Prompt { messages: summary.chain(said).collect(), ..Prompt::default() }
    }
}

fn oldest_that_fit(tokens: &[MessageTokens], told: usize, threshold: u32) -> usize {
    let mut left = threshold;
    let newest = tokens.iter().take(told).rev();
    let kept = newest.take_while(|tokens| {
        let fits = tokens.total() <= left;
        left = left.saturating_sub(tokens.total());
        fits
    });
    told - kept.count()
}
