//! Parses the prices of litellm's table, in US dollars per token, as decimals.
//!
//! A price of 0 is ignored: the table writes 0 for unknown prices. Batch prices, other modalities
//! and hosts that bill by time are left out. DeepSeek's listed price is the peak one, and the
//! off-peak price is beside it; that one is used, as at models.dev.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use skein_domain::money::{Currency, DECIMALS, parse_decimal};
use skein_domain::price::{PriceSteps, PriceTable, PriceTier, TokenPrices};

use crate::Outcome;

type Members<'a> = BTreeMap<String, &'a RawValue>;

/// Service tiers that replies name.
const SERVICE_TIERS: &[&str] = &["flex", "priority"];
/// Providers that bill a web search per call, whatever it finds.
const BILLED_SEARCHES: &[&str] = &["\"openai\"", "\"anthropic\""];

/// The prices by the table's keys.
pub fn parse(json: &[u8]) -> Outcome<BTreeMap<String, PriceTable>> {
    let table: Members = serde_json::from_slice(json)?;
    let tables = table.into_iter().filter_map(|(key, facts)| {
        let prices = model(&members(facts)?)?;
        Some((key, prices))
    });
    Ok(tables.collect())
}

fn members(value: &RawValue) -> Option<Members<'_>> {
    serde_json::from_str(value.get()).ok()
}

fn model(facts: &Members) -> Option<PriceTable> {
    let off_peak = facts.get("off_peak_pricing").and_then(|set| members(set));
    let standard = match (ranges(facts), off_peak) {
        (Some(steps), _) => steps,
        (None, Some(off_peak)) => steps(&off_peak, "")?,
        (None, None) => steps(facts, "")?,
    };
    let service_tiers = SERVICE_TIERS.iter().filter_map(|name| {
        let steps = steps(facts, &format!("_{name}"))?;
        Some(((*name).to_owned(), steps))
    });
    Some(PriceTable {
        service_tiers: service_tiers.collect(),
        web_search: web_search(facts),
        standard,
        currency: Currency::usd(),
    })
}

/// `suffix` ends the field names of a service tier's prices.
fn steps(facts: &Members, suffix: &str) -> Option<PriceSteps> {
    let base = prices(facts, "", suffix);
    base.input.and(base.output)?;
    let mut tiers: Vec<PriceTier> =
        facts.keys().filter_map(|key| tier(facts, key, suffix)).collect();
    tiers.sort_by_key(|tier| tier.from);
    Some(PriceSteps { base, tiers })
}

fn tier(facts: &Members, key: &str, suffix: &str) -> Option<PriceTier> {
    let size = key.strip_prefix("input_cost_per_token_above_")?.strip_suffix(suffix)?;
    let thousands: u32 = size.strip_suffix("k_tokens")?.parse().ok()?;
    let prices = prices(facts, &format!("_above_{thousands}k_tokens"), suffix);
    Some(PriceTier { from: from(facts, thousands.checked_mul(1_000)?)?, prices })
}

/// The smallest prompt above a size; for xAI the size itself: <https://docs.x.ai/docs/models>.
fn from(facts: &Members, size: u32) -> Option<u32> {
    let includes = facts.get("litellm_provider").is_some_and(|it| it.get() == "\"xai\"");
    if includes { Some(size) } else { size.checked_add(1) }
}

fn prices(facts: &Members, size: &str, suffix: &str) -> TokenPrices {
    let price = |name: &str| {
        let raw = facts.get(&format!("{name}{size}{suffix}"))?;
        parse_decimal(raw.get(), DECIMALS).filter(|price| *price > 0)
    };
    let output = price("output_cost_per_token");
    // Perplexity bills reasoning separately; elsewhere the price is that of both.
    let is_of_both = facts.get("citation_cost_per_token").is_none();
    let reasoning = price("output_cost_per_reasoning_token");
    TokenPrices {
        input: price("input_cost_per_token"),
        output,
        cache_read: price("cache_read_input_token_cost"),
        cache_write: price("cache_creation_input_token_cost"),
        cache_write_hour: price("cache_creation_input_token_cost_above_1hr"),
        reasoning: reasoning.filter(|thinking| is_of_both && Some(*thinking) != output),
    }
}

/// Qwen's price ranges: each has the range of prompts it applies to, including the upper end.
fn ranges(facts: &Members) -> Option<PriceSteps> {
    let sets: Vec<&RawValue> = serde_json::from_str(facts.get("tiered_pricing")?.get()).ok()?;
    let mut steps = PriceSteps::default();
    for set in sets {
        let set = members(set)?;
        let range: Vec<&RawValue> = serde_json::from_str(set.get("range")?.get()).ok()?;
        let above = u32::try_from(parse_decimal(range.first()?.get(), 0)?).ok()?;
        let prices = prices(&set, "", "");
        match above {
            0 => steps.base = prices,
            _ => steps.tiers.push(PriceTier { from: from(facts, above)?, prices }),
        }
    }
    steps.base.input.and(steps.base.output)?;
    Some(steps)
}

fn web_search(facts: &Members) -> Option<u64> {
    let provider = facts.get("litellm_provider")?;
    let by_size = members(facts.get("search_context_cost_per_query")?)?;
    let price = parse_decimal(by_size.get("search_context_size_medium")?.get(), DECIMALS)?;
    BILLED_SEARCHES.contains(&provider.get()).then_some(price)
}
