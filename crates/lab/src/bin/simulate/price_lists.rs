//! The price lists that a conversation is lived under, and the caches of their providers.

use skein_context::cost::prompt_cache::{CacheRules, cache_rules};
use skein_context::cost::{Prices, Pricing, automatic_cleaning};
use skein_context::limits::catalog::Catalog;
use skein_context::limits::policy::ToolCleaning;
use skein_domain::money::Currency;
use skein_domain::price::{PriceTable, TokenPrices};

/// A model with its prices and its provider's cache.
#[derive(Debug)]
pub struct PriceList {
    /// As the tables call it.
    pub name: &'static str,
    pub table: PriceTable,
    /// Of the model that writes summaries; `None`: the model itself does.
    pub summaries: Option<PriceTable>,
    pub cache: Option<Cache>,
}

#[derive(Debug, Clone, Copy)]
pub struct Cache {
    pub rules: CacheRules,
    /// Only the beginnings that a request marks are written.
    pub is_asked: bool,
    /// Written tokens have a price of their own.
    pub bills_writes: bool,
}

/// Of every list the provider in the catalogue, the model and its name here.
const LISTS: [(&str, &str, &str); 6] = [
    ("openai", "gpt-5.6", "GPT-5.6"),
    ("anthropic", "claude-sonnet-5-5", "Claude Sonnet 5.5"),
    ("google", "gemini-3.1-pro-preview", "Gemini 3.1 Pro"),
    ("deepseek", "deepseek-v4-pro", "DeepSeek V4 Pro"),
    // Half the price for what its cache holds, as with most models before 2025.
    ("openai", "gpt-4o", "GPT-4o"),
    // Lists no price for what its cache holds.
    ("cerebras", "gpt-oss-120b", "gpt-oss-120b at Cerebras"),
];

impl PriceList {
    /// The automatic choice under this list of when old tool calls leave.
    pub fn cleaning(&self) -> ToolCleaning {
        let rules = cache_rules("", "");
        let rules = self.cache.map_or(rules, |cache| cache.rules);
        let prices = match self.is_local() {
            true => Prices::NotBilled,
            false => Prices::Catalogue(self.table.clone()),
        };
        automatic_cleaning(&prices, rules, None).cleaning
    }

    /// An amount in its unit.
    pub fn shown(&self, amount: u128) -> String {
        (amount / u128::from(UNIT)).to_string()
    }

    /// The unit that amounts are shown in.
    pub fn unit(&self) -> &'static str {
        if self.is_local() { "tokens' worth of reading" } else { "millionths of a dollar" }
    }

    fn is_local(&self) -> bool {
        self.table.currency != Currency::usd()
    }
}

/// The prices of the catalogue that ships with the program, and a local model's.
pub fn price_lists() -> Vec<PriceList> {
    let listed = LISTS.iter().filter_map(|(provider, model, name)| {
        let catalog = Catalog::built_in();
        let prices = |model: &str| catalog.find(provider, model)?.prices().cloned();
        let table = prices(model)?;
        let base = table.standard.base;
        let rules = cache_rules(provider, model);
        let is_asked = *provider == "anthropic";
        let cache = Cache { rules, is_asked, bills_writes: base.cache_write.is_some() };
        Some(PriceList {
            name,
            cache: base.cache_read.map(|_| cache),
            summaries: catalog.fast_model(provider).and_then(prices),
            table,
        })
    });
    listed.chain(local()).collect()
}

/// A local model costs time: 1 for a token that it reads, nothing for one that it remembers, and 10 for one
/// that it writes, which takes about ten times as long.
fn local() -> Option<PriceList> {
    let (input, output) = (Some(UNIT), Some(10 * UNIT));
    let prices = TokenPrices { input, output, cache_read: Some(0), ..TokenPrices::default() };
    let cache = Cache { rules: cache_rules("ollama", ""), is_asked: false, bills_writes: false };
    Some(PriceList {
        name: "a local model",
        table: PriceTable::flat(Currency::parse("XXX")?, prices),
        summaries: None,
        cache: Some(cache),
    })
}

/// Amounts are shown in millionths of a dollar, and a local model's by the tokens that it reads.
const UNIT: u64 = 1_000_000;

/// A table as the engine bills by it.
pub fn pricing(table: &PriceTable) -> Pricing {
    Pricing { prices: Prices::Catalogue(table.clone()), ..Pricing::unknown() }
}
