//! How full the window is, what fills it, and exactly what the model is sent.

use serde::{Deserialize, Serialize};
use skein_context::compaction::forecast::Forecast;
use skein_context::cost::estimate::{AnswerLength, CostEstimate};
use skein_context::limits::UpperBound;
use skein_context::tokens::token_count::TokenCount;
use skein_context::window::PreviewEntry;
use skein_domain::error::CompactionFailure;
use skein_domain::generation::truncation::Truncation;
use skein_domain::health::HealthSnapshot;
use skein_domain::model::{ModelRef, SourcedValue};
use skein_domain::strategy::Strategy;
use specta::Type;

/// The dialog "Context estimate", and the numbers in the composer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContextEstimate {
    /// Everything that would be sent now, draft included.
    pub used: TokenCount,
    /// How far that may be off, in percent. `None`: it is exact, or too little was reported to say.
    pub spread: Option<u32>,
    /// What a prompt may take; `None` when nobody knows it.
    pub limit: Option<SourcedValue<u32>>,
    /// The window, where that holds more than a prompt may take.
    pub window: Option<u32>,
    /// Where the strategy acts by itself; `None` when it does not (off, unknown limit, or past where a
    /// compaction would help).
    pub acts_at: Option<u32>,
    /// What `acts_at` is a share of; `None` where it is a number of its own.
    pub acts_share: Option<TokenShare>,
    /// From so many tokens on every token of the prompt costs more; `None`: nowhere.
    #[serde(default)]
    pub price_step: Option<u32>,
    /// What the next message would set off.
    pub due: Option<Forecast>,
    /// Its cost.
    pub cost: NextMessageCost,
    /// The model it would be sent to.
    pub model: ModelRef,
}

/// The cost of the next message: its request and the answer, without those that tools would add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NextMessageCost {
    /// As things stand.
    pub now: CostEstimate,
    /// Tokens of the prompt that the provider's cache likely holds.
    pub cached: u32,
    /// The other tokens of the prompt.
    pub fresh: u32,
    /// How long the answer is expected to be.
    pub answer: AnswerLength,
    /// Whether the model may call tools, whose results are sent in further requests.
    pub declares_tools: bool,
    /// After a compaction; `None`: there is nothing to compact.
    pub compacted: Option<CostEstimate>,
}

/// A share of a number of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TokenShare {
    /// Percent of `of`.
    pub percent: u32,
    /// FR-1.2: the window less room for the answer under `summarize`, all of a prompt under `archive`.
    pub of: u32,
}

/// What stands in a box, or a part of it, by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DraftSize {
    /// Its tokens, without what is put around a message.
    pub tokens: u32,
    /// What a prompt may take in all; `None` when nobody knows it.
    pub limit: Option<u32>,
}

/// D16: the indicator of a thread's health, and what stands in its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HealthView {
    /// By the last report, while it tells of this context (law 7); else that nothing is reported, beside
    /// what the model takes.
    pub latest: HealthSnapshot,
    /// P09: what the server did not say of the last prompt, while that report tells of this context.
    pub unmentioned: Option<Truncation>,
    /// Why the conversation is over its limit and yet not compacted by itself; `None`: it is not so.
    pub waits: Option<BlockReason>,
}

/// What a conversation waits for the user with: it is over its limit, or there is hardly room below that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BlockReason {
    /// Law 1: no compaction would help.
    Stuck {
        /// Tokens that no compaction can remove.
        floor: u32,
        /// Tokens that may be used.
        limit: u32,
    },
    /// So little room is left beside what is always sent and the summary that it is compacted after every
    /// few messages.
    Tight {
        /// Tokens of those.
        floor: u32,
        /// Tokens above which it is compacted.
        limit: u32,
    },
    /// Compactions failed twice in a row.
    Paused {
        /// Why the last one did.
        reason: CompactionFailure,
        /// Estimated tokens.
        used: u32,
        /// Tokens that may be used.
        limit: u32,
    },
}

/// D16: one reply in the chart of a thread's health.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HealthPoint {
    /// Milliseconds since the epoch.
    pub at: i64,
    /// Its snapshot.
    pub health: HealthSnapshot,
    /// Prompt tokens read from the provider's cache; `None` when it did not say.
    pub cached: Option<u32>,
}

/// Where each strategy would act for a model. Tokens; `None`: nobody knows its window, and it would not
/// act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct StrategyNumbers {
    /// The model these are the numbers of.
    pub model: ModelRef,
    /// FR-1.2: the tokens of the window that are left after room for the answer; the compaction threshold
    /// is a share of them.
    pub available: Option<u32>,
    /// FR-1.2: the bound beside that share; the smaller of the two holds. `None`: there is none.
    pub upper_bound: Option<UpperBound>,
    /// Estimated tokens above which the conversation is summarised.
    pub summarize_above: Option<u32>,
    /// D06: reported tokens above which the model is reminded.
    pub remind_above: Option<u32>,
    /// D07: reported tokens above which the countdown begins.
    pub count_down_above: Option<u32>,
    /// P03: estimated tokens above which the thread is archived.
    pub archive_above: Option<u32>,
    /// Whether the model can be reminded at all: notes are kept with tools.
    pub takes_tools: bool,
    /// What a session follows that decides nothing itself.
    pub global: Strategy,
}

/// "What the model sees": the exact request, part by part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PromptView {
    /// In the order they are sent.
    pub lines: Vec<PreviewEntry>,
    /// Everything together.
    pub total: TokenCount,
    /// Messages that the person left out of it.
    pub left_out: u32,
}

/// What a change of model would do, told before it is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SwitchPreview {
    /// What would be sent, counted for that model.
    pub used: TokenCount,
    /// What it takes as a prompt; `None` when nobody knows it.
    pub limit: Option<u32>,
    /// What the next message would cause.
    pub consequence: SwitchConsequence,
    /// What that model reads the conversation for, none of which its cache holds. `None`: there is none yet,
    /// or it is the session's model already.
    pub reading: Option<CostEstimate>,
}

/// What the next message would cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SwitchConsequence {
    /// It fits.
    Fits,
    /// The conversation would be compacted first.
    Compacts,
    /// The thread would be archived first.
    Archives,
    /// It would not fit, and nothing happens by itself.
    TooLong,
    /// Nobody knows how much it takes.
    Unknown,
}
