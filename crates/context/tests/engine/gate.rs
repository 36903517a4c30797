use skein_context::compaction::decision::{
    CompactionAttempt, Decision, GateState, GateTrigger, Verdict,
};
use skein_context::compaction::remediation::Remediation;
use skein_context::tokens::message_tokens::CountedText;
use skein_context::window::HistoryAccess;
use skein_domain::health::{HealthLevel, HealthSnapshot};
use skein_domain::message::{MessageState, Notice};
use skein_domain::strategy::Strategy;
use skein_domain::tool_declaration::ToolFamily;

use crate::fixture::Thread;

const TRIGGERS: [GateTrigger; 6] = [
    GateTrigger::TurnCompleted,
    GateTrigger::BeforeSend,
    GateTrigger::BeforeGeneration,
    GateTrigger::Overflow { repeated: false },
    GateTrigger::Overflow { repeated: true },
    GateTrigger::ModelSwitched,
];

/// A window of 10,000: compacts above 3,000, archives above 9,000, wants 2,500 for the answer.
fn small() -> Thread {
    Thread::new().window_of(10_000)
}

fn under(strategy: Strategy) -> Thread {
    small().policy(|policy| policy.strategy = strategy)
}

fn compacts(decision: &Decision) -> Option<bool> {
    match decision {
        Decision::Compact { first, .. } => Some(*first),
        Decision::Go {}
        | Decision::Notice { .. }
        | Decision::Clear { .. }
        | Decision::Archive { .. }
        | Decision::Withhold { .. }
        | Decision::Stuck { .. }
        | Decision::Paused { .. }
        | Decision::Held { .. }
        | Decision::TooLong { .. } => None,
    }
}

fn health(level: HealthLevel, prompt: u32) -> HealthSnapshot {
    HealthSnapshot {
        level,
        prompt: Some(prompt),
        limit: Some(10_000),
        optimal: Some(8_000),
        critical: Some(9_000),
        hard_util: None,
        optimal_util: None,
    }
}

#[test]
fn fr_1_1_the_same_gate_answers_after_a_turn_before_a_send_and_before_a_generation() {
    let thread = small().rounds(20, 200);
    for trigger in
        [GateTrigger::TurnCompleted, GateTrigger::BeforeSend, GateTrigger::BeforeGeneration]
    {
        assert_eq!(compacts(&thread.decide(trigger)), Some(false), "{trigger:?}");
    }
    assert_eq!(small().rounds(15, 200).decide(GateTrigger::TurnCompleted), Decision::Go {});
}

#[test]
fn law_10_a_tool_loop_that_grows_past_the_threshold_is_caught_before_its_next_generation() {
    let thread = small().rounds(10, 250).person(50).calls(200);
    assert_eq!(thread.decide(GateTrigger::BeforeGeneration), Decision::Go {});
    let grown = thread.calls(300);
    assert_eq!(compacts(&grown.decide(GateTrigger::BeforeGeneration)), Some(false));
}

#[test]
fn a_call_that_leaves_no_room_for_the_answer_waits_for_its_compaction() {
    assert_eq!(compacts(&small().rounds(30, 250).decide(GateTrigger::BeforeSend)), Some(false));
    assert_eq!(compacts(&small().rounds(31, 250).decide(GateTrigger::BeforeSend)), Some(true));
}

#[test]
fn law_04_off_means_off_on_every_path_but_the_persons_own() {
    for strategy in [Strategy::Summarize, Strategy::Remind, Strategy::Archive] {
        let thread = under(strategy).rounds(60, 200).policy(|policy| policy.automatic = false);
        for trigger in TRIGGERS {
            let critical = health(HealthLevel::Critical, 9_500);
            let found = thread.remind(trigger, &critical, Remediation::Critical { rest: 0 });
            let expected = match trigger {
                GateTrigger::Overflow { .. } => {
                    Decision::TooLong { used: 12_000, limit: Some(10_000) }
                }
                _ => Decision::Go {},
            };
            assert_eq!(found.decision, expected, "{strategy:?} {trigger:?}");
        }
        assert_eq!(compacts(&thread.decide(GateTrigger::Manual)), Some(false), "{strategy:?}");
    }
}

#[test]
fn law_02_an_unknown_window_triggers_nothing() {
    for strategy in [Strategy::Summarize, Strategy::Remind, Strategy::Archive] {
        let mut thread = under(strategy).rounds(60, 20_000);
        thread.limits.window = None;
        for trigger in
            [GateTrigger::TurnCompleted, GateTrigger::BeforeSend, GateTrigger::ModelSwitched]
        {
            assert_eq!(thread.decide(trigger), Decision::Go {}, "{strategy:?} {trigger:?}");
        }
    }
}

#[test]
fn at_most_one_automatic_compaction_happens_in_a_turn() {
    let thread = small().rounds(20, 200);
    for attempt in [CompactionAttempt::Done, CompactionAttempt::Failed] {
        let verdict =
            thread.verdict(GateTrigger::BeforeGeneration, |state| state.attempt = attempt);
        assert_eq!(verdict.decision, Decision::Go {}, "{attempt:?}");
    }
}

#[test]
fn a_call_that_could_not_leave_is_compacted_for_again_unless_that_failed() {
    let thread = small().rounds(60, 200);
    let after = |attempt: CompactionAttempt| {
        thread.verdict(GateTrigger::BeforeGeneration, |state| state.attempt = attempt).decision
    };
    assert!(thread.used() > 10_000);
    assert_eq!(compacts(&after(CompactionAttempt::None)), Some(true));
    assert_eq!(compacts(&after(CompactionAttempt::Done)), Some(true));
    assert_eq!(after(CompactionAttempt::Failed), Decision::Held { used: 12_000, limit: 10_000 });
}

#[test]
fn what_is_known_not_to_fit_never_leaves_once_its_compaction_was_stopped_or_waits_for_the_person() {
    let stopped = |tokens: u32, attempt: CompactionAttempt, failures: u32| {
        let thread = small().rounds(48, 200).person(tokens);
        let state = |state: &mut GateState<'_>| {
            state.attempt = attempt;
            state.failures = failures;
        };
        thread.verdict(GateTrigger::BeforeSend, state).decision
    };
    // 10,000 are what a prompt may take.
    let fits = |attempt, failures| stopped(400, attempt, failures);
    let past = |attempt, failures| stopped(401, attempt, failures);
    let held = Decision::Held { used: 10_001, limit: 10_000 };
    assert_eq!(fits(CompactionAttempt::Failed, 0), Decision::Go {});
    assert_eq!(past(CompactionAttempt::Failed, 0), held);
    assert_eq!(fits(CompactionAttempt::None, 2), Decision::Paused { used: 10_000, limit: 3_000 });
    assert_eq!(past(CompactionAttempt::None, 2), held);
    assert_eq!(past(CompactionAttempt::Done, 2), held);
    // By the longest prompt where that is less than the window, and not in the background.
    let mut thread = small().rounds(44, 200).person(201);
    thread.limits.max_input = Some(9_000);
    let failed =
        |trigger| thread.verdict(trigger, |state| state.attempt = CompactionAttempt::Failed);
    let held = Decision::Held { used: 9_001, limit: 9_000 };
    assert_eq!(failed(GateTrigger::BeforeSend).decision, held);
    assert_eq!(failed(GateTrigger::TurnCompleted).decision, Decision::Go {});
    // In a tool loop an output leaves first.
    let loops = small().rounds(40, 200).person(100).calls(2_000);
    let withheld = Decision::Withhold { message_id: loops.id(81), call_id: "call-82".to_owned() };
    let failed =
        loops.verdict(GateTrigger::BeforeGeneration, |it| it.attempt = CompactionAttempt::Failed);
    assert_eq!(failed.decision, withheld);
}

#[test]
fn what_is_known_not_to_fit_does_not_leave_under_remind_and_is_no_evaluation() {
    let thread = |tokens| under(Strategy::Remind).rounds(49, 200).person(tokens);
    let caution = health(HealthLevel::Caution, 9_000);
    let before = Remediation::Caution { rest: 2 };
    let asked = |tokens| thread(tokens).remind(GateTrigger::BeforeSend, &caution, before);
    assert_eq!(asked(200).decision, Decision::Go {});
    let held = Decision::Held { used: 10_001, limit: 10_000 };
    assert_eq!(asked(201), Verdict { decision: held, remediation: before });
}

#[test]
fn d15_the_clear_that_a_countdown_announces_comes_where_the_next_message_does_not_fit() {
    let thread = |tokens| under(Strategy::Remind).rounds(49, 200).person(tokens);
    let critical = health(HealthLevel::Critical, 9_500);
    let asked = |tokens, rest| {
        thread(tokens).remind(GateTrigger::BeforeSend, &critical, Remediation::Critical { rest })
    };
    let notice = Decision::Notice { notice: Notice::Critical { remaining: 1 } };
    assert_eq!(asked(200, 2).decision, notice);
    for rest in [2, 0] {
        let decision = Decision::Clear { carry: vec![thread(201).id(98)] };
        let remediation = Remediation::Calm {};
        assert_eq!(asked(201, rest), Verdict { decision, remediation }, "{rest}");
    }
    let too_long = Decision::TooLong { used: 10_001, limit: Some(10_000) };
    assert_eq!(asked(10_001, 2).decision, too_long, "no new thread helps");
    // It stands still, or is over: another model, an edit.
    for level in [HealthLevel::Unavailable, HealthLevel::Healthy] {
        let now = health(level, 9_500);
        let before = Remediation::Critical { rest: 2 };
        let held = Decision::Held { used: 10_001, limit: 10_000 };
        let verdict = thread(201).remind(GateTrigger::BeforeSend, &now, before);
        assert_eq!(verdict, Verdict { decision: held, remediation: before }, "{level:?}");
    }
}

#[test]
fn after_two_failures_in_a_row_it_stops_and_waits_for_the_person() {
    let thread = small().rounds(20, 200);
    let decide = |failures: u32| {
        thread.verdict(GateTrigger::TurnCompleted, |state| state.failures = failures).decision
    };
    assert_eq!(compacts(&decide(1)), Some(false));
    assert_eq!(decide(2), Decision::Paused { used: 4_000, limit: 3_000 });
    let by_hand = thread.verdict(GateTrigger::Manual, |state| state.failures = 2).decision;
    assert_eq!(compacts(&by_hand), Some(false));
}

#[test]
fn law_01_stuck_is_said_at_once_and_names_both_numbers() {
    let decision = small().person(7_501).decide(GateTrigger::BeforeSend);
    assert_eq!(decision, Decision::Stuck { floor: 7_501, limit: 7_500 });
}

#[test]
fn what_no_compaction_gets_below_the_threshold_leaves_without_a_word_while_there_is_room() {
    for trigger in [GateTrigger::TurnCompleted, GateTrigger::BeforeSend, GateTrigger::ModelSwitched]
    {
        assert_eq!(small().person(7_500).decide(trigger), Decision::Go {}, "{trigger:?}");
    }
    // A window in which the prefix and the least summary are above the threshold: 614 of 2,048.
    let tight = Thread::new().window_of(2_048).system(450);
    for rounds in 0..=10 {
        let thread = tight.clone().rounds(rounds, 100).person(20);
        let decision = thread.decide(GateTrigger::BeforeSend);
        let is_calm = compacts(&decision).is_some() || decision == Decision::Go {};
        assert!(thread.used() <= 1_536 && is_calm, "{rounds}: {decision:?}");
    }
}

#[test]
fn a_message_that_no_compaction_makes_fit_is_held_with_both_numbers() {
    let decision = small().person(10_001).decide(GateTrigger::BeforeSend);
    assert_eq!(decision, Decision::TooLong { used: 10_001, limit: Some(10_000) });
}

#[test]
fn an_output_that_does_not_fit_is_withheld_before_the_call_but_one_that_does_is_not() {
    let reads = |tokens| small().person(100).calls(tokens);
    let fits = reads(9_800).decide(GateTrigger::BeforeGeneration);
    assert_eq!(fits, Decision::Stuck { floor: 9_904, limit: 7_500 });
    let thread = reads(9_900);
    let withheld = Decision::Withhold { message_id: thread.id(1), call_id: "call-2".to_owned() };
    assert_eq!(thread.decide(GateTrigger::BeforeGeneration), withheld);
    let afterwards = thread.decide(GateTrigger::TurnCompleted);
    assert!(matches!(afterwards, Decision::Stuck { .. }), "nothing leaves in the background");
}

#[test]
fn after_two_failures_an_overflow_is_not_a_reason_to_try_again() {
    let thread = small().rounds(20, 200).person(100);
    let overflow = GateTrigger::Overflow { repeated: false };
    let found = thread.verdict(overflow, |state| state.failures = 2).decision;
    assert_eq!(found, Decision::TooLong { used: 4_100, limit: Some(10_000) });
}

#[test]
fn us_5_choosing_a_smaller_model_says_what_would_happen() {
    let thread = Thread::new().rounds(20, 200);
    assert_eq!(thread.decide(GateTrigger::ModelSwitched), Decision::Go {});
    let smaller = thread.window_of(10_000);
    assert_eq!(compacts(&smaller.decide(GateTrigger::ModelSwitched)), Some(false));
}

#[test]
fn p03_a_thread_is_archived_strictly_above_nine_tenths_before_any_call() {
    let at_limit = under(Strategy::Archive).rounds(44, 200).person(200);
    assert_eq!(at_limit.used(), 9_000);
    for trigger in [GateTrigger::BeforeSend, GateTrigger::BeforeGeneration] {
        assert_eq!(at_limit.decide(trigger), Decision::Go {});
        let above = under(Strategy::Archive).rounds(44, 200).person(201);
        let expected = Decision::Archive { carry: vec![above.id(88)], percent: 90 };
        assert_eq!(above.decide(trigger), expected);
    }
}

#[test]
fn p03_nothing_is_archived_when_a_turn_completes() {
    let thread = under(Strategy::Archive).rounds(50, 200);
    assert_eq!(thread.decide(GateTrigger::TurnCompleted), Decision::Go {});
}

#[test]
fn p03_system_prompt_tools_history_and_new_input_all_count() {
    use skein_domain::tool_declaration::ToolFamily;
    let thread = under(Strategy::Archive)
        .system(3_000)
        .tool("read_file", ToolFamily::BuiltIn, 3_000)
        .rounds(10, 200)
        .person(1_001);
    let expected = Decision::Archive { carry: vec![thread.id(20)], percent: 90 };
    assert_eq!(thread.decide(GateTrigger::BeforeSend), expected);
}

#[test]
fn p07_a_message_that_alone_does_not_fit_is_held_and_nothing_is_archived() {
    let thread = under(Strategy::Archive).system(500).rounds(5, 200).person(9_501);
    let expected = Decision::TooLong { used: 10_001, limit: Some(10_000) };
    assert_eq!(thread.decide(GateTrigger::BeforeSend), expected);
}

#[test]
fn p07_what_the_new_thread_begins_with_is_to_fit_beside_the_message() {
    let thread = under(Strategy::Archive).system(500).rounds(5, 200).person(9_400);
    let decide = |beginning| {
        thread
            .verdict(GateTrigger::BeforeSend, |state| state.new_thread_tokens = beginning)
            .decision
    };
    let archive = Decision::Archive { carry: vec![thread.id(10)], percent: 90 };
    assert_eq!(decide(100), archive);
    assert_eq!(decide(101), Decision::TooLong { used: 10_001, limit: Some(10_000) });
}

#[test]
fn p07_a_thread_that_would_begin_with_more_than_it_leaves_behind_is_not_begun() {
    let thread = under(Strategy::Archive).system(500).rounds(1, 200).person(8_700);
    let decide = |beginning| {
        thread
            .verdict(GateTrigger::BeforeSend, |state| state.new_thread_tokens = beginning)
            .decision
    };
    let archive = Decision::Archive { carry: vec![thread.id(2)], percent: 90 };
    assert_eq!(decide(150), archive);
    assert_eq!(decide(thread.used() - 9_200), Decision::Go {});
}

#[test]
fn p07_a_clear_that_would_not_make_it_fit_does_not_come() {
    let thread = under(Strategy::Remind).system(500).rounds(5, 200).person(9_400);
    let critical = health(HealthLevel::Critical, 9_500);
    let decide = |beginning| {
        let verdict = thread.verdict(GateTrigger::BeforeSend, |state| {
            state.remediation = Remediation::Critical { rest: 2 };
            (state.health, state.new_thread_tokens) = (Some(&critical), beginning);
        });
        verdict.decision
    };
    assert_eq!(decide(100), Decision::Clear { carry: vec![thread.id(10)] });
    assert_eq!(decide(101), Decision::TooLong { used: 10_001, limit: Some(10_000) });
}

#[test]
fn p07_a_message_that_fills_an_empty_thread_is_sent_rather_than_archived_for_nothing() {
    let thread = under(Strategy::Archive).system(500).person(9_000);
    assert_eq!(thread.decide(GateTrigger::BeforeSend), Decision::Go {});
}

#[test]
fn p07_a_round_in_progress_goes_along_so_that_no_tool_runs_twice() {
    let thread = under(Strategy::Archive).rounds(40, 200).person(100).calls(1_000);
    let expected = Decision::Archive { carry: thread.ids(80..82), percent: 90 };
    assert_eq!(thread.decide(GateTrigger::BeforeGeneration), expected);
}

#[test]
fn p07_of_what_stood_for_the_covered_part_nothing_comes_along() {
    let text = |tokens| CountedText { text: "words".to_owned(), tokens };
    let thread = |tokens| {
        let begun = under(Strategy::Archive).person(400).pinned().model(600).rounds(4, 500);
        let mut thread = begun.covered_to(9, 3_000).rounds(10, 200).person(tokens);
        thread.points[0].anchors = Some(text(250));
        thread.recall = HistoryAccess::Available(text(300));
        thread.passages = Some(text(200));
        thread
    };
    for tokens in [4_500, 10_000] {
        let full = thread(tokens);
        let archive = Decision::Archive { carry: vec![full.id(30)], percent: 90 };
        assert_eq!(full.decide(GateTrigger::BeforeSend), archive, "{tokens}");
    }
    let too_long = Decision::TooLong { used: 10_001, limit: Some(10_000) };
    assert_eq!(thread(10_001).decide(GateTrigger::BeforeSend), too_long);
    let opens = under(Strategy::Archive).rounds(5, 200).leaving_out(&[0]).person(10_001);
    assert_eq!(
        opens.decide(GateTrigger::BeforeSend),
        too_long,
        "nor what stands before the model's words"
    );
}

#[test]
fn p07_a_reply_that_is_gone_on_with_goes_along_with_what_it_answers() {
    let cut_off = MessageState::Interrupted {};
    let thread = under(Strategy::Archive).rounds(40, 200).person(100).model(1_000).last_is(cut_off);
    let archive = |carry| Decision::Archive { carry, percent: 90 };
    assert_eq!(thread.decide(GateTrigger::BeforeSend), archive(thread.ids(80..82)));
    let another = thread.person(50);
    let answered = archive(another.ids(82..83));
    assert_eq!(another.decide(GateTrigger::BeforeSend), answered, "it is not gone on with");
}

#[test]
fn p09_an_oversized_last_tool_output_leaves_the_context_first() {
    for strategy in [Strategy::Summarize, Strategy::Remind, Strategy::Archive] {
        let thread = under(strategy).rounds(10, 200).person(100).calls(4_000);
        let expected =
            Decision::Withhold { message_id: thread.id(21), call_id: "call-22".to_owned() };
        assert_eq!(
            thread.decide(GateTrigger::Overflow { repeated: false }),
            expected,
            "{strategy:?}"
        );
    }
}

#[test]
fn p09_otherwise_summarize_compacts_once_and_the_others_say_so() {
    let thread = |strategy| under(strategy).rounds(20, 200).person(100);
    let overflow = GateTrigger::Overflow { repeated: false };
    assert_eq!(compacts(&thread(Strategy::Summarize).decide(overflow)), Some(true));
    let too_long = Decision::TooLong { used: 4_100, limit: Some(10_000) };
    assert_eq!(thread(Strategy::Remind).decide(overflow), too_long);
    assert_eq!(thread(Strategy::Archive).decide(overflow), too_long);
    let again = GateTrigger::Overflow { repeated: true };
    assert_eq!(thread(Strategy::Summarize).decide(again), too_long);
    let after = |attempt: CompactionAttempt| {
        let thread = thread(Strategy::Summarize);
        thread.verdict(overflow, |state| state.attempt = attempt).decision
    };
    // The refusal proves that the estimate was too low, whatever was done because of it.
    assert_eq!(compacts(&after(CompactionAttempt::Done)), Some(true));
    assert_eq!(after(CompactionAttempt::Failed), too_long);
}

#[test]
fn p09_in_one_long_round_the_largest_output_leaves_where_nothing_else_makes_room() {
    let round = |strategy| {
        let thread = under(strategy).person(500).says_and_calls(20, 800).says_and_calls(20, 950);
        (0..10).fold(thread, |thread, _| thread.says_and_calls(20, 800))
    };
    let withheld = |thread: &Thread| Decision::Withhold {
        message_id: thread.id(2),
        call_id: "call-3".to_owned(),
    };
    for strategy in [Strategy::Summarize, Strategy::Archive] {
        let thread = round(strategy);
        assert!(thread.used() > 9_000, "{}", thread.used());
        let full = thread.clone().says_and_calls(20, 800);
        assert_eq!(full.decide(GateTrigger::BeforeGeneration), withheld(&full), "{strategy:?}");
    }
    let overflow = GateTrigger::Overflow { repeated: false };
    for strategy in [Strategy::Summarize, Strategy::Remind, Strategy::Archive] {
        let thread = round(strategy);
        assert_eq!(thread.decide(overflow), withheld(&thread), "{strategy:?}");
    }
    // 25 are the words in its place.
    let last = |result| under(Strategy::Remind).person(9_000).says_and_calls(20, result);
    assert!(matches!(last(125).decide(overflow), Decision::TooLong { .. }));
    assert!(matches!(last(126).decide(overflow), Decision::Withhold { .. }));
}

#[test]
fn p09_an_output_is_as_large_as_what_leaves_with_it_whatever_its_call_was_asked_with() {
    let overflow = GateTrigger::Overflow { repeated: false };
    let writes = small().rounds(10, 200).person(100).writes(4_000, 20);
    assert_eq!(compacts(&writes.decide(overflow)), Some(true), "its output would free nothing");
    let alone = small().person(100).writes(9_000, 20);
    assert!(matches!(alone.decide(overflow), Decision::TooLong { .. }));
    // A quarter of what is sent, the words in its place taken off.
    let reads = |result| small().person(3_000 - result).writes(6_996, result).decide(overflow);
    assert!(matches!(reads(125), Decision::TooLong { .. }));
    assert!(matches!(reads(126), Decision::Withhold { .. }));
    let read = |result| small().rounds(15, 200).person(2_996 - result).calls(result);
    assert_eq!(compacts(&read(1_525).decide(overflow)), Some(true));
    assert!(matches!(read(1_526).decide(overflow), Decision::Withhold { .. }));
    // In one long round of writing and reading it is the reading that makes room.
    let round = (0..5).fold(small().person(100), |thread, _| thread.writes(1_500, 30).calls(600));
    let withheld = Decision::Withhold { message_id: round.id(10), call_id: "call-11".to_owned() };
    assert_eq!(round.decide(GateTrigger::BeforeGeneration), withheld);
    let read = |call: u32| format!("call-{call}");
    let read = [11, 9].into_iter().fold(round, |thread, call| thread.without_output(&read(call)));
    assert!(!matches!(read.decide(GateTrigger::BeforeGeneration), Decision::Withhold { .. }));
}

#[test]
fn p09_of_a_call_its_result_is_counted_apart_and_the_words_in_its_place() {
    let thread = Thread::new().person(10).calls(10).counted();
    let results = |thread: &Thread| thread.clone().counted().messages[1].1.results.clone();
    assert_eq!(results(&thread), [6], "output");
    let words = thread.prefix.fixed.withheld;
    assert_eq!(results(&thread.withholding(&[true])), [words]);
}

#[test]
fn p09_the_pictures_of_an_output_leave_with_it_but_only_those_that_are_sent() {
    let overflow = GateTrigger::Overflow { repeated: false };
    let shows = |thread: Thread| thread.person(1_500).shows(2, 1_000).decide(overflow);
    let withheld = shows(small().rounds(5, 200));
    assert!(matches!(withheld, Decision::Withhold { .. }), "two of 786 tokens: {withheld:?}");
    let attached = (0..4).fold(small(), |thread, _| thread.attaches(3_500_000).model(20));
    assert_eq!(compacts(&shows(attached)), Some(true), "no byte is left for them");
}

#[test]
fn p09_a_pin_that_stands_beside_a_summary_keeps_its_output() {
    let thread = under(Strategy::Remind).person(100).calls(4_000).pinned().model(50);
    let thread = thread.rounds(2, 200).covered_to(6, 100).round(200).person(100);
    let decision = thread.decide(GateTrigger::Overflow { repeated: false });
    assert!(matches!(decision, Decision::TooLong { .. }), "{decision:?}");
}

#[test]
fn p09_an_overflow_is_believed_though_the_estimate_is_below_the_threshold() {
    let thread = small().rounds(10, 200).person(100);
    assert!(thread.used() < 3_000);
    let decision = thread.decide(GateTrigger::Overflow { repeated: false });
    assert_eq!(compacts(&decision), Some(true));
}

#[test]
fn strategies_never_act_together() {
    let full = |strategy| under(strategy).rounds(44, 200).person(500);
    let critical = health(HealthLevel::Critical, 9_300);
    let decide = |strategy, trigger| {
        full(strategy).remind(trigger, &critical, Remediation::default()).decision
    };
    for trigger in [GateTrigger::BeforeSend, GateTrigger::BeforeGeneration] {
        assert!(matches!(decide(Strategy::Remind, trigger), Decision::Notice { .. }));
        assert!(matches!(decide(Strategy::Archive, trigger), Decision::Archive { .. }));
        assert!(matches!(decide(Strategy::Summarize, trigger), Decision::Compact { .. }));
    }
    assert_eq!(decide(Strategy::Remind, GateTrigger::TurnCompleted), Decision::Go {});
    assert_eq!(decide(Strategy::Remind, GateTrigger::ModelSwitched), Decision::Go {});
}

#[test]
fn d13_d14_notices_carry_the_reported_numbers_and_the_countdown() {
    let thread = under(Strategy::Remind).rounds(3, 200).person(10).calls(10);
    let caution = health(HealthLevel::Caution, 8_500);
    let verdict = thread.remind(GateTrigger::BeforeGeneration, &caution, Remediation::default());
    let expected = Verdict {
        decision: Decision::Notice { notice: Notice::Caution { prompt: 8_500, optimal: 8_000 } },
        remediation: Remediation::Caution { rest: 9 },
    };
    assert_eq!(verdict, expected);
    let critical = health(HealthLevel::Critical, 9_500);
    let verdict = thread.remind(GateTrigger::BeforeGeneration, &critical, verdict.remediation);
    let expected = Verdict {
        decision: Decision::Notice { notice: Notice::Critical { remaining: 4 } },
        remediation: Remediation::Critical { rest: 4 },
    };
    assert_eq!(verdict, expected);
}

#[test]
fn d12_only_a_round_that_ran_tools_makes_a_caution_notice_wait_for_the_next_generation() {
    let caution = health(HealthLevel::Caution, 8_500);
    let asks = |thread: Thread| {
        thread.remind(GateTrigger::BeforeSend, &caution, Remediation::default()).decision
    };
    let told = Decision::Notice { notice: Notice::Caution { prompt: 8_500, optimal: 8_000 } };
    let plain = || under(Strategy::Remind).rounds(3, 200);
    assert_eq!(asks(plain().person(10)), told, "no tools are declared");
    let declared = || plain().tool("look", ToolFamily::BuiltIn, 30);
    assert_eq!(asks(declared().person(10)), told, "none was called");
    let ran = || declared().person(10).calls(10).model(20);
    assert_eq!(asks(ran().person(10)), Decision::Go {}, "a further generation is likely");
    assert_eq!(asks(ran().round(20).person(10)), told, "the last round ran none");
}

#[test]
fn d12_a_notice_that_the_prompt_has_no_room_for_is_not_added_after_the_check() {
    let thread = under(Strategy::Remind).rounds(49, 200).person(100);
    assert_eq!(thread.used(), 9_900);
    let decide = |level, prompt, notice, remediation| {
        let reported = health(level, prompt);
        thread.verdict(GateTrigger::BeforeSend, |state| {
            state.health = Some(&reported);
            (state.notice_tokens, state.remediation) = (notice, remediation);
        })
    };
    let calm = Remediation::default();
    let fits = decide(HealthLevel::Caution, 8_500, 100, calm);
    assert!(matches!(fits.decision, Decision::Notice { .. }), "{fits:?}");
    let stays_due = Verdict { decision: Decision::Go {}, remediation: calm };
    assert_eq!(decide(HealthLevel::Caution, 8_500, 101, calm), stays_due);
    assert_eq!(decide(HealthLevel::Critical, 9_500, 101, calm), stays_due);
    let announced = decide(HealthLevel::Critical, 9_500, 101, Remediation::Critical { rest: 3 });
    assert!(matches!(announced.decision, Decision::Clear { .. }), "{announced:?}");
}

#[test]
fn d15_at_zero_the_clear_comes_first_and_the_persons_message_opens_the_new_thread() {
    let thread = under(Strategy::Remind).rounds(3, 200).notice(9).person(10).person(11);
    let critical = health(HealthLevel::Critical, 9_500);
    let verdict =
        thread.remind(GateTrigger::BeforeSend, &critical, Remediation::Critical { rest: 0 });
    let expected = Verdict {
        decision: Decision::Clear { carry: thread.ids(7..9) },
        remediation: Remediation::Calm {},
    };
    assert_eq!(verdict, expected);
}

#[test]
fn d15_in_a_tool_loop_nothing_of_the_person_waits_and_the_reminders_go_on_alone() {
    let thread = under(Strategy::Remind).rounds(3, 200).person(10).calls(10);
    let critical = health(HealthLevel::Critical, 9_500);
    let state = Remediation::Critical { rest: 0 };
    let verdict = thread.remind(GateTrigger::BeforeGeneration, &critical, state);
    assert_eq!(verdict.decision, Decision::Clear { carry: Vec::new() });
}

#[test]
fn d14_a_countdown_begins_anew_after_reminding_was_switched_off_for_a_generation() {
    let critical = health(HealthLevel::Critical, 9_500);
    let last = Remediation::Critical { rest: 0 };
    let off = under(Strategy::Remind).round(20).policy(|policy| policy.automatic = false);
    let other = under(Strategy::Summarize).round(20);
    for thread in [off, other] {
        let asked = |trigger| thread.remind(trigger, &critical, last).remediation;
        assert_eq!(asked(GateTrigger::BeforeSend), Remediation::Calm {});
        assert_eq!(asked(GateTrigger::BeforeGeneration), Remediation::Calm {});
        assert_eq!(
            asked(GateTrigger::ModelSwitched),
            last,
            "asking what would happen changes nothing"
        );
        assert_eq!(asked(GateTrigger::Manual), last);
    }
}

#[test]
fn d03_without_a_report_nothing_is_inserted() {
    let thread = under(Strategy::Remind).rounds(3, 200).person(10);
    assert_eq!(thread.decide(GateTrigger::BeforeGeneration), Decision::Go {});
}
