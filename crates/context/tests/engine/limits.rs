use skein_context::limits::Limits;
use skein_context::limits::policy::Policy;
use skein_domain::model::{ModelLimits, ModelSpec, SourcedValue, ValueSource};
use skein_domain::session::{SessionOverrides, Switch};
use skein_domain::strategy::Strategy;

fn window(tokens: u32) -> Limits {
    Limits { window: Some(tokens), max_input: None }
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
    check(u32::MAX, 90, 0, 3_865_470_565);
    check(200_000, 60, u32::MAX, 60_000);
}

#[test]
fn fr_1_2_a_provider_that_takes_less_as_a_prompt_is_believed() {
    let policy = Policy { compaction_threshold: 90, ..Policy::default() };
    let limits = Limits { window: Some(400_000), max_input: Some(272_000) };
    assert_eq!(limits.available(policy.output_reserve), Some(272_000));
    assert_eq!(limits.threshold(&policy), Some(244_800));
    assert_eq!(limits.max_prompt(), Some(272_000));
    assert_eq!(limits.archive_threshold(&policy), Some(244_800));
    let input_only = Limits { window: None, max_input: Some(10_000) };
    assert_eq!(input_only.available(32_000), Some(10_000));
    assert_eq!(input_only.max_prompt(), Some(10_000));
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
        output_reserve: Some(8_000),
        ..ModelLimits::default()
    };
    let expected = Policy {
        strategy: Strategy::Remind,
        compaction_threshold: 85,
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
