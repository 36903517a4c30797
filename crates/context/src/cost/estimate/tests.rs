use proptest::prelude::*;
use skein_domain::money::Currency;
use skein_domain::price::PriceTier;

use super::*;

const MILLION: u64 = 1_000_000;

fn prices() -> TokenPrices {
    TokenPrices {
        input: Some(2 * MILLION),
        output: Some(10 * MILLION),
        cache_read: Some(MILLION / 5),
        ..TokenPrices::default()
    }
}

fn pricing(base: TokenPrices, tiers: Vec<PriceTier>) -> Pricing {
    let mut table = PriceTable::flat(Currency::usd(), base);
    table.standard.tiers = tiers;
    Pricing { prices: Prices::Catalogue(table), ..Pricing::unknown() }
}

fn usd(amount: u64) -> Money {
    Money { amount, currency: Currency::usd() }
}

fn exactly(tokens: u32) -> TokenRange {
    TokenRange { least: tokens, most: tokens }
}

fn call(prompt: TokenRange, cached: u32) -> ExpectedCall {
    ExpectedCall { prompt, cached, answer: 100, longest_answer: Some(500) }
}

fn between(least: u64, most: u64) -> CostEstimate {
    CostEstimate::Between { least: usd(least), most: usd(most) }
}

#[test]
fn c03_a_call_costs_between_all_that_may_be_cached_and_nothing_cached() {
    let call = call(TokenRange { least: 900, most: 1_100 }, 800);
    // 800 x 0.2 + 100 x 2 + 100 x 10; 1,100 x 2 + 500 x 10.
    assert_eq!(
        estimate(&[call], &pricing(prices(), vec![])),
        between(1_360 * MILLION, 7_200 * MILLION)
    );
}

#[test]
fn c03_the_high_end_pays_for_writing_the_cache_where_that_costs_more() {
    let base = TokenPrices { cache_write: Some(5 * MILLION / 2), ..prices() };
    let call = call(exactly(1_000), 0);
    // 1,000 x 2 + 100 x 10; 1,000 x 2.5 + 500 x 10.
    assert_eq!(
        estimate(&[call], &pricing(base, vec![])),
        between(3_000 * MILLION, 7_500 * MILLION)
    );
}

#[test]
fn c03_a_range_that_reaches_a_price_step_has_the_prices_of_both() {
    let double = TokenPrices { input: Some(4 * MILLION), output: Some(15 * MILLION), ..prices() };
    let pricing = pricing(prices(), vec![PriceTier { from: 1_000, prices: double }]);
    let call = call(TokenRange { least: 900, most: 1_100 }, 0);
    // 900 x 2 + 100 x 10; 1,100 x 4 + 500 x 15.
    assert_eq!(estimate(&[call], &pricing), between(2_800 * MILLION, 11_900 * MILLION));
}

#[test]
fn c02_what_has_no_price_is_unknown_and_never_zero() {
    let call = call(exactly(1_000), 0);
    let estimated = |prices| estimate(&[call], &Pricing { prices, ..Pricing::unknown() });
    assert_eq!(estimated(Prices::Unknown), CostEstimate::Unknown {});
    assert_eq!(estimated(Prices::NotBilled), CostEstimate::NotBilled {});
    let without = |base| estimate(&[call], &pricing(base, vec![]));
    assert_eq!(without(TokenPrices { input: None, ..prices() }), CostEstimate::Unknown {});
    assert_eq!(
        without(TokenPrices { output: None, ..prices() }),
        CostEstimate::AtLeast { least: usd(2_000 * MILLION) }
    );
    let free = TokenPrices { input: Some(0), output: Some(0), ..TokenPrices::default() };
    assert_eq!(without(free), between(0, 0));
    let half_free = TokenPrices { output: None, ..free };
    assert_eq!(without(half_free), CostEstimate::Unknown {}, "0 and something unknown");
}

#[test]
fn c03_an_answer_of_unknown_length_or_a_dearer_hour_leaves_the_high_end_open() {
    let at_least = CostEstimate::AtLeast { least: usd(3_000 * MILLION) };
    let call = call(exactly(1_000), 0);
    let endless = ExpectedCall { longest_answer: None, ..call };
    assert_eq!(estimate(&[endless], &pricing(prices(), vec![])), at_least);
    let peak = Pricing { may_cost_more: true, ..pricing(prices(), vec![]) };
    assert_eq!(estimate(&[call], &peak), at_least);
}

#[test]
fn c03_an_answer_is_as_long_as_the_latest_ones_or_as_the_model_gives() {
    let expected = |latest: &[u32], limit| {
        let AnswerLength { least, most, is_typical } = AnswerLength::expected(latest, limit);
        (least, most, is_typical)
    };
    assert_eq!(expected(&[], Some(8_000)), (0, Some(8_000), false));
    assert_eq!(expected(&[100, 200], None), (0, None, false), "too few");
    assert_eq!(expected(&[100, 400, 200], None), (50, Some(800), true));
    assert_eq!(expected(&[100, 400, 200], Some(500)), (50, Some(500), true));
    assert_eq!(expected(&[100, 400, 200], Some(10)), (10, Some(10), true));
}

#[test]
fn c03_the_range_of_a_count_is_as_wide_as_the_count_is_unsure() {
    let range = |basis, spread| {
        let TokenRange { least, most } =
            TokenRange::around(TokenCount { tokens: 1_000, basis }, spread);
        (least, most)
    };
    assert_eq!(range(Basis::Borrowed, None), (700, 1_332));
    assert_eq!(range(Basis::Calibrated, None), (850, 1_182));
    assert_eq!(range(Basis::Calibrated, Some(4)), (920, 1_112));
    assert_eq!(range(Basis::Calibrated, Some(0)), (950, 1_082));
    assert_eq!(range(Basis::Exact, None), (900, 1_132));
}

#[test]
fn c03_a_compaction_has_paid_for_itself_after_so_many_messages() {
    let pricing = pricing(prices(), vec![]);
    let cost = between(10_000 * MILLION, 20_000 * MILLION);
    let paid = paid_after(&cost, exactly(10_000), exactly(2_000), &pricing);
    // At best 8,000 x 2 a message. At worst 8,000 x 0.2, and 2,000 x 1.8 to read the new prompt anew.
    assert_eq!(paid, Some(PaidAfter { least: 1, most: Some(15) }));
    let grows = paid_after(&cost, exactly(2_000), exactly(2_000), &pricing);
    assert_eq!(grows, None, "it saves nothing");
    let yuan = Money { amount: 1, currency: Currency::parse("CNY").unwrap() };
    let yuan = CostEstimate::Between { least: yuan.clone(), most: yuan };
    assert_eq!(paid_after(&yuan, exactly(10_000), exactly(2_000), &pricing), None, "C02");
    assert_eq!(paid_after(&cost, exactly(9), exactly(1), &Pricing::unknown()), None);
}

/// Prices that do not fall from one size of prompt to the next, as providers have them.
fn rising() -> impl Strategy<Value = Pricing> {
    let price = || 0_u64..50_000_000;
    let optional = move || proptest::option::of(price());
    let base = (price(), price(), optional(), optional(), optional());
    let base = base.prop_map(|(input, output, cache_read, cache_write, reasoning)| TokenPrices {
        input: Some(input),
        output: Some(output),
        // Reading costs at most as much as fresh tokens, writing and thinking at least.
        cache_read: cache_read.map(|read| read.min(input)),
        cache_write: cache_write.map(|more| input + more),
        reasoning: reasoning.map(|more| output + more),
        cache_write_hour: None,
    });
    let steps = proptest::collection::btree_set(1_u32..400_000, 0..3);
    (base, steps, 1_u64..4).prop_map(|(base, steps, factor)| {
        let times = |price: Option<u64>, by: u64| price.map(|price| price * by);
        let tiers = steps.into_iter().zip(1_u64..).map(|(from, step)| {
            let by = 1 + (factor - 1) * step;
            let prices = TokenPrices {
                input: times(base.input, by),
                output: times(base.output, by),
                cache_read: times(base.cache_read, by),
                cache_write: times(base.cache_write, by),
                reasoning: times(base.reasoning, by),
                cache_write_hour: None,
            };
            PriceTier { from, prices }
        });
        pricing(base, tiers.collect())
    })
}

fn range() -> impl Strategy<Value = TokenRange> {
    (0_u32..500_000, 0_u32..100_000)
        .prop_map(|(least, more)| TokenRange { least, most: least + more })
}

fn both_ends(estimate: &CostEstimate) -> (u64, u64) {
    match estimate {
        CostEstimate::Between { least, most } => (least.amount, most.amount),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn c03_the_low_end_is_never_above_the_high_end(
        pricing in rising(), prompt in range(), cached in 0_u32..600_000,
        answer in 0_u32..10_000, more in 0_u32..10_000,
    ) {
        let longest_answer = Some(answer + more);
        let call = ExpectedCall { prompt, cached, answer, longest_answer };
        let (least, most) = both_ends(&estimate(&[call], &pricing));
        prop_assert!(least <= most, "{least} > {most}");
    }

    #[test]
    fn c03_a_longer_prompt_never_costs_less(
        pricing in rising(), prompt in range(), cached in 0_u32..600_000, more in 0_u32..300_000,
    ) {
        let longer = TokenRange { least: prompt.least + more, most: prompt.most + more };
        let ends = |prompt| both_ends(&estimate(&[call(prompt, cached)], &pricing));
        let (before, after) = (ends(prompt), ends(longer));
        prop_assert!(before.0 <= after.0 && before.1 <= after.1, "{before:?}, then {after:?}");
    }

    #[test]
    fn c03_what_is_booked_lies_in_the_range(
        pricing in rising(), prompt in range(), at in 0_u32..=100, read in 0_u32..=100, answer in 0_u32..5_000,
        thinks: bool,
    ) {
        use skein_domain::cost::{BillingReport, Cost};
        use skein_domain::finish_reason::FinishReason;
        use skein_domain::usage::TokenUsage;

        let size = |share: u32, of: u32| (u64::from(of) * u64::from(share) / 100) as u32;
        let billed = prompt.least + size(at, prompt.most - prompt.least);
        let cached = size(read, billed);
        prop_assume!(billed > 0);
        let usage = TokenUsage {
            prompt: Some(billed),
            completion: Some(answer),
            cached: Some(cached),
            cache_written: Some(billed - cached),
            reasoning: Some(u32::from(thinks)),
            ..TokenUsage::default()
        };
        let (report, finish) = (BillingReport::default(), Some(FinishReason::Stop));
        let call = super::super::BilledCall { usage: &usage, report: &report, finish };
        let expected = ExpectedCall {
            prompt, cached, answer: answer / 2, longest_answer: Some(answer * 2),
        };
        let (least, most) = both_ends(&estimate(&[expected], &pricing));
        match super::super::cost(call, &pricing) {
            Cost::Known { money } => {
                prop_assert!((least..=most).contains(&money.amount), "{least}, {}, {most}", money.amount);
            }
            other => prop_assert!(false, "{other:?}"),
        }
    }
}
