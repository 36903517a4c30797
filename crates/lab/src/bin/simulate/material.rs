//! The material of summaries.

use std::collections::HashSet;

use skein_context::compaction::Plan;
use skein_context::limits::scale;
use skein_context::summary::SummaryJob;
use skein_context::tokens::message_tokens::Tokenizer;
use skein_context::tokens::token_count::Basis;
use skein_context::window::EntryContent;
use skein_domain::ids::MessageId;

use crate::counted_message::CountedMessage;
use crate::thread::{BYTES, Thread};

/// Tokens of a tool's output that a summary is written from: head, tail and facts.
const RENDERED_OUTPUT: u32 = 2_000;

/// Tokens of the instructions for a summary.
const INSTRUCTIONS: u32 = 700;

#[derive(Debug, Clone, Copy)]
pub struct Material {
    /// Tokens of the covered messages as text, with the summary so far.
    pub rendered: u32,
    /// Tokens of the conversation up to the boundary; `None` if the summary cannot be requested as a
    /// continuation of that conversation.
    pub in_place: Option<u32>,
}

impl Thread {
    /// The material of a summary, in tokens before what the reports have taught.
    pub fn material(&self, plan: &Plan) -> Material {
        let read = |said: &CountedMessage| {
            let outputs: u32 = said.own.results.iter().sum();
            said.own.total() - outputs + outputs.min(RENDERED_OUTPUT)
        };
        let covered: HashSet<MessageId> = plan.covered.iter().copied().collect();
        let messages = self.messages.iter().filter(|said| covered.contains(&said.message.id));
        let mut points = self.points.iter().filter(|(point, ..)| Some(point.id) == plan.previous);
        let previous = points.next().map_or(0, |(_, summary, _)| summary.own.total());
        let in_place = self.see(|window| {
            let (every, limits) = (window.used.tokens, self.limits);
            SummaryJob::continuing_conversation(&Words, window, plan, None, every, limits, None)?;
            let tail = window.entries.iter().map(|line| match line.content {
                EntryContent::Message { sent, .. } if sent.counted.message.id > plan.boundary => {
                    line.tokens
                }
                _ => 0,
            });
            Some(every.saturating_sub(tail.sum()))
        });
        let own = |tokens| scale(tokens, 1_000, self.calibration.apply(1_000));
        Material {
            rendered: messages.map(read).sum::<u32>() + previous + INSTRUCTIONS,
            in_place: in_place.map(|tokens| own(tokens) + INSTRUCTIONS),
        }
    }
}

/// Counts a token for every four bytes; only the instructions for a summary are counted by it.
struct Words;

impl Tokenizer for Words {
    fn text(&self, text: &str) -> u32 {
        u32::try_from(text.len()).unwrap_or(u32::MAX) / BYTES
    }

    fn image(&self, _width: Option<u32>, _height: Option<u32>) -> u32 {
        0
    }

    fn sees(&self) -> bool {
        false
    }

    fn takes_back(&self, _signature: &str) -> bool {
        false
    }

    fn basis(&self) -> Basis {
        Basis::Exact
    }
}
