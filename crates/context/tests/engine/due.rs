use skein_context::compaction::forecast::Forecast;
use skein_domain::strategy::Strategy;

use crate::fixture::Thread;

/// A window of 10,000: compacts above 3,000, wants 2,500 for the answer, archives above 9,000.
fn under(strategy: Strategy) -> Thread {
    Thread::new().window_of(10_000).policy(|policy| policy.strategy = strategy)
}

#[test]
fn what_is_due_begins_strictly_above_the_threshold_with_what_is_written() {
    let check = |strategy, rounds, tokens, expected: Option<Forecast>| {
        assert_eq!(under(strategy).rounds(rounds, 200).draft(tokens).due(0), expected);
    };
    check(Strategy::Summarize, 14, 200, None);
    check(Strategy::Summarize, 14, 201, Some(Forecast::Compaction {}));
    check(Strategy::Archive, 44, 200, None);
    check(Strategy::Archive, 44, 201, Some(Forecast::Archiving {}));
    check(Strategy::Remind, 44, 900, None);
}

#[test]
fn nothing_is_due_that_the_gate_would_not_do() {
    let full = under(Strategy::Summarize).rounds(20, 200);
    assert_eq!(full.due(1), Some(Forecast::Compaction {}));
    assert_eq!(full.due(2), None, "it waits for the person");
    assert_eq!(full.policy(|policy| policy.automatic = false).due(0), None);
    let alone = under(Strategy::Archive).system(500).draft(9_000);
    assert_eq!(alone.due(0), None, "a new thread would hold as much");
}

#[test]
fn what_cannot_be_compacted_is_told_with_where_it_compacts_instead() {
    let heavy = |draft| under(Strategy::Summarize).system(2_900).draft(draft);
    let stuck = |floor, limit, instead| Some(Forecast::Stuck { floor, limit, instead });
    assert_eq!(heavy(100).due(0), None);
    assert_eq!(heavy(101).due(0), stuck(3_001, 3_000, None));
    assert_eq!(heavy(4_600).due(0), stuck(7_500, 3_000, None));
    assert_eq!(heavy(4_601).due(0), stuck(7_501, 7_500, None));
    // With rounds to cover, less would do where no answer has room.
    let rounds = under(Strategy::Summarize).system(2_950).rounds(3, 400);
    assert_eq!(rounds.due(0), stuck(3_366, 3_000, Some(7_500)));
}
