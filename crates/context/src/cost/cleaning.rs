//! When old tool calls leave the context where the user left that open: as it costs least.
//!
//! A tool call that leaves an older round changes the prompt there, and everything behind it is read anew.
//! Where the provider reads from its cache for less, that costs more than the old calls. The figures are
//! those of `cargo xtask simulate --prices` (docs/measured.md).

use serde::{Deserialize, Serialize};
use specta::Type;

use super::Prices;
use super::prompt_cache::CacheRules;
use crate::limits::policy::ToolCleaning;

/// Above this share of the price of a fresh token, in percent, a cached one does not make up for old tool
/// calls that stay: the simulation breaks even at 45.
const DEAREST_READ: u64 = 40;

/// When old tool calls leave, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AutomaticCleaning {
    /// When.
    pub cleaning: ToolCleaning,
    /// Why.
    pub reason: CleaningReason,
}

/// Why old tool calls leave when they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum CleaningReason {
    /// A cached token costs this share of a fresh one.
    CheapReads {
        /// In percent, rounded up.
        percent: u32,
    },
    /// Nothing is billed by the token, and a local model need not read again what it remembers.
    Local {},
    /// A cached token costs as much as a fresh one, or not much less.
    SmallDiscount {},
    /// The conversation is compacted before it is long enough for the cache.
    TooShort {},
    /// Nobody knows what a cached token costs.
    Unknown {},
}

/// The choice for a model of these prices, whose provider caches by these rules. `threshold` is the largest
/// prompt that is not compacted, in tokens; `None`: unknown.
pub fn automatic_cleaning(
    prices: &Prices,
    rules: CacheRules,
    threshold: Option<u32>,
) -> AutomaticCleaning {
    let reason = match read_share(prices) {
        ReadShare::Free => CleaningReason::Local {},
        ReadShare::Unknown => CleaningReason::Unknown {},
        ReadShare::Percent(percent) if percent > DEAREST_READ => CleaningReason::SmallDiscount {},
        ReadShare::Percent(_) if threshold.is_some_and(|most| most < rules.minimum) => {
            CleaningReason::TooShort {}
        }
        ReadShare::Percent(percent) => {
            CleaningReason::CheapReads { percent: u32::try_from(percent).unwrap_or(u32::MAX) }
        }
    };
    let cleaning = match reason {
        CleaningReason::CheapReads { .. } | CleaningReason::Local {} => ToolCleaning::InBatches,
        CleaningReason::SmallDiscount {}
        | CleaningReason::TooShort {}
        | CleaningReason::Unknown {} => ToolCleaning::EverySend,
    };
    AutomaticCleaning { cleaning, reason }
}

/// The price of a cached token, as a share of that of a fresh one.
enum ReadShare {
    /// Nothing is billed by the token.
    Free,
    /// In percent, rounded up.
    Percent(u64),
    Unknown,
}

fn read_share(prices: &Prices) -> ReadShare {
    let table = match prices {
        Prices::NotBilled => return ReadShare::Free,
        Prices::Unknown => return ReadShare::Unknown,
        Prices::User(table) | Prices::Catalogue(table) => table,
    };
    let base = table.standard.base;
    match (base.input, base.cache_read) {
        (None, _) => ReadShare::Unknown,
        // A cached token without a price of its own costs as much as a fresh one.
        (Some(_), None) | (Some(0), Some(_)) => ReadShare::Percent(100),
        (Some(fresh), Some(read)) => ReadShare::Percent(read.saturating_mul(100).div_ceil(fresh)),
    }
}

#[cfg(test)]
mod tests {
    use skein_domain::money::Currency;
    use skein_domain::price::{PriceTable, TokenPrices};

    use super::*;

    fn prices(input: Option<u64>, cache_read: Option<u64>) -> Prices {
        let prices = TokenPrices { input, cache_read, ..TokenPrices::default() };
        Prices::Catalogue(PriceTable::flat(Currency::usd(), prices))
    }

    #[test]
    fn c09_the_price_of_the_cache_and_its_minimum_decide_when_old_tool_calls_leave() {
        let rules = CacheRules { minimum: 4_096, lifetime: 300_000, expiry: 300_000 };
        let (input, known) = (Some(2_000_000), Some(100_800));
        let batches = |percent| (ToolCleaning::InBatches, CleaningReason::CheapReads { percent });
        let every = |reason| (ToolCleaning::EverySend, reason);
        let rows = [
            (prices(input, Some(200_000)), known, batches(10)),
            (prices(input, Some(50_000)), known, batches(3)),
            (prices(input, Some(800_000)), known, batches(40)),
            (prices(input, Some(800_001)), known, every(CleaningReason::SmallDiscount {})),
            (prices(input, Some(1_000_000)), known, every(CleaningReason::SmallDiscount {})),
            (prices(input, None), known, every(CleaningReason::SmallDiscount {})),
            (prices(Some(0), Some(0)), known, every(CleaningReason::SmallDiscount {})),
            (prices(None, Some(1)), known, every(CleaningReason::Unknown {})),
            (prices(input, Some(200_000)), Some(4_095), every(CleaningReason::TooShort {})),
            (prices(input, Some(200_000)), Some(4_096), batches(10)),
            (prices(input, Some(200_000)), None, batches(10)),
            (Prices::Unknown, known, every(CleaningReason::Unknown {})),
            (Prices::NotBilled, Some(100), (ToolCleaning::InBatches, CleaningReason::Local {})),
        ];
        for (prices, threshold, (cleaning, reason)) in rows {
            let found = automatic_cleaning(&prices, rules, threshold);
            assert_eq!(found, AutomaticCleaning { cleaning, reason }, "{prices:?}, {threshold:?}");
        }
    }
}
