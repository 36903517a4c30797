use skein_context::limits::Limits;
use skein_context::limits::compaction_threshold::{UpperBoundReason, price_step};
use skein_context::limits::policy::Policy;
use skein_domain::model::{ModelLimits, ModelSpec, SourcedValue, ValueSource};
use skein_domain::money::Currency;
use skein_domain::price::{PriceTable, PriceTier, TokenPrices};
use skein_domain::session::{SessionOverrides, Switch};
use skein_domain::strategy::Strategy;

fn window(tokens: u32) -> Limits {
    Limits { window: Some(tokens), ..Limits::default() }
}

#[test]
fn fr_1_2_the_threshold_is_a_floored_share_of_what_the_reserve_or_half_the_window_leaves() {
    let check = |window_tokens: u32, percent: u32, reserve: u32, expected: u32| {
        let policy =
            Policy { compaction_threshold: percent, output_reserve: reserve, ..Policy::default() };
        let found = window(window_tokens).threshold(&policy);
        assert_eq!(found, Some(expected), "{window_tokens} at {percent} % with {reserve}");
    };
    check(200_000, 60, 32_000, 100_800);
    check(128_000, 60, 32_000, 57_600);
    check(128_000, 90, 32_000, 86_400);
    check(64_000, 60, 32_000, 19_200);
    check(64_001, 60, 32_000, 19_200);
    check(63_999, 60, 32_000, 19_199);
    check(8_192, 60, 32_000, 2_457);
    check(1_000, 45, 32_000, 225);
    check(1_001, 45, 0, 450);
    check(1, 60, 32_000, 0);
    check(200_000, 60, u32::MAX, 60_000);
}

#[test]
fn fr_1_2_a_provider_that_takes_less_as_a_prompt_is_believed() {
    let policy = Policy { compaction_threshold: 90, ..Policy::default() };
    let limits = Limits { window: Some(400_000), max_input: Some(272_000), ..Limits::default() };
    assert_eq!(limits.available(policy.output_reserve), Some(272_000));
    let unbound = Policy { compaction_bound: Some(u32::MAX), ..policy };
    assert_eq!(limits.threshold(&unbound), Some(244_800));
    assert_eq!(limits.max_prompt(), Some(272_000));
    assert_eq!(limits.archive_threshold(&policy), Some(244_800));
    let input_only = Limits { window: None, max_input: Some(10_000), ..Limits::default() };
    assert_eq!(input_only.available(32_000), Some(10_000));
    assert_eq!(input_only.max_prompt(), Some(10_000));
}

#[test]
fn fr_1_2_the_smaller_of_share_and_upper_bound_holds_and_windows_up_to_256k_have_none_built_in() {
    use UpperBoundReason::{PriceStep, Quality, User};
    type Row = (u32, u32, Option<u32>, Option<u32>, u32, Option<UpperBoundReason>);
    let rows: [Row; 14] = [
        // Window, percent, price step, the user's bound; the threshold, and whose bound stands beside it.
        (200_000, 60, None, None, 100_800, None),
        (200_000, 60, Some(100_001), None, 100_800, None),
        (262_144, 60, Some(128_001), None, 138_086, None),
        (262_145, 60, None, None, 138_087, Some(Quality)),
        (400_000, 60, None, None, 150_000, Some(Quality)),
        (1_000_000, 60, None, None, 150_000, Some(Quality)),
        (1_048_576, 60, Some(150_001), None, 150_000, Some(PriceStep)),
        (2_000_000, 60, Some(150_000), None, 149_999, Some(PriceStep)),
        (1_050_000, 60, Some(272_001), None, 150_000, Some(Quality)),
        (1_000_000, 60, Some(128_001), None, 128_000, Some(PriceStep)),
        // At 90 % a window of 256k compacts at 207,129: a larger one not before, unless it would cost more.
        (1_000_000, 90, None, None, 207_129, Some(Quality)),
        (1_000_000, 90, Some(200_001), None, 200_000, Some(PriceStep)),
        (1_000_000, 60, Some(200_001), Some(500_000), 500_000, Some(User)),
        (128_000, 60, None, Some(40_000), 40_000, Some(User)),
    ];
    for (size, percent, price_step, compaction_bound, expected, reason) in rows {
        let limits = Limits { price_step, ..window(size) };
        let policy =
            Policy { compaction_threshold: percent, compaction_bound, ..Policy::default() };
        assert_eq!(limits.threshold(&policy), Some(expected), "{size} at {percent} %");
        assert_eq!(limits.upper_bound(&policy).map(|bound| bound.reason), reason, "{size}");
        let is_bounded = reason.is_some() && size != 262_145;
        assert_eq!(limits.is_bounded(&policy), is_bounded, "{size}");
    }
    let lifted = Policy { compaction_bound: Some(1_000_000), ..Policy::default() };
    assert_eq!(window(1_000_000).threshold(&lifted), Some(580_800), "as large as the window");
    let input_only = Limits { max_input: Some(900_000), ..Limits::default() };
    assert_eq!(input_only.threshold(&Policy::default()), Some(150_000));
}

#[test]
fn fr_1_2_the_price_step_is_the_first_dearer_tier_from_100_000_tokens_on() {
    let tier = |from, input| PriceTier {
        from,
        prices: TokenPrices { input: Some(input), ..TokenPrices::default() },
    };
    let step = |tiers: &[PriceTier]| {
        let base = TokenPrices { input: Some(2), ..TokenPrices::default() };
        let mut table = PriceTable::flat(Currency::usd(), base);
        table.standard.tiers = tiers.to_vec();
        price_step(&table)
    };
    assert_eq!(step(&[]), None);
    assert_eq!(step(&[tier(200_001, 4)]), Some(200_001));
    assert_eq!(step(&[tier(200_001, 2)]), None, "no dearer");
    let qwen = [tier(32_001, 3), tier(128_001, 4), tier(256_001, 8)];
    assert_eq!(step(&qwen), Some(128_001), "to compact at 32,000 would cost answers");
}

#[test]
fn law_02_of_an_unknown_window_only_a_bound_acts_that_the_user_set() {
    let set = Policy { compaction_bound: Some(50_000), ..Policy::default() };
    let unknown = Limits { price_step: Some(200_001), ..Limits::default() };
    assert_eq!(unknown.threshold(&Policy::default()), None);
    assert_eq!(unknown.upper_bound(&Policy::default()), None);
    assert_eq!(unknown.threshold(&set), Some(50_000));
    assert_eq!(unknown.assumed_threshold(&set), 50_000);
}

#[test]
fn law_02_an_unknown_window_has_no_threshold_of_any_kind() {
    let policy = Policy::default();
    let unknown = Limits::of(&ModelSpec::default());
    assert_eq!(unknown.available(0), None);
    assert_eq!(unknown.threshold(&policy), None);
    assert_eq!(unknown.archive_threshold(&policy), None);
    assert_eq!(unknown.max_prompt(), None);
    assert_eq!(unknown.prompt_limit_with_reserve(0), None);
}

#[test]
fn p03_the_archive_limit_is_nine_tenths_of_the_window_rounded_down() {
    let policy = Policy::default();
    for (size, limit) in [(8_192, 7_372), (128_000, 115_200), (1_001, 900), (9, 8)] {
        assert_eq!(window(size).archive_threshold(&policy), Some(limit));
    }
    let early = Policy { archive_at: 50, ..policy };
    assert_eq!(window(128_001).archive_threshold(&early), Some(64_000));
}

#[test]
fn a_call_waits_for_a_compaction_where_less_than_the_reserve_or_a_quarter_is_left() {
    assert_eq!(window(200_000).prompt_limit_with_reserve(32_000), Some(168_000));
    assert_eq!(window(8_192).prompt_limit_with_reserve(32_000), Some(6_144));
    assert_eq!(
        Limits { max_input: Some(5_000), ..window(8_192) }.prompt_limit_with_reserve(32_000),
        Some(5_000)
    );
}

#[test]
fn fr_4_3_a_session_overrides_the_switch_in_either_direction_and_may_follow_again() {
    let check = |global: bool, session: Option<Switch>, expected: bool| {
        let global = Policy { automatic: global, ..Policy::default() };
        let overrides =
            SessionOverrides { auto_compaction: session, ..SessionOverrides::default() };
        let found = Policy::resolve(&global, &overrides, &ModelLimits::default());
        assert_eq!(found, Policy { automatic: expected, ..global });
    };
    check(true, None, true);
    check(false, None, false);
    check(true, Some(Switch::Off), false);
    check(false, Some(Switch::On), true);
}

#[test]
fn fr_4_4_the_models_own_values_beat_the_global_ones_and_the_rest_stays() {
    let global = Policy { keep_rounds: 5, archive_at: 70, ..Policy::default() };
    let overrides =
        SessionOverrides { strategy: Some(Strategy::Remind), ..SessionOverrides::default() };
    let limits = ModelLimits {
        compaction_threshold: Some(85),
        compaction_bound: Some(150_000),
        output_reserve: Some(8_000),
        ..ModelLimits::default()
    };
    let expected = Policy {
        strategy: Strategy::Remind,
        compaction_threshold: 85,
        compaction_bound: Some(150_000),
        output_reserve: 8_000,
        ..global
    };
    assert_eq!(Policy::resolve(&global, &overrides, &limits), expected);
}

#[test]
fn d04_the_limit_of_health_is_the_window_else_the_longest_prompt() {
    let known = |value| Some(SourcedValue { value, source: ValueSource::Catalogue });
    let spec = |window, max_input| ModelSpec { window, max_input, ..ModelSpec::default() };
    assert_eq!(spec(known(128_000), known(100_000)).health_limit(), Some(128_000));
    assert_eq!(spec(None, known(100_000)).health_limit(), Some(100_000));
    assert_eq!(spec(None, None).health_limit(), None);
}

#[test]
fn what_a_prompt_may_take_is_the_smaller_of_window_and_longest_prompt_with_its_source() {
    let of = |value, source| Some(SourcedValue { value, source });
    let ceiling =
        |window, max_input| ModelSpec { window, max_input, ..ModelSpec::default() }.max_prompt();
    let (window, input) = (of(400_000, ValueSource::Person), of(272_000, ValueSource::Catalogue));
    assert_eq!(ceiling(window, input), input);
    assert_eq!(ceiling(input, window), input);
    assert_eq!(ceiling(window, of(400_000, ValueSource::Catalogue)), window);
    assert_eq!(ceiling(window, None), window);
    assert_eq!(ceiling(None, input), input);
    assert_eq!(ceiling(None, None), None);
}
