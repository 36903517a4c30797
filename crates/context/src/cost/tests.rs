use skein_domain::cost::BilledAttempt;
use skein_domain::price::PriceTier;

use super::*;

const MILLION: u64 = 1_000_000;

fn table() -> PriceTable {
    let base = TokenPrices {
        input: Some(2 * MILLION),
        output: Some(10 * MILLION),
        cache_read: Some(MILLION / 5),
        cache_write: Some(5 * MILLION / 2),
        cache_write_hour: Some(4 * MILLION),
        reasoning: None,
    };
    PriceTable::flat(Currency::usd(), base)
}

fn usage(prompt: u32, completion: u32) -> TokenUsage {
    TokenUsage { prompt: Some(prompt), completion: Some(completion), ..TokenUsage::default() }
}

fn known(amount: u64) -> Cost {
    Cost::Known { money: Money { amount, currency: Currency::usd() } }
}

fn at_least(amount: u64) -> Cost {
    Cost::AtLeast { money: Money { amount, currency: Currency::usd() } }
}

fn priced(usage: &TokenUsage, report: &BillingReport, table: PriceTable) -> Cost {
    let finish = Some(FinishReason::Stop);
    let pricing = Pricing { prices: Prices::Catalogue(table), ..Pricing::unknown() };
    cost(BilledCall { usage, report, finish }, &pricing)
}

fn plain(usage: &TokenUsage, table: PriceTable) -> Cost {
    priced(usage, &BillingReport::default(), table)
}

#[test]
fn the_parts_of_a_prompt_are_billed_each_at_its_price() {
    let usage = TokenUsage { cached: Some(600), cache_written: Some(300), ..usage(1_000, 50) };
    let report = BillingReport { cache_written_hour: Some(100), ..BillingReport::default() };
    // 100 x 2 + 600 x 0.2 + 200 x 2.5 + 100 x 4 + 50 x 10, in millions of units.
    assert_eq!(priced(&usage, &report, table()), known(1_720 * MILLION));
}

#[test]
fn nothing_reported_is_unknown_and_never_zero() {
    let nothing = TokenUsage::default();
    for usage in [nothing, usage(0, 0), TokenUsage { prompt: Some(0), ..nothing }] {
        assert_eq!(plain(&usage, table()), Cost::Unknown {}, "{usage:?}");
    }
    let no_prices = PriceTable::flat(Currency::usd(), TokenPrices::default());
    assert_eq!(plain(&usage(10, 10), no_prices), Cost::Unknown {});
}

#[test]
fn a_partial_report_or_price_is_a_floor() {
    let prompt_only = TokenUsage { prompt: Some(10), ..TokenUsage::default() };
    assert_eq!(plain(&prompt_only, table()), at_least(20 * MILLION));
    let answer_only = TokenUsage { completion: Some(10), ..TokenUsage::default() };
    assert_eq!(plain(&answer_only, table()), at_least(100 * MILLION));
    let base = TokenPrices { output: None, ..table().standard.base };
    let without_output = PriceTable::flat(Currency::usd(), base);
    assert_eq!(plain(&usage(10, 10), without_output), at_least(20 * MILLION));
    let pricing = Pricing { prices: Prices::Catalogue(table()), ..Pricing::unknown() };
    let report = &BillingReport::default();
    let stopped = BilledCall { usage: &usage(10, 10), report, finish: None };
    assert_eq!(cost(stopped, &pricing), at_least(120 * MILLION));
}

#[test]
fn free_is_zero_and_local_is_not_billed() {
    let free = TokenPrices { input: Some(0), output: Some(0), ..TokenPrices::default() };
    assert_eq!(plain(&usage(10, 10), PriceTable::flat(Currency::usd(), free)), known(0));
    let (usage, report) = (&usage(10, 10), &BillingReport::default());
    let call = BilledCall { usage, report, finish: Some(FinishReason::Stop) };
    let by = |prices| Pricing { prices, states_cost: true, ..Pricing::unknown() };
    assert_eq!(cost(call, &by(Prices::NotBilled)), Cost::NotBilled {});
    assert_eq!(cost(call, &by(Prices::Unknown)), Cost::Unknown {});
}

#[test]
fn a_tier_holds_for_the_whole_request() {
    let prices = TokenPrices {
        input: Some(4 * MILLION),
        output: Some(15 * MILLION),
        ..TokenPrices::default()
    };
    let mut table = table();
    table.standard.tiers = vec![PriceTier { from: 1_001, prices }];
    assert_eq!(plain(&usage(1_000, 1), table.clone()), known(2_010 * MILLION));
    assert_eq!(plain(&usage(1_001, 1), table.clone()), known(4_019 * MILLION));
    // The tier has no price for cached tokens: that of the base is a floor.
    let cached = TokenUsage { cached: Some(1_000), ..usage(1_001, 1) };
    assert_eq!(plain(&cached, table), at_least(4 * MILLION + 200 * MILLION + 15 * MILLION));
}

#[test]
fn the_users_own_price_beats_a_stated_one_and_that_the_catalogue() {
    let money = Money { amount: 7, currency: Currency::usd() };
    let stated = StatedCost { money, is_partial: false, field: StatedCostField::Cost };
    let report = BillingReport { stated: Some(stated), ..BillingReport::default() };
    let (usage, report) = (&usage(1, 1), &report);
    let call = |finish| BilledCall { usage, report, finish };
    let stop = Some(FinishReason::Stop);
    let by = |prices, states_cost| Pricing { prices, states_cost, ..Pricing::unknown() };
    let reckoned = known(12 * MILLION);
    assert_eq!(cost(call(stop), &by(Prices::User(table()), true)), reckoned);
    assert_eq!(cost(call(stop), &by(Prices::Catalogue(table()), true)), known(7));
    assert_eq!(cost(call(stop), &by(Prices::Catalogue(table()), false)), reckoned);
    assert_eq!(cost(call(stop), &by(Prices::Unknown, true)), known(7));
    assert_eq!(cost(call(None), &by(Prices::Unknown, true)), at_least(7));
}

#[test]
fn several_attempts_are_billed_together_each_by_its_own_size() {
    let prices = TokenPrices { input: Some(4 * MILLION), ..table().standard.base };
    let mut table = table();
    table.standard.tiers = vec![PriceTier { from: 11, prices }];
    let attempt = |model: Option<&str>, prompt| BilledAttempt {
        model: model.map(str::to_owned),
        usage: usage(prompt, 1),
        cache_written_hour: None,
    };
    let model = Some("m".to_owned());
    let attempts = vec![attempt(None, 10), attempt(Some("m"), 11)];
    let report = BillingReport { model, attempts, ..BillingReport::default() };
    // 10 x 2 + 10, and 11 x 4 + 10.
    assert_eq!(priced(&usage(11, 1), &report, table.clone()), known(84 * MILLION));
    let attempts = vec![attempt(Some("other"), 10), attempt(Some("m"), 11)];
    let report = BillingReport { attempts, ..report };
    assert_eq!(priced(&usage(11, 1), &report, table), at_least(54 * MILLION));
}

#[test]
fn a_sum_that_no_u64_holds_is_unknown() {
    let base = TokenPrices { input: Some(u64::MAX), output: Some(1), ..TokenPrices::default() };
    let dear = PriceTable::flat(Currency::usd(), base);
    assert_eq!(plain(&usage(2, 1), dear), Cost::Unknown {});
}

#[test]
fn an_hour_at_which_a_list_may_double_makes_its_sum_a_floor() {
    let (usage, report) = (&usage(10, 10), &BillingReport::default());
    let call = BilledCall { usage, report, finish: Some(FinishReason::Stop) };
    let prices = Prices::Catalogue(table());
    let pricing = Pricing { prices, may_cost_more: true, ..Pricing::unknown() };
    assert_eq!(cost(call, &pricing), at_least(120 * MILLION));
}
