//! The cost of a call of a model, and what its reply says of that beside the token counts.
//!
//! Not here: working it out (`context::cost`), prices (`price`), the token counts (`usage`).

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::money::Money;
use crate::usage::TokenUsage;

/// The cost of a call. The four variants differ, and none of them means 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Cost {
    /// So much.
    Known {
        /// The whole of it; 0 is free.
        money: Money,
    },
    /// So much, and something that is not known.
    AtLeast {
        /// The part that is known.
        money: Money,
    },
    /// Nobody knows: no usage was reported, or there is no price.
    Unknown {},
    /// It is not billed by the token: a local model, or a subscription.
    NotBilled {},
}

/// The billing fields of a reply beside the token counts. Absent is `None`, empty or `false`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BillingReport {
    /// The model that answered, as the reply names it.
    pub model: Option<String>,
    /// The service tier that the reply names; it decides the price, not the request's.
    pub service_tier: Option<String>,
    /// The charge that the provider states itself.
    pub stated: Option<StatedCost>,
    /// Part of the written cache tokens that is kept for an hour.
    pub cache_written_hour: Option<u32>,
    /// Tokens that the provider's own tools added to the prompt, outside of it.
    pub tool_prompt: Option<u32>,
    /// Web searches that the provider ran.
    pub web_searches: Option<u32>,
    /// Whether a surcharge of a tenth for processing in the US applies to every token (Anthropic).
    pub is_us_only: bool,
    /// The usage of each attempt, where the bill is their sum and the reported usage is the last one's
    /// alone (Anthropic's `iterations`).
    pub attempts: Vec<BilledAttempt>,
    /// Whether the reply names something that is billed apart and has no price here.
    pub has_unpriced_items: bool,
}

/// A charge that the provider states itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedCost {
    /// How much.
    pub money: Money,
    /// Whether somebody else bills the rest, which is not stated.
    pub is_partial: bool,
    /// In which field it came.
    pub field: StatedCostField,
}

/// The field in which a provider states a charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatedCostField {
    /// `usage.cost`: US dollars at OpenRouter, anything elsewhere.
    Cost,
    /// `cost_in_usd_ticks` (xAI), which names its currency.
    UsdTicks,
}

/// One of several attempts that are billed together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BilledAttempt {
    /// Its own model, where it names one.
    pub model: Option<String>,
    /// Its counters.
    pub usage: TokenUsage,
    /// See [`BillingReport::cache_written_hour`].
    pub cache_written_hour: Option<u32>,
}
