//! Estimates the cost of a call before it is made. The result is a range, because the provider's count, its
//! cache and the length of the reply are unknown.
//!
//! The low end assumes the largest possible cache and the shortest reply, the high end no cache and the
//! longest reply. Both use the prices of the ordinary service tier. Not here: the inputs of the range
//! (`app`), and the rules of caches (`prompt_cache`).

use serde::{Deserialize, Serialize};
use skein_domain::money::Money;
use skein_domain::price::{PriceSteps, PriceTable, TokenPrices};
use specta::Type;

use super::{Prices, Pricing, at};
use crate::tokens::token_count::{Basis, TokenCount};

/// An estimated cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum CostEstimate {
    /// Between two amounts of one currency, both included.
    Between {
        /// The low end.
        least: Money,
        /// The high end.
        most: Money,
    },
    /// At least this amount: the longest reply, or a price, is unknown.
    AtLeast {
        /// The low end, never 0.
        least: Money,
    },
    /// The price is unknown.
    Unknown {},
    /// The model is not billed by the token: it is local, or part of a subscription.
    NotBilled {},
}

impl CostEstimate {
    /// The cost of both; `None`: they are in different currencies. A part of unknown cost makes the other's
    /// low end a floor.
    pub fn plus(self, other: Self) -> Option<Self> {
        let (first, second) = match (self, other) {
            (Self::NotBilled {}, cost) | (cost, Self::NotBilled {}) => return Some(cost),
            (Self::Unknown {}, cost) | (cost, Self::Unknown {}) => return Some(cost.floor()),
            both => both,
        };
        let least = sum_of(first.least()?, second.least()?)?;
        match (first, second) {
            (Self::Between { most, .. }, Self::Between { most: other, .. }) => {
                Some(Self::Between { least, most: sum_of(&most, &other)? })
            }
            _ => Some(Self::AtLeast { least }),
        }
    }

    /// The low end alone.
    fn floor(self) -> Self {
        match self {
            Self::Between { least, .. } if least.amount > 0 => Self::AtLeast { least },
            Self::Between { .. } => Self::Unknown {},
            other => other,
        }
    }

    fn least(&self) -> Option<&Money> {
        match self {
            Self::Between { least, .. } | Self::AtLeast { least } => Some(least),
            Self::Unknown {} | Self::NotBilled {} => None,
        }
    }
}

/// The sum of two amounts; `None`: their currencies differ.
fn sum_of(one: &Money, other: &Money) -> Option<Money> {
    let amount = one.amount.checked_add(other.amount)?;
    (one.currency == other.currency).then(|| Money { amount, currency: one.currency.clone() })
}

/// A range of tokens, both ends included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenRange {
    /// The fewest.
    pub least: u32,
    /// The most; never below `least`.
    pub most: u32,
}

impl TokenRange {
    /// The range of tokens that a provider may count for our count. `spread` is the average error of our
    /// count in percent; `None`: it was not compared often enough, or is exact.
    pub fn around(count: TokenCount, spread: Option<u32>) -> Self {
        let percent = match (count.basis, spread) {
            // One report in a few has a larger error than the average.
            (_, Some(spread)) => spread.saturating_mul(2).max(5),
            // The tokeniser is the model's own; the text around messages and tools is unknown.
            (Basis::Exact, None) => 10,
            (Basis::Calibrated, None) => 15,
            (Basis::Borrowed, None) => 30,
        };
        let off = u64::from(count.tokens) * u64::from(percent);
        let off = u32::try_from(off.div_ceil(100)).unwrap_or(u32::MAX);
        Self {
            least: count.tokens.saturating_sub(off),
            most: count.tokens.saturating_add(off).saturating_add(UNSEEN_TOKENS),
        }
    }
}

/// Tokens that a provider may add to any prompt, unseen.
const UNSEEN_TOKENS: u32 = 32;

/// The expected length of a reply, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AnswerLength {
    /// The shortest.
    pub least: u32,
    /// The longest; `None`: unknown.
    pub most: Option<u32>,
    /// True if the range comes from the latest replies of the thread. False: it is from nothing to the
    /// longest reply of the model.
    pub is_typical: bool,
}

/// The fewest replies that predict a length.
const FEWEST_ANSWERS: usize = 3;

impl AnswerLength {
    /// The range from the lengths of the latest replies, and the longest reply of the model (`None`:
    /// unknown): half of the shortest to twice the longest, or anything if there are too few.
    pub fn expected(latest: &[u32], limit: Option<u32>) -> Self {
        let ends = latest.iter().min().zip(latest.iter().max());
        let Some((shortest, longest)) = ends.filter(|_| latest.len() >= FEWEST_ANSWERS) else {
            return Self { least: 0, most: limit, is_typical: false };
        };
        let most = longest.saturating_mul(2).min(limit.unwrap_or(u32::MAX));
        Self { least: (shortest / 2).min(most), most: Some(most), is_typical: true }
    }
}

/// A call before it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedCall {
    /// The prompt, as the provider may count it.
    pub prompt: TokenRange,
    /// The most tokens of the prompt that the provider's cache may hold.
    pub cached: u32,
    /// The shortest reply, in tokens.
    pub answer: u32,
    /// The longest reply, in tokens; `None`: unknown.
    pub longest_answer: Option<u32>,
}

/// The cost of several calls of one model.
pub fn estimate(calls: &[ExpectedCall], pricing: &Pricing) -> CostEstimate {
    let (table, may_cost_more) = match &pricing.prices {
        Prices::NotBilled => return CostEstimate::NotBilled {},
        Prices::Unknown => return CostEstimate::Unknown {},
        Prices::User(table) => (table, false),
        Prices::Catalogue(table) => (table, pricing.may_cost_more),
    };
    let (mut least, mut most) = (0_u128, Some(0_u128).filter(|_| !may_cost_more));
    for call in calls {
        let Some((low, high)) = ends(*call, &table.standard) else {
            return CostEstimate::Unknown {};
        };
        least = least.saturating_add(low);
        most = most.zip(high).map(|(sum, high)| sum.saturating_add(high));
    }
    let money = |amount: u128| {
        let amount = u64::try_from(amount).ok()?;
        Some(Money { amount, currency: table.currency.clone() })
    };
    match (money(least), most.map(money)) {
        (Some(least), Some(Some(most))) => CostEstimate::Between { least, most },
        (Some(least), None) if least.amount > 0 => CostEstimate::AtLeast { least },
        (_, _) => CostEstimate::Unknown {},
    }
}

/// The low and the high end of a call. `None`: the prompt has no price. The high end is `None` if a part of
/// it is unknown.
fn ends(call: ExpectedCall, steps: &PriceSteps) -> Option<(u128, Option<u128>)> {
    let mut ends: Option<(u128, Option<u128>)> = None;
    for prompt in sizes(call.prompt, steps) {
        let low = low_end(prompt, call, steps)?;
        let high = high_end(prompt, call, steps);
        ends = Some(match ends {
            None => (low, high),
            Some((least, most)) => (least.min(low), most.zip(high).map(|(it, high)| it.max(high))),
        });
    }
    ends
}

/// The prompt sizes at which the price may be lowest or highest: both ends of each price step within the
/// range.
fn sizes(prompt: TokenRange, steps: &PriceSteps) -> impl Iterator<Item = u32> {
    let TokenRange { least, most } = prompt;
    let inner = steps.tiers.iter().flat_map(|tier| [tier.from.saturating_sub(1), tier.from]);
    let inner = inner.filter(move |size| (least..=most).contains(size));
    [least, most.max(least)].into_iter().chain(inner)
}

fn low_end(prompt: u32, call: ExpectedCall, steps: &PriceSteps) -> Option<u128> {
    let prices = at(steps, prompt);
    let fresh = prices.input?;
    let fresh = cache_write_price(prices, &steps.base).map_or(fresh, |write| write.min(fresh));
    let read = prices.cache_read.or(steps.base.cache_read).map_or(fresh, |read| read.min(fresh));
    let cached = call.cached.min(prompt);
    let answer = [prices.output, prices.reasoning].into_iter().flatten().min().unwrap_or(0);
    Some(sum([(cached, read), (prompt - cached, fresh), (call.answer, answer)]))
}

fn high_end(prompt: u32, call: ExpectedCall, steps: &PriceSteps) -> Option<u128> {
    let prices = at(steps, prompt);
    let is_write_unknown = prices.cache_write.is_none() && steps.base.cache_write.is_some();
    let dearest = [prices.input, prices.cache_read, cache_write_price(prices, &steps.base)];
    let dearest = dearest.into_iter().flatten().max().filter(|_| !is_write_unknown)?;
    let answer = prices.output?.max(prices.reasoning.unwrap_or(0));
    Some(sum([(prompt, dearest), (call.longest_answer?, answer)]))
}

/// The price of tokens written to the cache; `None`: the price of uncached ones.
fn cache_write_price(prices: &TokenPrices, base: &TokenPrices) -> Option<u64> {
    prices.cache_write.or(base.cache_write)
}

fn sum(items: impl IntoIterator<Item = (u32, u64)>) -> u128 {
    items.into_iter().map(|(tokens, price)| u128::from(tokens) * u128::from(price)).sum()
}

/// The number of messages after which a compaction has paid for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PaidAfter {
    /// The lowest number: the compaction costs least, and the prompts without it would not be cached.
    pub least: u32,
    /// The highest number: the compaction costs most, and the prompts without it would be cached whole.
    /// `None`: never.
    pub most: Option<u32>,
}

/// The number of messages after which a compaction of this cost has paid for itself, if it shrinks a prompt
/// of `now` to `after`. `None`: the compaction saves nothing, or its cost is in another currency than
/// the prices.
pub fn paid_after(
    compaction: &CostEstimate,
    now: TokenRange,
    after: TokenRange,
    pricing: &Pricing,
) -> Option<PaidAfter> {
    let (Prices::User(table) | Prices::Catalogue(table)) = &pricing.prices else { return None };
    let CostEstimate::Between { least, most } = compaction else { return None };
    if least.currency != table.currency {
        return None;
    }
    let savings = savings(now, after, table)?;
    let (low, high) = (savings.iter().min()?, savings.iter().max()?);
    // The first message afterwards sends uncached what the cache held before.
    let anew = fresh(after.most, table)?.saturating_sub(cached(after.most, table)?);
    let messages = |cost: u128, saving: u128| {
        let count = (saving > 0).then(|| cost.div_ceil(saving).max(1))?;
        u32::try_from(count).ok()
    };
    Some(PaidAfter {
        least: messages(u128::from(least.amount), *high)?,
        most: messages(u128::from(most.amount).saturating_add(anew), *low),
    })
}

/// The savings on one message, cached and not, at both ends of the range.
fn savings(now: TokenRange, after: TokenRange, table: &PriceTable) -> Option<[u128; 4]> {
    let less = |price: fn(u32, &PriceTable) -> Option<u128>, now, after| {
        Some(price(now, table)?.saturating_sub(price(after, table)?))
    };
    Some([
        less(fresh, now.least, after.least)?,
        less(fresh, now.most, after.most)?,
        less(cached, now.least, after.least)?,
        less(cached, now.most, after.most)?,
    ])
}

/// The cost of an uncached prompt.
fn fresh(prompt: u32, table: &PriceTable) -> Option<u128> {
    let prices = at(&table.standard, prompt);
    let write = cache_write_price(prices, &table.standard.base);
    Some(sum([(prompt, prices.input?.max(write.unwrap_or(0)))]))
}

/// The cost of a cached prompt.
fn cached(prompt: u32, table: &PriceTable) -> Option<u128> {
    let prices = at(&table.standard, prompt);
    Some(sum([(prompt, prices.cache_read.or(table.standard.base.cache_read).or(prices.input)?)]))
}

#[cfg(test)]
mod tests;
