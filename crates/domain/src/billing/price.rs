//! The prices of a model's tokens.
//!
//! An absent price is unknown, never 0; 0 is free. Not here: the cost of a call (`context::cost`), and which
//! prices apply (`app::models::pricing`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::money::{CURRENCY_PATTERN, Currency, DECIMAL_PATTERN, parse_decimal};

/// Prices for one size of prompt, each in 10⁻¹² of the currency per token. A million times that is a price
/// "per 1M tokens".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct TokenPrices {
    /// The price of prompt tokens that are neither read from a cache nor written to one.
    pub input: Option<u64>,
    /// The price of reply tokens, reasoning included.
    pub output: Option<u64>,
    /// The price of tokens read from the cache; `None`: as `input`.
    pub cache_read: Option<u64>,
    /// The price of tokens written to the cache for the shortest time on offer; `None`: as `input`.
    pub cache_write: Option<u64>,
    /// The price of tokens written to the cache for an hour; `None`: unknown, but no less than `cache_write`.
    pub cache_write_hour: Option<u64>,
    /// The price of all reply tokens if the model reasons (Qwen); `None`: as `output`.
    pub reasoning: Option<u64>,
}

/// Prices that apply to every token of a request from a size of prompt on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PriceTier {
    /// The smallest prompt that has these prices, in tokens, cached ones included.
    pub from: u32,
    /// The prices, in place of those of smaller prompts.
    pub prices: TokenPrices,
}

/// Prices by the size of the prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct PriceSteps {
    /// The prices below every tier.
    pub base: TokenPrices,
    /// The tiers in ascending order of `from`.
    pub tiers: Vec<PriceTier>,
}

/// All the prices of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PriceTable {
    /// The currency of all prices.
    pub currency: Currency,
    /// The prices if the reply names no service tier, or the ordinary one.
    pub standard: PriceSteps,
    /// The prices by the service tier that a reply names, such as `flex` and `priority`.
    #[serde(default)]
    pub service_tiers: BTreeMap<String, PriceSteps>,
    /// The price of one web search by the provider, in 10⁻¹² of the currency.
    #[serde(default)]
    pub web_search: Option<u64>,
}

/// A model's prices as a user typed them: decimals per million tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PriceOverride {
    /// An ISO 4217 code; `None`: `USD`.
    #[schemars(regex(pattern = CURRENCY_PATTERN))]
    pub currency: Option<String>,
    /// The price of prompt tokens that are neither read from a cache nor written to one.
    #[schemars(regex(pattern = DECIMAL_PATTERN))]
    pub input: Option<String>,
    /// The price of reply tokens, reasoning included.
    #[schemars(regex(pattern = DECIMAL_PATTERN))]
    pub output: Option<String>,
    /// The price of tokens read from the cache; `None`: as `input`.
    #[schemars(regex(pattern = DECIMAL_PATTERN))]
    pub cache_read: Option<String>,
    /// The price of tokens written to the cache; `None`: as `input`.
    #[schemars(regex(pattern = DECIMAL_PATTERN))]
    pub cache_write: Option<String>,
}

/// Decimal places of a price per million tokens, as a whole number of 10⁻¹² per token.
pub const PER_MILLION: u32 = 6;

impl PriceTable {
    /// A table of one price for every size of prompt.
    pub fn flat(currency: Currency, base: TokenPrices) -> Self {
        let standard = PriceSteps { base, tiers: Vec::new() };
        Self { currency, standard, service_tiers: BTreeMap::new(), web_search: None }
    }
}

impl PriceOverride {
    /// True if every field is a decimal, and the currency a code.
    pub fn is_usable(&self) -> bool {
        let typed = [&self.input, &self.output, &self.cache_read, &self.cache_write];
        let is_decimal = |text: &String| parse_decimal(text, PER_MILLION).is_some();
        typed.into_iter().flatten().all(is_decimal)
            && self.currency.as_deref().is_none_or(|code| Currency::parse(code).is_some())
    }

    /// The prices as numbers. `None`: neither the input price nor the output price is a decimal.
    pub fn table(&self) -> Option<PriceTable> {
        let price = |typed: &Option<String>| parse_decimal(typed.as_deref()?, PER_MILLION);
        let prices = TokenPrices {
            input: price(&self.input),
            output: price(&self.output),
            cache_read: price(&self.cache_read),
            cache_write: price(&self.cache_write),
            ..TokenPrices::default()
        };
        let currency = self.currency.as_deref().map_or(Some(Currency::usd()), Currency::parse)?;
        prices.input.or(prices.output)?;
        Some(PriceTable::flat(currency, prices))
    }
}
