//! Chooses the lifetime of a cached prompt, five minutes or an hour, by the pauses of a conversation.
//!
//! Anthropic bills a write that lives five minutes at 1.25 times the input's price, one that lives an hour at
//! twice that price, and reads at a fraction:
//! <https://platform.claude.com/docs/en/build-with-claude/prompt-caching>. The calls so far are priced under
//! both lifetimes; the next ones are taken to be like them. Not here: which prices apply (`app`).

use skein_domain::price::{PriceSteps, PriceTable, PriceTier, TokenPrices};

use super::prompt_cache::HOUR_LIFETIME;

/// A call as far as its price depends on the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PastCall {
    /// Milliseconds from the end of the reply before.
    pub pause: i64,
    /// Tokens of the prompt that the call before had sent.
    pub repeated: u32,
    /// The other tokens of the prompt.
    pub added: u32,
}

/// From fewer calls nothing can be said of the pauses.
const FEWEST_CALLS: usize = 4;

/// True if these calls would have cost less with prompts kept for an hour than for `lifetime` milliseconds.
/// False also where prices are not known, or the calls are too few.
pub fn pays_for_an_hour(calls: &[PastCall], lifetime: i64, prices: &TokenPrices) -> bool {
    let (Some(input), Some(read)) = (prices.input, prices.cache_read) else { return false };
    let Some(short_write) = prices.cache_write.filter(|_| calls.len() >= FEWEST_CALLS) else {
        return false;
    };
    let hour_write = hour_write(prices).unwrap_or(input);
    let cost = |lifetime: i64, write: u64| -> u128 {
        let price = |tokens: u32, price: u64| u128::from(tokens) * u128::from(price);
        let of_call = |call: &PastCall| match (0..=lifetime).contains(&call.pause) {
            true => price(call.repeated, read) + price(call.added, write),
            false => price(call.repeated, write) + price(call.added, write),
        };
        calls.iter().map(of_call).sum()
    };
    cost(HOUR_LIFETIME, hour_write) < cost(lifetime, short_write)
}

/// The price of tokens that are kept for an hour: twice the input where no other is listed.
fn hour_write(prices: &TokenPrices) -> Option<u64> {
    prices.cache_write_hour.or_else(|| prices.input?.checked_mul(2))
}

/// The same prices for calls whose prompts are kept for an hour.
pub(super) fn with_hour_writes(table: &PriceTable) -> PriceTable {
    let with_hour =
        |prices: &TokenPrices| TokenPrices { cache_write: hour_write(prices), ..*prices };
    let PriceSteps { base, tiers } = &table.standard;
    let tiers = tiers.iter().map(|tier| PriceTier { prices: with_hour(&tier.prices), ..*tier });
    let standard = PriceSteps { base: with_hour(base), tiers: tiers.collect() };
    PriceTable { standard, ..table.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;
    /// Claude's proportions: reads at a tenth, writes at 1.25 and 2 times the input.
    const PRICES: TokenPrices = TokenPrices {
        input: Some(100),
        output: Some(500),
        reasoning: None,
        cache_read: Some(10),
        cache_write: Some(125),
        cache_write_hour: Some(200),
    };

    fn calls(minutes: &[i64], repeated: u32, added: u32) -> Vec<PastCall> {
        let call = |minutes: &i64| PastCall { pause: minutes * MINUTE, repeated, added };
        minutes.iter().map(call).collect()
    }

    #[test]
    fn c07_an_hour_pays_where_pauses_lie_between_five_minutes_and_an_hour() {
        for (minutes, repeated, added, pays) in [
            // Always within five minutes: the writes only cost more.
            (vec![1, 2, 1, 3], 20_000, 500, false),
            // Each of them would be written anew: 115 a token more than reading it.
            (vec![10, 20, 30, 40], 20_000, 500, true),
            // A share of one in four is enough where much is repeated and little is added.
            (vec![1, 2, 30, 1], 20_000, 500, true),
            // 1,000 x 115 saved, 4 x 500 x 75 spent on dearer writes.
            (vec![1, 2, 30, 1], 1_000, 500, false),
            // Longer than an hour: written anew in any case, at twice the price.
            (vec![90, 120, 600, 1_500], 20_000, 500, false),
            // 115 saved twice, 75 lost twice.
            (vec![90, 120, 20, 20], 20_000, 0, true),
            // 115 saved once, 75 lost three times.
            (vec![90, 120, 70, 20], 20_000, 0, false),
            // Too few to go by.
            (vec![20, 20, 20], 20_000, 500, false),
            (vec![], 20_000, 500, false),
            // The clock was set back: nothing is known of the pause.
            (vec![-20, -20, -20, -20], 20_000, 500, false),
        ] {
            let calls = calls(&minutes, repeated, added);
            assert_eq!(pays_for_an_hour(&calls, 5 * MINUTE, &PRICES), pays, "{minutes:?}");
        }
    }

    #[test]
    fn c07_without_prices_an_hour_never_pays_and_its_price_is_twice_the_input_where_none_is_listed()
    {
        let calls = calls(&[10, 20, 30, 40], 20_000, 500);
        let pays = |prices: &TokenPrices| pays_for_an_hour(&calls, 5 * MINUTE, prices);
        assert!(pays(&TokenPrices { cache_write_hour: None, ..PRICES }));
        assert!(!pays(&TokenPrices { cache_read: None, ..PRICES }));
        assert!(!pays(&TokenPrices { cache_write: None, ..PRICES }));
        assert!(!pays(&TokenPrices { input: None, ..PRICES }));
    }
}
