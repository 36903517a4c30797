//! Writes the price field of a line of `models.tsv`; `skein_context::limits::catalog` describes and
//! reads it.

use skein_domain::money::DECIMALS;
use skein_domain::price::{PER_MILLION, PriceSteps, PriceTable, TokenPrices};

pub fn format(table: &PriceTable) -> String {
    let mut sets = steps("", &table.standard);
    for (name, service) in &table.service_tiers {
        sets.extend(steps(&format!("@{name} "), service));
    }
    sets.extend(table.web_search.map(|price| format!("?{}", decimal(price, DECIMALS))));
    sets.join("|")
}

fn steps(prefix: &str, steps: &PriceSteps) -> Vec<String> {
    let mut sets = vec![format!("{prefix}{}", set(&steps.base))];
    sets.extend(steps.tiers.iter().map(|tier| format!(">{} {}", tier.from, set(&tier.prices))));
    sets
}

fn set(prices: &TokenPrices) -> String {
    let all = [
        ('i', prices.input),
        ('o', prices.output),
        ('r', prices.cache_read),
        ('w', prices.cache_write),
        ('h', prices.cache_write_hour),
        ('t', prices.reasoning),
    ];
    let known = all.into_iter().filter_map(|(letter, price)| Some((letter, price?)));
    let words = known.map(|(letter, price)| format!("{letter}{}", decimal(price, PER_MILLION)));
    words.collect::<Vec<_>>().join(" ")
}

/// A whole number of 10^-`places` as a decimal without trailing zeros.
fn decimal(number: u64, places: u32) -> String {
    let one = 10_u64.pow(places);
    let fraction = format!("{:0width$}", number % one, width = places as usize);
    let text = format!("{}.{fraction}", number / one);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
