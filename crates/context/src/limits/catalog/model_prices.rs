//! Prices in the two formats of the catalogue: models.dev's `cost`, and the last field of `models.tsv`.
//!
//! A decimal is parsed as it is written, without a float. models.dev states US dollars per million tokens. It
//! has no field for one-hour writes and none for the direction of a tier's boundary; this file has both, from
//! the providers' own pages. `context_over_200k` is not read: it repeats the `tiers` without their size.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use skein_domain::money::{Currency, DECIMALS, parse_decimal};
use skein_domain::price::{PER_MILLION, PriceSteps, PriceTable, PriceTier, TokenPrices};

type Members<'a> = BTreeMap<String, &'a RawValue>;

/// The provider whose one-hour cache writes cost twice its input:
/// <https://platform.claude.com/docs/en/build-with-claude/prompt-caching>.
const HOUR_IS_TWICE_INPUT: &str = "anthropic";
/// The provider whose tier begins at its size, not above it: <https://docs.x.ai/docs/models>.
const TIER_INCLUDES_SIZE: &str = "xai";
/// The providers that bill 10 US dollars for 1,000 web searches, whatever these find:
/// <https://openai.com/api/pricing>,
/// <https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool>.
const BILLED_SEARCHES: &[&str] = &["openai", "anthropic"];
/// The price of one of these searches, in 10⁻¹² US dollars.
const WEB_SEARCH: u64 = 10_000_000_000;

/// Parses models.dev's `api.json` into tables by provider and model. An entry of an unexpected shape is
/// skipped.
pub(super) fn parse_models_dev(json: &[u8]) -> BTreeMap<String, BTreeMap<String, PriceTable>> {
    let Ok(root) = serde_json::from_slice::<Members>(json) else { return BTreeMap::new() };
    let providers = root.into_iter().filter_map(|(id, provider)| {
        let models = members(members(provider)?.get("models")?)?;
        let models = models.into_iter().filter_map(|(model, facts)| {
            let table = table(&id, &members(facts)?)?;
            Some((model, table))
        });
        let models = models.collect();
        Some((id, models))
    });
    providers.collect()
}

fn members(value: &RawValue) -> Option<Members<'_>> {
    serde_json::from_str(value.get()).ok()
}

fn table(provider: &str, facts: &Members) -> Option<PriceTable> {
    let standard = price_steps(provider, &members(facts.get("cost")?)?)?;
    let fast = || {
        let modes = members(members(facts.get("experimental")?)?.get("modes")?)?;
        price_steps(provider, &members(members(modes.get("fast")?)?.get("cost")?)?)
    };
    // Anthropic's replies call it a speed, OpenAI's a service tier.
    let name = if provider == "anthropic" { "fast" } else { "priority" };
    let service_tiers = fast().map(|steps| (name.to_owned(), steps)).into_iter().collect();
    let currency = Currency::usd();
    let web_search = BILLED_SEARCHES.contains(&provider).then_some(WEB_SEARCH);
    Some(PriceTable { currency, standard, service_tiers, web_search })
}

fn price_steps(provider: &str, cost: &Members) -> Option<PriceSteps> {
    let base = prices(provider, cost);
    base.input.or(base.output)?;
    let tiers = cost.get("tiers").and_then(|all| serde_json::from_str(all.get()).ok());
    let tiers: Vec<&RawValue> = tiers.unwrap_or_default();
    let mut tiers: Vec<PriceTier> =
        tiers.into_iter().filter_map(|one| tier(provider, &members(one)?)).collect();
    tiers.sort_by_key(|tier| tier.from);
    Some(PriceSteps { base, tiers })
}

fn tier(provider: &str, set: &Members) -> Option<PriceTier> {
    let tier = members(set.get("tier")?)?;
    let is_context = tier.get("type").is_none_or(|kind| kind.get() == "\"context\"");
    let size = parse_decimal(tier.get("size")?.get(), 0).filter(|_| is_context)?;
    let size = u32::try_from(size).ok()?;
    let from = if provider == TIER_INCLUDES_SIZE { size } else { size.checked_add(1)? };
    Some(PriceTier { from, prices: prices(provider, set) })
}

fn prices(provider: &str, set: &Members) -> TokenPrices {
    let price = |name: &str| parse_decimal(set.get(name)?.get(), PER_MILLION);
    let (input, output) = (price("input"), price("output"));
    let cache_write = price("cache_write");
    let has_hour = provider == HOUR_IS_TWICE_INPUT && cache_write.is_some();
    TokenPrices {
        input,
        output,
        cache_read: price("cache_read"),
        cache_write,
        cache_write_hour: input.filter(|_| has_hour).and_then(|input| input.checked_mul(2)),
        reasoning: price("reasoning").filter(|reasoning| Some(*reasoning) != output),
    }
}

/// The newer table. Prices that only the older table has stay if the main prices are the same.
pub(super) fn merge(newer: Option<PriceTable>, older: Option<PriceTable>) -> Option<PriceTable> {
    let (Some(mut newer), Some(older)) = (newer.clone(), older.clone()) else {
        return newer.or(older);
    };
    let main = |table: &PriceTable| {
        let TokenPrices { input, output, cache_write, .. } = table.standard.base;
        (table.currency.clone(), input, output, cache_write, table.standard.tiers.len())
    };
    if main(&newer) == main(&older) {
        let (base, old) = (&mut newer.standard.base, older.standard.base);
        base.cache_write_hour = base.cache_write_hour.or(old.cache_write_hour);
        base.reasoning = base.reasoning.or(old.reasoning);
        for (name, steps) in older.service_tiers {
            newer.service_tiers.entry(name).or_insert(steps);
        }
        newer.web_search = newer.web_search.or(older.web_search);
    }
    Some(newer)
}

/// Parses the last field of a line: sets of prices separated by `|`. A set is prices in US dollars per
/// million tokens, separated by spaces, each after a letter: `i`nput, `o`utput, cache `r`ead, cache `w`rite,
/// one-`h`our write, `t`hinking. A set begins with `>272001` if it applies from that prompt size on, and with
/// `@flex` if it applies to that service tier; `?0.01` alone is one web search. `None`: there are no prices.
pub(super) fn parse_line(field: &str) -> Option<PriceTable> {
    let mut table = PriceTable::flat(Currency::usd(), TokenPrices::default());
    let mut service: Option<&str> = None;
    for set in field.split('|').filter(|set| !set.is_empty()) {
        let mut from = None;
        let mut prices = TokenPrices::default();
        let is_first_of_service = set.starts_with('@');
        for word in set.split(' ') {
            let (letter, rest) = word.split_at_checked(1)?;
            let price = || parse_decimal(rest, PER_MILLION);
            match letter {
                "i" => prices.input = price(),
                "o" => prices.output = price(),
                "r" => prices.cache_read = price(),
                "w" => prices.cache_write = price(),
                "h" => prices.cache_write_hour = price(),
                "t" => prices.reasoning = price(),
                ">" => from = rest.parse::<u32>().ok(),
                "@" => service = Some(rest),
                "?" => table.web_search = parse_decimal(rest, DECIMALS),
                _ => {}
            }
        }
        if set.starts_with('?') {
            continue;
        }
        let steps = match service {
            Some(name) => table.service_tiers.entry(name.to_owned()).or_default(),
            None => &mut table.standard,
        };
        match from {
            Some(from) => steps.tiers.push(PriceTier { from, prices }),
            None if is_first_of_service || service.is_none() => steps.base = prices,
            None => {}
        }
    }
    table.standard.base.input.or(table.standard.base.output)?;
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLION: u64 = 1_000_000;

    fn parsed(provider: &str, cost: &str) -> Option<PriceTable> {
        let json = format!(r#"{{"{provider}":{{"models":{{"m":{cost}}}}}}}"#);
        parse_models_dev(json.as_bytes()).get(provider)?.get("m").cloned()
    }

    fn of(input: u64, output: u64) -> TokenPrices {
        let (input, output) = (Some(input), Some(output));
        TokenPrices { input, output, ..TokenPrices::default() }
    }

    #[test]
    fn models_dev_prices_are_read_as_they_are_written() {
        let cost = r#"{"cost":{"input":0.1,"output":0.30000000000000004,"cache_read":0.025}}"#;
        let prices = TokenPrices { cache_read: Some(25_000), ..of(100_000, 300_000) };
        assert_eq!(parsed("acme", cost), Some(PriceTable::flat(Currency::usd(), prices)));
        for unknown in ["{}", r#"{"cost":{}}"#, r#"{"cost":7}"#, r#"{"cost":{"input":-1}}"#, "7"] {
            assert_eq!(parsed("acme", unknown), None, "{unknown}");
        }
        let free = r#"{"cost":{"input":0,"output":0}}"#;
        assert_eq!(parsed("acme", free), Some(PriceTable::flat(Currency::usd(), of(0, 0))));
    }

    #[test]
    fn tiers_begin_above_their_size_and_at_xai_with_it() {
        let cost = r#"{"cost":{"input":2,"output":6,"tiers":[
            {"tier":{"type":"time","size":5},"input":9,"output":9},
            {"tier":{"size":256000},"input":8,"output":9},
            {"tier":{"type":"context","size":200000},"input":4,"output":12}],
            "context_over_200k":{"input":7,"output":7}}}"#;
        let from = |provider| {
            let table = parsed(provider, cost);
            let tiers = table.map(|table| table.standard.tiers).unwrap_or_default();
            tiers.into_iter().map(|tier| (tier.from, tier.prices)).collect::<Vec<_>>()
        };
        let (lower, upper) = (of(4 * MILLION, 12 * MILLION), of(8 * MILLION, 9 * MILLION));
        assert_eq!(from("google"), [(200_001, lower), (256_001, upper)]);
        assert_eq!(from("xai"), [(200_000, lower), (256_000, upper)]);
    }

    #[test]
    fn one_hour_writes_cost_twice_the_input_at_anthropic_alone() {
        let cost = r#"{"cost":{"input":2,"output":10,"cache_write":2.5},
            "experimental":{"modes":{"fast":{"cost":{"input":12,"output":60}}}}}"#;
        let hour =
            |provider| parsed(provider, cost).and_then(|it| it.standard.base.cache_write_hour);
        assert_eq!(hour("anthropic"), Some(4 * MILLION));
        assert_eq!(hour("acme"), None);
        let named =
            |provider| parsed(provider, cost).map(|it| it.service_tiers).unwrap_or_default();
        let fast = PriceSteps { base: of(12 * MILLION, 60 * MILLION), tiers: Vec::new() };
        assert_eq!(named("openai").get("priority"), Some(&fast));
        assert_eq!(named("anthropic").get("fast"), Some(&fast));
    }

    #[test]
    fn a_line_has_tiers_and_service_tiers() {
        let line = "i4 o20 r0.4|>272001 i8 o30|@flex i2 o10|>272001 i4 o15|?0.01";
        let steps = |base, above| {
            let tiers = vec![PriceTier { from: 272_001, prices: above }];
            PriceSteps { base, tiers }
        };
        let base = TokenPrices { cache_read: Some(400_000), ..of(4 * MILLION, 20 * MILLION) };
        let flex = steps(of(2 * MILLION, 10 * MILLION), of(4 * MILLION, 15 * MILLION));
        let table = PriceTable {
            currency: Currency::usd(),
            standard: steps(base, of(8 * MILLION, 30 * MILLION)),
            service_tiers: [("flex".to_owned(), flex)].into(),
            web_search: Some(10_000_000_000),
        };
        assert_eq!(parse_line(line), Some(table));
        assert_eq!(parse_line(""), None);
    }

    #[test]
    fn newer_prices_keep_what_only_the_older_say_while_the_main_ones_are_the_same() {
        let older = parse_line("i2 o10 w2.5 h4|@flex i1 o5|?0.01");
        let merged = |newer: &str| merge(parse_line(newer), older.clone());
        assert_eq!(merged("i2 o10 w2.5 r0.1"), parse_line("i2 o10 w2.5 h4 r0.1|@flex i1 o5|?0.01"));
        assert_eq!(merged("i3 o10 w2.5"), parse_line("i3 o10 w2.5"));
        assert_eq!(merged(""), older);
    }
}
