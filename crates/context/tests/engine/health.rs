use skein_context::health::{HealthThresholds, caution_cadence, health_snapshot};
use skein_domain::health::{HealthLevel, HealthSnapshot};
use skein_domain::model::{ModelLimits, ModelSpec, SourcedValue, ValueSource};
use skein_domain::usage::TokenUsage;

fn spec(window: u32, limits: ModelLimits) -> ModelSpec {
    let window = Some(SourcedValue { value: window, source: ValueSource::Catalogue });
    ModelSpec { window, limits, ..ModelSpec::default() }
}

fn prompt(tokens: u32) -> TokenUsage {
    TokenUsage { prompt: Some(tokens), ..TokenUsage::default() }
}

/// For every window of the table: the defaults, and the level at each threshold and one above.
#[test]
fn d06_d07_d09_levels_turn_strictly_above_their_thresholds_for_windows_of_every_size() {
    let check = |limit: u32, optimal: u32, critical: u32| {
        let spec = spec(limit, ModelLimits::default());
        assert_eq!(
            HealthThresholds::of(&spec),
            Some(HealthThresholds { optimal, critical }),
            "{limit}"
        );
        let level = |tokens| health_snapshot(&prompt(tokens), &spec).level;
        assert_eq!(level(1), HealthLevel::Healthy);
        assert_eq!(level(optimal), HealthLevel::Healthy, "{limit} at its optimum");
        assert_eq!(level(optimal + 1), HealthLevel::Caution, "{limit} above its optimum");
        assert_eq!(level(critical), HealthLevel::Caution, "{limit} at critical");
        assert_eq!(level(critical + 1), HealthLevel::Critical, "{limit} above critical");
        assert_eq!(level(limit + 1), HealthLevel::Critical, "{limit} past its end");
    };
    check(1_000, 800, 900);
    check(4_096, 3_276, 3_686);
    check(8_192, 6_553, 7_372);
    check(32_768, 26_214, 29_491);
    check(100_000, 80_000, 90_000);
    check(111_111, 88_888, 99_999);
    check(111_112, 88_889, 100_000);
    check(111_113, 100_000, 100_001);
    check(128_000, 100_000, 115_200);
    check(200_000, 100_000, 180_000);
    check(1_000_000, 100_000, 900_000);
    check(2_000_000, 100_000, 1_800_000);
}

#[test]
fn d06_d07_a_configured_value_is_taken_as_it_is() {
    let limits = ModelLimits {
        optimal_max_tokens: Some(150_000),
        critical_max_tokens: Some(120_000),
        ..ModelLimits::default()
    };
    let spec = spec(128_000, limits);
    let expected = HealthThresholds { optimal: 150_000, critical: 120_000 };
    assert_eq!(HealthThresholds::of(&spec), Some(expected));
    let level = |tokens| health_snapshot(&prompt(tokens), &spec).level;
    assert_eq!(level(120_000), HealthLevel::Healthy);
    assert_eq!(level(120_001), HealthLevel::Critical, "critical wins");
}

#[test]
fn d06_a_default_optimum_lies_below_a_critical_value_that_the_person_set_low() {
    let limits = ModelLimits { critical_max_tokens: Some(50_000), ..ModelLimits::default() };
    let thresholds = HealthThresholds::of(&spec(200_000, limits));
    assert_eq!(thresholds, Some(HealthThresholds { optimal: 40_000, critical: 50_000 }));
}

/// gpt-5 holds 400,000 tokens and takes 272,000 of them as a prompt: 360,000 are never reported.
#[test]
fn d07_critical_lies_below_what_a_prompt_may_take_unless_the_person_set_it() {
    let narrowed = |max_input: u32, limits: ModelLimits| {
        let max_input = Some(SourcedValue { value: max_input, source: ValueSource::Catalogue });
        ModelSpec { max_input, ..spec(400_000, limits) }
    };
    let check = |spec: &ModelSpec, optimal: u32, critical: u32| {
        assert_eq!(HealthThresholds::of(spec), Some(HealthThresholds { optimal, critical }));
        let level = |tokens| health_snapshot(&prompt(tokens), spec).level;
        assert_eq!(level(critical), HealthLevel::Caution);
        assert_eq!(level(critical + 1), HealthLevel::Critical);
    };
    check(&narrowed(272_000, ModelLimits::default()), 100_000, 244_800);
    check(&narrowed(111_112, ModelLimits::default()), 88_889, 100_000);
    check(&narrowed(500_000, ModelLimits::default()), 100_000, 360_000);
    let own = ModelLimits { critical_max_tokens: Some(300_000), ..ModelLimits::default() };
    check(&narrowed(272_000, own), 100_000, 300_000);
    let found = health_snapshot(&prompt(200_000), &narrowed(272_000, ModelLimits::default()));
    assert_eq!((found.limit, found.hard_util), (Some(400_000), Some(0.5)), "D04 as it is");
}

#[test]
fn d05_d10_a_snapshot_holds_level_counts_thresholds_and_both_shares() {
    let found = health_snapshot(&prompt(120_000), &spec(200_000, ModelLimits::default()));
    let expected = HealthSnapshot {
        level: HealthLevel::Caution,
        prompt: Some(120_000),
        limit: Some(200_000),
        optimal: Some(100_000),
        critical: Some(180_000),
        hard_util: Some(0.6),
        optimal_util: Some(1.2),
    };
    assert_eq!(found, expected);
}

#[test]
fn d02_d03_without_usage_health_is_unavailable_and_nothing_is_zero() {
    let spec = spec(200_000, ModelLimits::default());
    let expected = HealthSnapshot {
        level: HealthLevel::Unavailable,
        prompt: None,
        limit: Some(200_000),
        optimal: Some(100_000),
        critical: Some(180_000),
        hard_util: None,
        optimal_util: None,
    };
    assert_eq!(health_snapshot(&TokenUsage::default(), &spec), expected);
    let completion_only = TokenUsage { completion: Some(9), ..TokenUsage::default() };
    assert_eq!(health_snapshot(&completion_only, &spec), expected);
    assert_eq!(health_snapshot(&prompt(0), &spec), expected, "a prompt of zero is not a report");
}

#[test]
fn d04_without_a_limit_health_is_unavailable_and_the_count_is_kept() {
    let expected = HealthSnapshot {
        level: HealthLevel::Unavailable,
        prompt: Some(5_000),
        limit: None,
        optimal: None,
        critical: None,
        hard_util: None,
        optimal_util: None,
    };
    assert_eq!(health_snapshot(&prompt(5_000), &ModelSpec::default()), expected);
}

#[test]
fn d08_the_cadence_is_ten_unless_a_whole_positive_number_is_configured() {
    let check = |json: &str, expected: u32| {
        let limits: ModelLimits = serde_json::from_str(json).unwrap();
        assert_eq!(caution_cadence(&spec(8_192, limits)), expected, "{json}");
    };
    check("{}", 10);
    check(r#"{"cautionRemediationCadenceGenerations": null}"#, 10);
    check(r#"{"cautionRemediationCadenceGenerations": 0}"#, 10);
    check(r#"{"cautionRemediationCadenceGenerations": 1}"#, 1);
    check(r#"{"cautionRemediationCadenceGenerations": 25}"#, 25);
}

#[test]
fn d08_a_fractional_cadence_is_refused_at_the_edge_not_rounded() {
    let json = r#"{"cautionRemediationCadenceGenerations": 2.5}"#;
    assert!(serde_json::from_str::<ModelLimits>(json).is_err());
}
