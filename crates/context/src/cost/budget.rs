//! The rule by which a budget warns and stops.
//!
//! A call that leaves below the stop may end above it: what it costs is known only afterwards. Until then the
//! caller counts the most that it may cost. Each currency counts for itself. What calls of unknown cost take
//! is counted in tokens, by every budget in money: nobody knows of which currency they are. Not here: what
//! was spent, or what the user agreed to (`app`).

use serde::{Deserialize, Serialize};
use skein_domain::budget::{Budget, BudgetAmount, BudgetGauge, BudgetLevel, BudgetLimit};
use skein_domain::money::{Currency, Money};

use super::{Prices, Pricing};

/// The sum of the calls of a period.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spending {
    /// Known costs, one sum for each currency.
    pub money: Vec<Money>,
    /// Reported tokens of prompts and answers.
    pub tokens: u64,
    /// Part of these whose cost is unknown.
    pub unpriced_tokens: u64,
    /// True if more was spent: a part of some cost is unknown, or some call reported no tokens.
    pub is_floor: bool,
}

/// The user's yes to more than a limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BudgetAgreement {
    /// The limit that the settings had when the user agreed. After a change of the limit the allowance no
    /// longer holds.
    pub limit: BudgetAmount,
    /// The new stop.
    pub stop: BudgetAmount,
}

impl Spending {
    /// With another sum: both were spent.
    pub fn plus(self, other: &Self) -> Self {
        self.combined(other, u64::saturating_add)
    }

    /// The larger of two accounts of the same period, number by number.
    pub fn or_larger(self, other: &Self) -> Self {
        self.combined(other, Ord::max)
    }

    fn combined(mut self, other: &Self, combine: fn(u64, u64) -> u64) -> Self {
        for money in &other.money {
            let amount = combine(self.amount_of(&money.currency), money.amount);
            self.set(money.currency.clone(), amount);
        }
        self.tokens = combine(self.tokens, other.tokens);
        self.unpriced_tokens = combine(self.unpriced_tokens, other.unpriced_tokens);
        self.is_floor |= other.is_floor;
        self
    }

    /// True if more was spent of a limit than [`gauges`] says. Calls of unknown cost are in no sum of money.
    pub fn is_floor_of(&self, limit: &BudgetAmount) -> bool {
        let is_money = matches!(limit, BudgetAmount::Money { .. });
        self.is_floor || (is_money && self.unpriced_tokens > 0)
    }

    /// The part of it that a limit counts.
    fn counted_by(&self, limit: &BudgetAmount) -> BudgetAmount {
        limit.with_number(match limit {
            BudgetAmount::Money { money } => self.amount_of(&money.currency),
            BudgetAmount::Tokens { .. } => self.tokens,
            BudgetAmount::UnpricedTokens { .. } => self.unpriced_tokens,
        })
    }

    fn amount_of(&self, currency: &Currency) -> u64 {
        let of_it = self.money.iter().find(|money| money.currency == *currency);
        of_it.map_or(0, |money| money.amount)
    }

    fn set(&mut self, currency: Currency, amount: u64) {
        match self.money.iter_mut().find(|money| money.currency == currency) {
            Some(money) => money.amount = amount,
            None => self.money.push(Money { amount, currency }),
        }
    }
}

/// False if the calls of a model never count in a budget: the provider does not bill them, or bills them in
/// another currency. In doubt, true.
pub fn counts_in(budget: &Budget, pricing: &Pricing) -> bool {
    let BudgetLimit::Money { currency, .. } = &budget.limit else { return true };
    match &pricing.prices {
        Prices::NotBilled => false,
        Prices::User(table) | Prices::Catalogue(table) => table.currency.code() == currency,
        Prices::Unknown => true,
    }
}

/// The use of each limit of a budget.
pub fn gauges(
    budget: &Budget,
    spent: &Spending,
    agreements: &[BudgetAgreement],
) -> Vec<BudgetGauge> {
    let gauge = |limit: BudgetAmount| {
        let agreed = agreements.iter().rev().find(|agreed| agreed.limit == limit);
        let stop = agreed.map_or_else(|| limit.clone(), |agreed| agreed.stop.clone());
        let spent = spent.counted_by(&limit);
        let level = level(spent.number(), stop.number(), limit.number(), budget.warn_at);
        BudgetGauge { spent, limit, stop, level }
    };
    budget.limits().into_iter().map(gauge).collect()
}

/// Beyond the limit, too, the warning comes when a part of it as large as before the limit is left.
fn level(spent: u64, stop: u64, limit: u64, warn_at: u32) -> BudgetLevel {
    let left = u128::from(stop.saturating_sub(spent)) * 100;
    let warned = u128::from(limit) * u128::from(100_u32.saturating_sub(warn_at));
    match (spent >= stop, left <= warned) {
        (true, _) => BudgetLevel::Exceeded,
        (false, true) => BudgetLevel::Warning,
        (false, false) => BudgetLevel::Within,
    }
}

/// The agreement to spend the limit once more: the new stop is the spent amount plus the limit.
pub fn agree_to_another(gauge: &BudgetGauge) -> BudgetAgreement {
    let stop = gauge.spent.number().saturating_add(gauge.limit.number());
    BudgetAgreement { limit: gauge.limit.clone(), stop: gauge.limit.with_number(stop) }
}

#[cfg(test)]
mod tests;
