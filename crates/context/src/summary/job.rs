//! The calls that a summary takes, one after the other.
//!
//! Not here: making a call (`app::compaction`), validating the result (`validation`).

mod provider_compaction;

use std::collections::{HashSet, VecDeque};

use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Message, Role, ToolState};

pub use provider_compaction::{ProviderCompaction, SummaryForm};

use super::render::{escape_prompt_tags, render_message, split_to_fit};
use crate::compaction::Plan;
use crate::limits::Limits;
use crate::prompts;
use crate::tokens::message_tokens::{MESSAGE_OVERHEAD, Tokenizer, count_parts, saturating_sum};
use crate::window::{Prompt, PromptMessage, SelectedMessage, Window, item_tokens, path_index};

/// The window assumed for a summary model whose window is unknown, in tokens. It is small, because more calls
/// cost less than a refused one.
const UNKNOWN_WINDOW: u32 = 32_000;

/// Tokens of reasoning that a reply may have beside its summary, if the window has room.
const REASONING: u32 = 2_000;

/// The divisor of a cached token's price: a quarter of the full price. Providers charge between a tenth and a
/// half.
const CACHED_SHARE: u32 = 4;

/// The inputs of a summary.
#[derive(Debug, Clone, Copy)]
pub struct SummaryInput<'a> {
    /// The covered messages, oldest first.
    pub covered: &'a [&'a Message],
    /// The summary to update; `None`: there is none, or it is stale.
    pub previous: Option<&'a str>,
    /// The user's words on what to keep; `None`: there are none.
    pub keep: Option<&'a str>,
    /// The longest summary, in tokens.
    pub summary_room: u32,
}

/// The limits of the model that writes a summary, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SummaryModel {
    /// Prompt and reply together; `None`: unknown.
    pub window: Option<u32>,
    /// The longest reply; `None`: unknown.
    pub max_output: Option<u32>,
}

impl SummaryModel {
    /// The limits after the model refused a request of `asked` tokens. The window becomes the limit that the
    /// error named, or half of `asked` if it named none that is smaller.
    pub fn with_limit(self, asked: u32, named: Option<u32>) -> Self {
        let window = named.filter(|named| *named < asked).unwrap_or(asked / 2);
        Self { window: Some(self.window.map_or(window, |known| known.min(window))), ..self }
    }

    /// The longest summary: half of the longest reply, because reasoning counts as output too.
    fn summary_room(self, wish: u32) -> u32 {
        self.max_output.map_or(wish, |longest| wish.min(longest / 2)).max(1)
    }

    /// The longest reply to ask for, at most `wish`.
    fn answer(self, wish: u32) -> u32 {
        self.max_output.map_or(wish, |longest| wish.min(longest.max(1)))
    }
}

/// One call to the summary model.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRequest {
    /// The prompt.
    pub prompt: Prompt,
    /// The longest reply to ask for, in tokens.
    pub max_output: u32,
    /// The provider writes the summary of the prompt's messages; `None`: the prompt asks for one.
    pub by_provider: Option<ProviderCompaction>,
    /// Estimated tokens of the prompt of a call that continues the conversation; `None`: it is a text.
    conversation: Option<u32>,
}

impl SummaryRequest {
    /// Estimated tokens of the whole prompt.
    pub fn prompt_tokens(&self, counter: &impl Tokenizer) -> u32 {
        self.conversation.unwrap_or_else(|| self.text_tokens(counter))
    }

    /// Tokens of the user's messages in it, with those in the items that it begins with. A summary that keeps
    /// them word for word is at least as long.
    pub fn user_tokens(&self, counter: &impl Tokenizer) -> u32 {
        let encrypted = self.prompt.encrypted.as_deref();
        let items = encrypted.map_or(0, |it| item_tokens(counter, &it.items, Some(0)));
        // The items take the place of the first message.
        let messages = self.prompt.messages.iter().skip(usize::from(encrypted.is_some()));
        let of_user = messages.filter(|message| message.role == Role::User);
        let tokens = of_user.map(|message| count_parts(counter, &message.parts).total());
        saturating_sum(tokens.chain([items]))
    }

    /// Tokens of its texts. For a call that continues the conversation this is less than the whole prompt.
    pub fn text_tokens(&self, counter: &impl Tokenizer) -> u32 {
        let parts = self.prompt.messages.iter().flat_map(|message| message.parts.iter());
        let texts = parts.filter_map(ContentPart::as_text).map(|text| counter.text(text));
        saturating_sum(texts.chain([counter.text(&self.prompt.system)]))
    }
}

/// A summary in progress: the calls still to make and the replies so far.
///
/// Make the call of [`SummaryJob::request`], pass its text to [`SummaryJob::push_reply`], and repeat until
/// there is no further request; then [`SummaryJob::text`] is the summary, still to be validated.
#[derive(Debug, Clone)]
pub struct SummaryJob {
    calls: VecDeque<SummaryStep>,
    answers: Vec<String>,
    /// The user's words on what to keep.
    keep: Option<String>,
    summary_room: u32,
    max_output: u32,
    /// Tokens that one call may read beside its instructions. Two replies have room in it.
    room: u32,
    /// The last reply to be merged, if it has no partner in this round.
    left_over: Option<String>,
}

#[derive(Debug, Clone)]
enum SummaryStep {
    Summarize { piece: String },
    Update { previous: String, piece: String },
    Merge { parts: Vec<String> },
    InPlace { prompt: Prompt, by_provider: Option<ProviderCompaction>, tokens: u32 },
}

impl SummaryJob {
    /// Divides the messages into calls for a model with these limits.
    pub fn new(counter: &impl Tokenizer, material: SummaryInput<'_>, writer: SummaryModel) -> Self {
        let window = writer.window.unwrap_or(UNKNOWN_WINDOW);
        let summary_room = writer.summary_room(material.summary_room.min(window / 8));
        let fixed = [prompts::SUMMARY, prompts::SUMMARY_UPDATE, prompts::MERGE]
            .map(|template| counter.text(&instructions(template, summary_room, material.keep)));
        let tags = counter.text(&summary("")).saturating_add(counter.text(&conversation("")));
        // A tenth of the window is left for errors of the count.
        let space = (window / 10 * 9)
            .saturating_sub(fixed.into_iter().max().unwrap_or(0))
            .saturating_sub(tags);
        let wish = summary_room.saturating_mul(2).saturating_add(REASONING);
        // Two replies of this length fit into one call, so that merging comes to an end.
        let two_fit = (space / 3).saturating_sub(tags);
        let max_output = writer.answer(wish.min(window / 4).min(two_fit).max(summary_room));
        let room = space.saturating_sub(max_output).max(window / 8);
        let (answers, calls) = first_calls(counter, material, room);
        let mut job = Self {
            calls,
            answers,
            keep: material.keep.map(str::to_owned),
            summary_room,
            max_output,
            room,
            left_over: None,
        };
        job.merge_replies(counter);
        job
    }

    /// One call that continues the conversation instead of sending its messages as text, for the
    /// conversation's own model: its provider can then read the messages from its cache.
    ///
    /// `None` if messages before those it covers stay, if the conversation as it is sent lacks something
    /// (tool parts were removed, an output is withheld, a range is summarised, the last summary is stale), if
    /// there is nothing new to summarize, or if the call would not fit or not be cheaper. `cached` is the
    /// number of tokens that the provider last reported as cached. `longest` is the longest reply of the
    /// model (`None`: unknown): the cache applies only with the same reasoning effort, and reasoning takes
    /// room.
    pub fn continuing_conversation(
        counter: &impl Tokenizer,
        window: &Window<'_>,
        plan: &Plan,
        keep: Option<&str>,
        cached: u32,
        limits: Limits,
        longest: Option<u32>,
    ) -> Option<Self> {
        let last = path_index(window.conversation.path, plan.boundary)?;
        let (mut prompt, tokens) = window.prompt_prefix(last);
        let cached = cached.min(tokens);
        let cost = (tokens - cached).saturating_add(cached / CACHED_SHARE);
        let writer = SummaryModel { window: limits.window, max_output: longest };
        let summary_room = writer.summary_room(plan.summary_room);
        let max_output = writer.answer(summary_room.saturating_mul(2).saturating_add(REASONING));
        let instructions = instructions(prompts::SUMMARY, summary_room, keep);
        let text = prompts::SUMMARY_IN_PLACE.replace("{instructions}", &instructions);
        let prompt_tokens = saturating_sum([tokens, counter.text(&text), MESSAGE_OVERHEAD]);
        let whole = saturating_sum([prompt_tokens, max_output]);
        let fits = limits.max_prompt().is_none_or(|most| whole <= most);
        let is_cheaper = cost < plan.replaced && !plan.covered.is_empty();
        let is_whole = plan.starts_after.is_none();
        if !is_whole || !sends_all_covered(window, plan, last) || !is_cheaper || !fits {
            return None;
        }
        let max_output = room_for_reasoning(max_output, prompt_tokens, limits, longest);
        prompt.messages.push(user_message(text));
        let step = SummaryStep::InPlace { prompt, by_provider: None, tokens: prompt_tokens };
        Some(Self::with_one_call(step, keep, summary_room, max_output))
    }

    /// A job whose only reply is the summary.
    fn with_one_call(
        step: SummaryStep,
        keep: Option<&str>,
        summary_room: u32,
        max_output: u32,
    ) -> Self {
        Self {
            calls: VecDeque::from([step]),
            answers: Vec::new(),
            keep: keep.map(str::to_owned),
            summary_room,
            max_output,
            // No answer of a part takes room from the summary: the only answer is the summary.
            room: 0,
            left_over: None,
        }
    }

    /// The next call; `None`: all calls are made.
    pub fn request(&self) -> Option<SummaryRequest> {
        let (system, text) = match self.calls.front()? {
            SummaryStep::InPlace { prompt, by_provider, tokens } => {
                return Some(SummaryRequest {
                    prompt: prompt.clone(),
                    max_output: self.max_output,
                    by_provider: by_provider.clone(),
                    conversation: Some(*tokens),
                });
            }
            SummaryStep::Summarize { piece } => (prompts::SUMMARY, conversation(piece)),
            SummaryStep::Update { previous, piece } => {
                (prompts::SUMMARY_UPDATE, format!("{}{}", summary(previous), conversation(piece)))
            }
            SummaryStep::Merge { parts } => {
                (prompts::MERGE, parts.iter().map(|part| summary(part)).collect())
            }
        };
        Some(SummaryRequest {
            prompt: Prompt {
                system: instructions(system, self.summary_room, self.keep.as_deref()),
                messages: vec![user_message(text)],
                ..Prompt::default()
            },
            max_output: self.max_output,
            by_provider: None,
            conversation: None,
        })
    }

    /// Adds the reply to the last request.
    pub fn push_reply(&mut self, counter: &impl Tokenizer, text: &str) {
        self.calls.pop_front();
        self.answers.push(super::validation::strip_reasoning(text).to_owned());
        self.merge_replies(counter);
    }

    /// Merges the replies once all are there. If they are so long that merging would not reduce their number,
    /// the job ends without a summary, and the caller tries another model.
    fn merge_replies(&mut self, counter: &impl Tokenizer) {
        if !self.calls.is_empty() {
            return;
        }
        self.answers.extend(self.left_over.take());
        if self.answers.len() < 2 {
            return;
        }
        let before = self.answers.len();
        let mut groups = merge_groups(counter, std::mem::take(&mut self.answers), self.room);
        if groups.len() >= before {
            return;
        }
        let alone = groups.pop_if(|group| group.len() == 1);
        self.left_over = alone.and_then(|mut group| group.pop());
        self.calls = groups.into_iter().map(|parts| SummaryStep::Merge { parts }).collect();
    }

    /// The number of calls still to make, without merges of later replies.
    pub fn remaining(&self) -> usize {
        self.calls.len()
    }

    /// The summary; empty before all calls are made.
    pub fn text(&self) -> String {
        self.answers.first().cloned().unwrap_or_default()
    }
}

/// The longest reply to ask for beside a prompt of `asked` tokens, at least `least`: all that the model
/// gives, because it reasons as in the conversation.
fn room_for_reasoning(least: u32, asked: u32, limits: Limits, longest: Option<u32>) -> u32 {
    let left = limits.window.map_or(u32::MAX, |window| window.saturating_sub(asked));
    longest.map_or(least, |longest| longest.min(left).max(least))
}

/// True if the prompt up to index `last` contains all that the summary represents: the covered messages, and
/// the pinned ones, because they may be unpinned later.
fn sends_all_covered(window: &Window<'_>, plan: &Plan, last: usize) -> bool {
    let path = window.conversation.path.iter().enumerate().take(last + 1);
    let covered = path.map(|(at, counted)| (at, counted.message)).filter(|(at, message)| {
        !message.is_left_out() && (*at >= window.tail_start || message.is_pinned())
    });
    let sent = window.entries.iter().filter_map(|entry| entry.content.as_path_message());
    let whole: HashSet<MessageId> =
        sent.filter(is_whole).map(|sent| sent.counted.message.id).collect();
    let is_sent_whole =
        |message: &Message| whole.contains(&message.id) || render_message(message).is_none();
    plan.previous == window.applied_point.map(|covered| covered.point.id)
        && covered.map(|(_, message)| message).all(is_sent_whole)
}

/// True if a message is sent with all its calls and their outputs. A withheld output (P09) and that of a
/// superseded read (W06) are missing.
fn is_whole(sent: &SelectedMessage<'_>) -> bool {
    let lacks_read = sent.superseded_reads().next().is_some();
    !lacks_read
        && sent.counted.message.parts.iter().all(|part| match part {
            ContentPart::Tool { call } => {
                let withheld = matches!(&call.state, ToolState::Done { output } if output.withheld);
                sent.selection.includes(part) && !withheld
            }
            ContentPart::Text { .. }
            | ContentPart::Reasoning { .. }
            | ContentPart::Image(_)
            | ContentPart::File { .. } => true,
        })
}

/// The replies to begin with, and the first calls: one for each piece of the messages. The first call also
/// reads the summary to update. If that is too long, because it was written for a larger window, its parts
/// count as replies.
fn first_calls(
    counter: &impl Tokenizer,
    material: SummaryInput<'_>,
    room: u32,
) -> (Vec<String>, VecDeque<SummaryStep>) {
    let texts: Vec<String> =
        material.covered.iter().filter_map(|message| render_message(message)).collect();
    let Some(previous) = material.previous else {
        return (Vec::new(), summarize_steps(split_to_fit(counter, &texts, room)));
    };
    let fenced = escape_prompt_tags(previous);
    let beside_it = room.saturating_sub(counter.text(&fenced));
    if beside_it < room / 4 {
        let parts = split_to_fit(counter, &[fenced], half(counter, room));
        return (parts, summarize_steps(split_to_fit(counter, &texts, room)));
    }
    let mut pieces = split_to_fit(counter, &texts, beside_it).into_iter();
    let update = SummaryStep::Update { previous: fenced, piece: pieces.next().unwrap_or_default() };
    let mut calls = summarize_steps(pieces);
    calls.push_front(update);
    (Vec::new(), calls)
}

fn summarize_steps(pieces: impl IntoIterator<Item = String>) -> VecDeque<SummaryStep> {
    pieces.into_iter().map(|piece| SummaryStep::Summarize { piece }).collect()
}

/// The longest reply that can be merged with another one of its length, in tokens.
fn half(counter: &impl Tokenizer, room: u32) -> u32 {
    (room / 2).saturating_sub(counter.text(&summary("")))
}

/// Groups of replies that one call can merge. A reply that would leave no room for another is divided. The
/// last group may have one reply.
fn merge_groups(counter: &impl Tokenizer, answers: Vec<String>, room: u32) -> Vec<Vec<String>> {
    let tags = counter.text(&summary(""));
    let most = half(counter, room);
    let mut groups: Vec<Vec<String>> = Vec::new();
    let mut filled = 0_u32;
    let fenced = answers.into_iter().map(|answer| escape_prompt_tags(&answer));
    for part in fenced.flat_map(|answer| split_to_fit(counter, &[answer], most)) {
        let tokens = counter.text(&part).saturating_add(tags);
        match groups.last_mut().filter(|_| filled.saturating_add(tokens) <= room) {
            Some(group) => {
                group.push(part);
                filled = filled.saturating_add(tokens);
            }
            None => {
                groups.push(vec![part]);
                filled = tokens;
            }
        }
    }
    groups
}

/// A prompt with its values and the user's words on what to keep.
fn instructions(template: &str, summary_room: u32, keep: Option<&str>) -> String {
    let text = template.replace("{summary_room}", &summary_room.to_string());
    match keep {
        None => text,
        Some(keep) => format!("{text}\n{}", prompts::STEERING.replace("{keep}", keep)),
    }
}

fn user_message(text: String) -> PromptMessage {
    PromptMessage { role: Role::User, parts: [ContentPart::Text { text }].into() }
}

fn conversation(text: &str) -> String {
    format!("<conversation>\n{}\n</conversation>\n", text.trim_end())
}

fn summary(text: &str) -> String {
    format!("<summary>\n{text}\n</summary>\n")
}
