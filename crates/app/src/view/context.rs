//! Views of the context: how full the window is, what fills it, and the exact request.

use serde::{Deserialize, Serialize};
use skein_context::compaction::forecast::Forecast;
use skein_context::cost::AutomaticCleaning;
use skein_context::cost::estimate::{AnswerLength, CostEstimate};
use skein_context::limits::compaction_threshold::UpperBound;
use skein_context::tokens::token_count::TokenCount;
use skein_domain::cache_miss::CacheMiss;
use skein_domain::error::CompactionFailure;
use skein_domain::generation::prompt_truncation::Truncation;
use skein_domain::health::HealthSnapshot;
use skein_domain::model::{ModelRef, SourcedValue};
use skein_domain::strategy::Strategy;
use skein_domain::usage::CacheTotals;
use specta::Type;

/// The dialog "Context estimate", and the numbers in the composer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContextEstimate {
    /// Tokens of the next request, draft included.
    pub used: TokenCount,
    /// The average error of that estimate in percent. `None`: it is exact, or too little was reported.
    pub spread: Option<u32>,
    /// The largest prompt; `None`: unknown.
    pub limit: Option<SourcedValue<u32>>,
    /// The window, if that is larger than the largest prompt.
    pub window: Option<u32>,
    /// The tokens at which the strategy acts; `None`: it does not act (it is off, the limit is unknown, or no
    /// compaction would help).
    pub acts_at: Option<u32>,
    /// `acts_at` as a share; `None`: it is no share.
    pub acts_share: Option<TokenShare>,
    /// The prompt size in tokens from which on every token costs more; `None`: there is none.
    #[serde(default)]
    pub price_step: Option<u32>,
    /// The automatic action of the next message; `None`: there is none.
    pub due: Option<Forecast>,
    pub cost: NextMessageCost,
    /// The model of the next message.
    pub model: ModelRef,
}

/// The cost of the next message: its request and the answer, without those that tools would add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NextMessageCost {
    /// The cost if the message is sent at once.
    pub now: CostEstimate,
    /// Tokens of the prompt that are likely in the provider's cache.
    pub cached: u32,
    /// The other tokens of the prompt.
    pub fresh: u32,
    /// The expected length of the reply.
    pub answer: AnswerLength,
    /// True if the model may call tools, whose results are sent in further requests.
    pub declares_tools: bool,
    /// The cost after a compaction; `None`: there is nothing to compact.
    pub compacted: Option<CostEstimate>,
    /// The cost with nothing read from the cache, of a long conversation that the provider's cache has lost.
    /// `None`: the cache has not lost it, or the conversation is short.
    #[serde(default)]
    pub expired: Option<CostEstimate>,
}

/// The use of the provider's cache by a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CacheReport {
    /// The sums of all calls that reported their use of the cache; `None`: no call did.
    pub totals: Option<CacheTotals>,
    /// Why the cache was not used for the latest reply; `None`: it was, or nothing is known of it.
    pub miss: Option<CacheMiss>,
    /// True if the provider is asked to keep the next prompt for an hour, because that costs less with the
    /// pauses of this session.
    pub keeps_hour: bool,
}

/// A share of a number of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TokenShare {
    /// Percent of `of`.
    pub percent: u32,
    /// FR-1.2: the tokens of the window without the reserve for a reply under `summarize`, of a whole prompt
    /// under
    /// `archive`.
    pub of: u32,
}

/// The size of a draft, or of a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DraftSize {
    /// The tokens of the draft, without the overhead of a message.
    pub tokens: u32,
    /// The largest prompt; `None`: unknown.
    pub limit: Option<u32>,
}

/// D16: the health of a thread, and the reason why it is blocked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HealthView {
    /// The health by the last report, if that still describes this context (law 7); else an unavailable one
    /// with the limits of the model.
    pub latest: HealthSnapshot,
    /// P09: a silent truncation of the last prompt, if its report still describes this context.
    pub unmentioned: Option<Truncation>,
    /// The reason why the conversation waits for the user; `None`: it does not.
    pub waits: Option<BlockReason>,
}

/// The reason why a conversation waits for the user: it is over its limit, or has hardly any room below.
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
    /// The prefix and the summary leave so little room that the conversation is compacted after every few
    /// messages.
    Tight {
        /// Tokens of the prefix, the summary, the facts and the pinned messages.
        floor: u32,
        /// The compaction threshold, in tokens.
        limit: u32,
    },
    /// Compactions failed twice in a row.
    Paused {
        /// The error of the last one.
        reason: CompactionFailure,
        /// Estimated tokens of the window.
        used: u32,
        /// Tokens that may be used.
        limit: u32,
    },
}

/// D16: one reply in the chart of a thread's health.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HealthPoint {
    /// Time of the reply, in milliseconds since the epoch.
    pub at: i64,
    /// The health after the reply.
    pub health: HealthSnapshot,
    /// Prompt tokens read from the provider's cache; `None`: not reported.
    pub cached: Option<u32>,
}

/// The sizes at which each strategy acts for a model, in tokens. `None`: the window is unknown, and the
/// strategy does not act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct StrategyNumbers {
    pub model: ModelRef,
    /// FR-1.2: the tokens of the window without the reserve for a reply; the compaction threshold is a share
    /// of them.
    pub available: Option<u32>,
    /// FR-1.2: the upper bound of the threshold; the smaller of bound and share applies. `None`: there is
    /// none.
    pub upper_bound: Option<UpperBound>,
    /// Estimated tokens above which the conversation is summarised.
    pub summarize_above: Option<u32>,
    /// D06: reported tokens above which the model is reminded.
    pub remind_above: Option<u32>,
    /// D07: reported tokens above which the countdown begins.
    pub count_down_above: Option<u32>,
    /// P03: estimated tokens above which the thread is archived.
    pub archive_above: Option<u32>,
    /// The automatic choice of when old tool calls leave.
    pub automatic_cleaning: AutomaticCleaning,
    /// True if the model can be reminded: its notes need tools.
    pub takes_tools: bool,
    /// The strategy of sessions without one of their own.
    pub global: Strategy,
}

/// The effects of a change of the model, shown before it happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SwitchPreview {
    /// Tokens of the next request, counted for the new model.
    pub used: TokenCount,
    /// The largest prompt of the new model; `None`: unknown.
    pub limit: Option<u32>,
    /// The automatic action of the next message.
    pub consequence: SwitchConsequence,
    /// The cost for the new model to read the conversation, which its cache does not hold. `None`: there is
    /// no conversation yet, or the session has this model already.
    pub reading: Option<CostEstimate>,
}

/// The automatic action of the next message after a change of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SwitchConsequence {
    /// The request fits, and nothing happens.
    Fits,
    /// The conversation would be compacted first.
    Compacts,
    /// The thread would be archived first.
    Archives,
    /// The request does not fit, and nothing happens automatically.
    TooLong,
    /// The largest prompt is unknown.
    Unknown,
}
