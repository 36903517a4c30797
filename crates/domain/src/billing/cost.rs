//! The cost of a call of a model, and the billing fields of its reply beside the token counts.
//!
//! Not here: computing it (`context::cost`), prices (`price`), the token counts (`usage`).

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::money::Money;
use crate::usage::TokenUsage;

/// The cost of a call. The four variants differ, and none of them means 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Cost {
    /// The cost is known.
    Known {
        /// The whole cost; 0 is free.
        money: Money,
    },
    /// A part of the cost is unknown.
    AtLeast {
        /// The known part.
        money: Money,
    },
    /// The cost is unknown: no usage was reported, or there is no price.
    Unknown {},
    /// The call is not billed by the token: the model is local, or part of a subscription.
    NotBilled {},
}

/// The billing fields of a reply beside the token counts. Absent is `None`, empty or `false`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BillingReport {
    /// The model that answered, as the reply names it.
    pub model: Option<String>,
    /// The service tier that the reply names. It decides the price, not the request's.
    pub service_tier: Option<String>,
    /// The charge that the provider states.
    pub stated: Option<StatedCost>,
    /// The tokens written to the cache for an hour; a part of all that were written.
    pub cache_written_hour: Option<u32>,
    /// Tokens that the provider's own tools added to the prompt, outside of it.
    pub tool_prompt: Option<u32>,
    /// Web searches that the provider ran.
    pub web_searches: Option<u32>,
    /// True if a surcharge of a tenth for processing in the US applies to every token (Anthropic).
    pub is_us_only: bool,
    /// The usage of each attempt, if the bill is their sum and the reported usage is only that of the last
    /// one (Anthropic's `iterations`).
    pub attempts: Vec<BilledAttempt>,
    /// True if the reply names an item that is billed separately and has no price here.
    pub has_unpriced_items: bool,
}

/// A charge that the provider states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedCost {
    /// The amount.
    pub money: Money,
    /// True if another company bills the rest, which is not stated.
    pub is_partial: bool,
    /// The field that states it.
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
    /// The model of the attempt; `None`: it names none.
    pub model: Option<String>,
    /// The usage of the attempt.
    pub usage: TokenUsage,
    /// See [`BillingReport::cache_written_hour`].
    pub cache_written_hour: Option<u32>,
}
