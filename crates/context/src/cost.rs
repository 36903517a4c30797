//! The cost of a call: its usage times the applicable prices, in whole units of 10⁻¹².
//!
//! Pure. The numbered facts come from the providers' own pages; each has a row in
//! `providers/billed_replies.rs`. Not here: which prices apply (`app`), or how a cost is shown.

use skein_domain::cost::{BillingReport, Cost, StatedCost, StatedCostField};
use skein_domain::finish_reason::FinishReason;
use skein_domain::money::{Currency, Money};
use skein_domain::price::{PriceSteps, PriceTable, TokenPrices};
use skein_domain::usage::TokenUsage;

pub mod budget;
pub mod cache_lifetime;
pub mod cache_miss;
mod cleaning;
pub mod estimate;
pub mod prompt_cache;

use cache_lifetime::with_hour_writes;
pub use cleaning::{AutomaticCleaning, CleaningReason, automatic_cleaning};
use prompt_cache::CacheLifetime;

/// The billing of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pricing {
    /// The prices of the model.
    pub prices: Prices,
    /// True if the field `usage.cost` of its replies is a charge in US dollars.
    pub states_cost: bool,
    /// True if a refusal before any output is not billed.
    pub free_refusals: bool,
    /// True if the provider may charge more than the catalogue's prices at this hour.
    pub may_cost_more: bool,
}

impl Pricing {
    /// The pricing of a call whose prompt the provider keeps so long.
    pub fn with_cache_lifetime(self, lifetime: CacheLifetime) -> Self {
        match lifetime {
            CacheLifetime::Usual => self,
            CacheLifetime::Hour => self.map_prices(with_hour_writes),
        }
    }

    /// The same with other prices.
    fn map_prices(self, change: impl FnOnce(&PriceTable) -> PriceTable) -> Self {
        let prices = match &self.prices {
            Prices::User(table) => Prices::User(change(table)),
            Prices::Catalogue(table) => Prices::Catalogue(change(table)),
            Prices::NotBilled | Prices::Unknown => return self,
        };
        Self { prices, ..self }
    }

    /// The pricing of a model of which nothing is known.
    pub fn unknown() -> Self {
        let prices = Prices::Unknown;
        Self { prices, states_cost: false, free_refusals: false, may_cost_more: false }
    }
}

/// The prices of a model, and their source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prices {
    /// The model is not billed by the token.
    NotBilled,
    /// The prices are unknown.
    Unknown,
    /// The user entered them: they take precedence over a charge that the provider states.
    User(PriceTable),
    /// The prices come from the catalogue.
    Catalogue(PriceTable),
}

/// A call to bill.
#[derive(Debug, Clone, Copy)]
pub struct BilledCall<'a> {
    /// The usage that the provider reported.
    pub usage: &'a TokenUsage,
    /// The rest of the bill in the reply.
    pub report: &'a BillingReport,
    /// The finish reason; `None`: the reply was stopped or failed, and more may be billed than was reported.
    pub finish: Option<FinishReason>,
}

/// The names of the ordinary service tier: OpenAI's, Anthropic's, Groq's.
const STANDARD_TIERS: &[&str] = &["", "default", "standard", "auto", "on_demand"];

/// The cost of a call. A stated charge takes precedence over the catalogue, and the user's price over both.
pub fn cost(call: BilledCall, pricing: &Pricing) -> Cost {
    let stated = call.report.stated.as_ref().filter(|stated| match stated.field {
        StatedCostField::Cost => pricing.states_cost,
        StatedCostField::UsdTicks => true,
    });
    match (&pricing.prices, stated) {
        (Prices::NotBilled, _) => Cost::NotBilled {},
        (Prices::User(table), _) => reckon(call, table, pricing, false),
        (Prices::Unknown | Prices::Catalogue(_), Some(stated)) => stated_cost(call, stated),
        (Prices::Catalogue(table), None) => reckon(call, table, pricing, pricing.may_cost_more),
        (Prices::Unknown, None) => Cost::Unknown {},
    }
}

/// The prices per token of a call; `None`: its service tier has none.
pub fn prices_of<'a>(call: BilledCall, table: &'a PriceTable) -> Option<&'a TokenPrices> {
    Some(at(price_steps(call.report, table)?, call.usage.prompt.unwrap_or(0)))
}

fn stated_cost(call: BilledCall, stated: &StatedCost) -> Cost {
    let money = stated.money.clone();
    match (stated.is_partial || call.finish.is_none(), money.amount) {
        (false, _) => Cost::Known { money },
        (true, 0) => Cost::Unknown {},
        (true, _) => Cost::AtLeast { money },
    }
}

fn reckon(call: BilledCall, table: &PriceTable, pricing: &Pricing, may_cost_more: bool) -> Cost {
    let BilledCall { usage, report, finish } = call;
    let currency = &table.currency;
    let is_silent = usage.completion.unwrap_or(0) == 0;
    if pricing.free_refusals && is_silent && finish == Some(FinishReason::Filtered) {
        return Cost::Known { money: Money { amount: 0, currency: currency.clone() } };
    }
    let Some(steps) = price_steps(report, table) else { return Cost::Unknown {} };
    let mut sum = Sum::default();
    if report.attempts.is_empty() {
        sum.add_usage(usage, report.cache_written_hour, steps);
    }
    for attempt in &report.attempts {
        // The prices of another model are unknown here.
        match attempt.model == report.model || attempt.model.is_none() {
            true => sum.add_usage(&attempt.usage, attempt.cache_written_hour, steps),
            false => sum.is_floor = true,
        }
    }
    if report.is_us_only {
        sum.amount = sum.amount.saturating_mul(11) / 10;
    }
    sum.add_tools(report, table);
    sum.is_floor |= finish.is_none() || report.has_unpriced_items || may_cost_more;
    sum.cost(currency)
}

/// The prices of the service tier that the reply names; `None`: there are none.
fn price_steps<'a>(report: &BillingReport, table: &'a PriceTable) -> Option<&'a PriceSteps> {
    let tier = report.service_tier.as_deref().unwrap_or_default();
    match STANDARD_TIERS.contains(&tier) {
        true => Some(&table.standard),
        false => table.service_tiers.get(tier),
    }
}

/// The prices for a size of prompt. They apply to the whole request.
fn at(steps: &PriceSteps, prompt: u32) -> &TokenPrices {
    let tier = steps.tiers.iter().rev().find(|tier| prompt >= tier.from);
    tier.map_or(&steps.base, |tier| &tier.prices)
}

/// A sum of priced items.
#[derive(Debug, Default)]
struct Sum {
    amount: u128,
    /// True if an item was priced: a sum of nothing is unknown.
    has_items: bool,
    /// True if an item without a price is missing from the sum.
    is_floor: bool,
}

impl Sum {
    fn add_usage(&mut self, usage: &TokenUsage, written_hour: Option<u32>, steps: &PriceSteps) {
        let is_reported = [usage.prompt, usage.completion].iter().any(|it| it.unwrap_or(0) > 0);
        if !is_reported {
            self.is_floor = true;
            return;
        }
        match usage.prompt {
            Some(prompt) => self.add_prompt(prompt, usage, written_hour, steps),
            None => self.is_floor = true,
        }
        self.add_output(usage, at(steps, usage.prompt.unwrap_or(0)));
    }

    /// Adds the prompt. Cached and written tokens are parts of it and never more than it.
    fn add_prompt(
        &mut self,
        prompt: u32,
        usage: &TokenUsage,
        written_hour: Option<u32>,
        steps: &PriceSteps,
    ) {
        let (prices, base) = (at(steps, prompt), &steps.base);
        let cached = usage.cached.unwrap_or(0).min(prompt);
        let written = usage.cache_written.unwrap_or(0).min(prompt - cached);
        let hour = written_hour.unwrap_or(0).min(written);
        self.add(prompt - cached - written, prices.input);
        self.add_cached(cached, prices.cache_read, base.cache_read, prices.input);
        self.add_cached(written - hour, prices.cache_write, base.cache_write, prices.input);
        if prices.cache_write_hour.is_some() || hour == 0 {
            self.add(hour, prices.cache_write_hour);
        } else {
            self.add_cached(hour, prices.cache_write, base.cache_write, prices.input);
            self.is_floor = true;
        }
    }

    /// Adds cached tokens. If only the base has a price, that price is a floor; if neither has one, they cost
    /// as much as uncached tokens.
    fn add_cached(
        &mut self,
        tokens: u32,
        price: Option<u64>,
        base: Option<u64>,
        input: Option<u64>,
    ) {
        self.is_floor |= tokens > 0 && price.is_none() && base.is_some();
        self.add(tokens, price.or(base).or(input));
    }

    fn add_output(&mut self, usage: &TokenUsage, prices: &TokenPrices) {
        let Some(completion) = usage.completion else {
            self.is_floor = true;
            return;
        };
        let price = match (prices.reasoning, usage.reasoning) {
            (None, _) | (Some(_), Some(0)) => prices.output,
            (Some(thinking), Some(_)) => Some(thinking),
            // The reply does not say whether the model reasoned.
            (Some(thinking), None) => {
                self.is_floor |= prices.output != Some(thinking);
                prices.output.map(|output| output.min(thinking))
            }
        };
        self.add(completion, price);
    }

    /// The cost of the provider's own tools.
    fn add_tools(&mut self, report: &BillingReport, table: &PriceTable) {
        let searches = report.web_searches.unwrap_or(0);
        self.add(searches, table.web_search);
        match report.tool_prompt.unwrap_or(0) {
            // Providers differ in whether the results of a search are billed.
            tokens if searches > 0 => self.is_floor |= tokens > 0,
            tokens => self.add(tokens, table.standard.base.input),
        }
    }

    fn add(&mut self, count: u32, price: Option<u64>) {
        match price {
            Some(price) => {
                self.has_items |= count > 0;
                self.amount = self.amount.saturating_add(u128::from(count) * u128::from(price));
            }
            None => self.is_floor |= count > 0,
        }
    }

    fn cost(self, currency: &Currency) -> Cost {
        let Ok(amount) = u64::try_from(self.amount) else { return Cost::Unknown {} };
        let money = Money { amount, currency: currency.clone() };
        match (self.has_items, self.is_floor) {
            (true, false) => Cost::Known { money },
            (true, true) if money.amount > 0 => Cost::AtLeast { money },
            (true | false, true) | (false, false) => Cost::Unknown {},
        }
    }
}

#[cfg(test)]
mod tests;
