use skein_context::compaction::{Outlook, Plan, Purpose, fingerprint, pins, pins_limit, plan};
use skein_context::counting::Counted;
use skein_context::message::{ContentPart, Inclusion};

use crate::fixture::Thread;

/// A window of 10,000: the threshold is 3,000, a quarter of it 750.
fn small() -> Thread {
    Thread::new().window_of(10_000)
}

fn outlook(thread: &Thread, purpose: Purpose) -> Outlook {
    thread.see(|window| plan(window, thread.limits, purpose))
}

fn planned(thread: &Thread, purpose: Purpose) -> Plan {
    match outlook(thread, purpose) {
        Outlook::Compact { plan } => plan,
        other => panic!("no plan: {other:?}"),
    }
}

#[test]
fn fr_1_1_a_compaction_is_due_strictly_above_the_threshold() {
    assert_eq!(outlook(&small().rounds(15, 200), Purpose::Threshold), Outlook::Fine {});
    let above = small().rounds(14, 200).round(201);
    assert!(matches!(outlook(&above, Purpose::Threshold), Outlook::Compact { .. }));
}

#[test]
fn a_plan_covers_all_but_the_last_two_rounds_and_says_what_it_comes_to() {
    let thread = small().rounds(20, 200);
    let expected = Plan {
        covered: thread.ids(0..36),
        unread: Vec::new(),
        boundary: thread.id(35),
        previous: None,
        replaced: 3_600,
        before: 4_000,
        expected_after: 400 + 500 + 288 + 20,
        kept_rounds: 2,
        summary_budget: 500,
        anchors_budget: 288,
        at_most: 3_600,
    };
    assert_eq!(planned(&thread, Purpose::Threshold), expected);
}

#[test]
fn what_no_summary_has_read_because_it_was_pinned_goes_along_from_point_to_point() {
    let thread = small().rounds(3, 200).person(100).pinned().model(100);
    let thread = thread.rounds(4, 200).covered_to(11, 100);
    assert_eq!(thread.points[0].point.unread, [thread.id(6)]);
    // Read by the first summary, and pinned since.
    let mut later = thread.rounds(16, 200);
    later.messages[2].0.inclusion = Inclusion::Pinned;
    later.messages[20].0.inclusion = Inclusion::Pinned;
    let updated = planned(&later, Purpose::Threshold);
    assert_eq!(updated.previous, Some(later.points[0].point.id));
    assert_eq!(updated.unread, [later.id(6), later.id(20)]);
    later.points[0].stale = true;
    let anew = planned(&later, Purpose::Threshold);
    assert_eq!(anew.unread, [later.id(2), later.id(6), later.id(20)]);
}

#[test]
fn the_tail_takes_at_most_a_quarter_of_the_threshold_else_fewer_rounds_are_kept() {
    let check = |last: u32, kept: u32| {
        let thread = small().rounds(14, 200).round(375).round(last);
        assert_eq!(planned(&thread, Purpose::Threshold).kept_rounds, kept, "{last}");
    };
    check(375, 2);
    check(376, 1);
    check(750, 1);
    check(751, 0);
}

#[test]
fn a_wish_for_no_rounds_is_the_source_document_to_the_letter() {
    let thread = small().rounds(20, 200).policy(|policy| policy.keep_rounds = 0);
    let plan = planned(&thread, Purpose::Threshold);
    assert_eq!((plan.boundary, plan.kept_rounds), (thread.id(39), 0));
}

#[test]
fn the_boundary_lies_on_the_edge_of_a_round_that_is_long() {
    let thread = small().rounds(17, 200).person(10).calls(50).calls(50).model(10).round(100);
    let plan = planned(&thread, Purpose::Threshold);
    assert_eq!(plan.boundary, thread.id(33), "the four messages of the round stay together");
}

#[test]
fn law_06_the_newest_message_of_the_person_is_never_covered() {
    let thread = small().rounds(20, 200).person(10).policy(|policy| policy.keep_rounds = 0);
    assert_eq!(planned(&thread, Purpose::Threshold).boundary, thread.id(39));
}

#[test]
fn law_06_a_round_in_progress_is_never_covered() {
    let thread = small().rounds(18, 200).person(10).calls(100).calls(100);
    let plan = planned(&thread, Purpose::Threshold);
    assert_eq!((plan.boundary, plan.kept_rounds), (thread.id(31), 2));
}

#[test]
fn law_06_pins_are_not_covered_and_stay_in_order() {
    let thread = small().person(50).pinned().model(50).rounds(18, 200).person(9).pinned().model(9);
    let plan = planned(&thread, Purpose::Threshold);
    assert!(!plan.covered.contains(&thread.id(0)));
    assert_eq!(plan.covered.first(), Some(&thread.id(1)));
    let boundary = plan.boundary;
    let thread = thread.compacted(&plan, 100);
    assert!(boundary > thread.id(0));
    let second = thread.see(|window| window.prompt().messages[1].clone());
    assert_eq!(second.parts, thread.messages[0].0.parts);
}

#[test]
fn a_later_compaction_updates_the_summary_with_what_came_since() {
    let thread = small().rounds(10, 200).covered_to(15, 300).rounds(12, 200);
    let plan = planned(&thread, Purpose::Threshold);
    assert_eq!(plan.previous, Some(thread.points[0].point.id));
    assert_eq!(plan.covered, thread.ids(16..40));
    assert_eq!(plan.replaced, 320 + 12 * 200);
    assert_eq!(plan.anchors_budget, 300, "8 % of all 20 covered rounds, at most a tenth");
}

#[test]
fn after_a_stale_summary_the_next_compaction_begins_from_the_originals() {
    let mut thread = small().rounds(10, 200).covered_to(15, 300).rounds(12, 200);
    thread.points[0].stale = true;
    let plan = planned(&thread, Purpose::Threshold);
    assert_eq!((plan.previous, plan.covered), (None, thread.ids(0..40)));
    assert_eq!(plan.replaced, 320 + 12 * 200, "what it takes the place of in the window");
}

#[test]
fn a_stale_summary_is_renewed_for_the_same_boundary() {
    let thread = small().rounds(10, 200).covered_to(15, 300).rounds(2, 200);
    let plan = planned(&thread, Purpose::Renewal);
    assert_eq!((plan.previous, plan.covered), (None, thread.ids(0..16)));
    assert_eq!((plan.boundary, plan.kept_rounds), (thread.id(15), 4));
    assert_eq!(outlook(&small().rounds(2, 200), Purpose::Renewal), Outlook::Fine {});
}

#[test]
fn law_01_what_cannot_be_compacted_and_is_over_the_limit_is_stuck() {
    let thread = small().system(3_001).rounds(2, 200);
    let Outlook::Stuck { floor, limit } = outlook(&thread, Purpose::Threshold) else {
        panic!("not stuck")
    };
    assert_eq!(limit, 3_000);
    assert!((3_001..=thread.used()).contains(&floor), "{floor}");
}

#[test]
fn law_01_a_huge_new_message_with_nothing_before_it_is_stuck_with_its_own_size() {
    let thread = small().person(3_500);
    let expected = Outlook::Stuck { floor: 3_500, limit: 3_000 };
    assert_eq!(outlook(&thread, Purpose::Threshold), expected);
}

#[test]
fn law_01_a_plan_that_leaves_as_much_as_it_found_is_none() {
    // 64 tokens of summary, 20 around it, and a twelfth of what is covered in facts.
    let outlook = |tokens| {
        let thread = Thread::new().policy(|policy| policy.keep_rounds = 0).round(tokens);
        thread.see(|window| plan(window, thread.limits, Purpose::Person))
    };
    assert_eq!(outlook(91), Outlook::Fine {});
    let Outlook::Compact { plan } = outlook(92) else { panic!("not made") };
    assert_eq!((plan.before, plan.expected_after), (92, 91));
}

#[test]
fn law_01_a_plan_that_would_gain_less_than_a_tenth_is_not_made() {
    let thread = small().system(2_850).round(160);
    assert!(matches!(outlook(&thread, Purpose::Threshold), Outlook::Stuck { .. }));
}

#[test]
fn a_gain_under_a_tenth_is_a_failure_unless_the_person_asked_or_nothing_else_could_leave() {
    let at_most = |thread: &Thread, purpose| planned(thread, purpose).at_most;
    let over = small().rounds(20, 200);
    assert_eq!(at_most(&over, Purpose::Threshold), 3_600);
    assert_eq!(at_most(&over, Purpose::Person), 3_999);
    assert_eq!(at_most(&over, Purpose::Overflow), 3_999);
    let full = small().rounds(60, 200);
    assert_eq!(at_most(&full, Purpose::Threshold), 11_999);
}

#[test]
fn a_summary_that_stands_in_the_way_of_a_message_is_written_anew_and_shorter() {
    let covered = small().rounds(4, 500).covered_to(7, 1_000);
    let thread = covered.clone().person(9_200);
    let plan = planned(&thread, Purpose::Threshold);
    assert_eq!((plan.boundary, plan.previous, plan.kept_rounds), (thread.id(7), None, 0));
    assert_eq!(plan.covered, thread.ids(0..8));
    assert!(plan.before > 10_000 && plan.expected_after <= 10_000, "{plan:?}");
    // What leaves no room for any summary is said to be too long, with what would remain at least.
    let floor = 9_950 + 20 + 64;
    let expected = Outlook::Stuck { floor, limit: 7_500 };
    assert_eq!(outlook(&covered.person(9_950), Purpose::Threshold), expected);
}

#[test]
fn us_5_where_the_threshold_is_out_of_reach_but_the_window_is_not_the_history_makes_room() {
    // 5,500 of history and a pasted 4,000: 9,500 leave no room to answer in a window of 10,000.
    let thread = small().rounds(11, 500).person(4_000);
    let plan = planned(&thread, Purpose::Threshold);
    assert_eq!(plan.kept_rounds, 0, "all that can be covered is");
    assert!(plan.expected_after <= 7_500, "{}", plan.expected_after);
}

#[test]
fn the_person_may_compact_below_the_threshold_and_with_an_unknown_window() {
    let thread = small().rounds(10, 200);
    assert_eq!(planned(&thread, Purpose::Person).covered, thread.ids(0..16));
    let mut unknown = thread.clone();
    unknown.limits.window = None;
    assert_eq!(planned(&unknown, Purpose::Person).covered, thread.ids(0..16));
    assert_eq!(outlook(&unknown, Purpose::Threshold), Outlook::Fine {}, "law 2");
}

#[test]
fn two_rounds_are_nothing_to_compact_by_hand() {
    assert_eq!(outlook(&small().rounds(2, 200), Purpose::Person), Outlook::Fine {});
    assert_eq!(outlook(&small(), Purpose::Person), Outlook::Fine {});
}

#[test]
fn a_summary_that_would_be_longer_than_what_it_covers_is_not_begun() {
    assert_eq!(outlook(&small().rounds(3, 20), Purpose::Person), Outlook::Fine {});
}

#[test]
fn a_fingerprint_notices_an_edit_a_deletion_and_an_order_but_not_a_pin() {
    let thread = Thread::new().rounds(2, 20).person(9).calls(9);
    let of = |thread: &Thread| fingerprint(thread.messages.iter().map(|(message, _)| message));
    let original = of(&thread);

    let mut edited = thread.clone();
    edited.messages[0].0.parts = [ContentPart::Text { text: "otherwise".to_owned() }].into();
    assert_ne!(of(&edited), original);

    let mut shorter = thread.clone();
    shorter.messages.remove(1);
    assert_ne!(of(&shorter), original);

    let mut swapped = thread.clone();
    swapped.messages.swap(0, 1);
    assert_ne!(of(&swapped), original);

    assert_eq!(of(&thread.clone().pinned()), original);
    assert_eq!(of(&thread.clone().leaving_out(&[1])), of(&shorter), "as if it were not there");
    assert_eq!(original, "3596cd04c7a26752", "stored values stay valid from release to release");
}

#[test]
fn pins_may_take_half_of_what_the_prefix_leaves_below_the_threshold() {
    let thread = small().system(1_000).person(100).pinned().model(50).person(70).pinned();
    assert_eq!(pins_limit(&thread.prefix, &thread.policy, thread.limits), 1_000);
    let path: Vec<Counted<'_>> =
        thread.messages.iter().map(|(message, tokens)| Counted { message, tokens }).collect();
    assert_eq!(pins(&path), 170);
}
