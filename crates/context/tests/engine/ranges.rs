//! W01: summaries of ranges, beside compactions of the path from its first message on.

use proptest::prelude::*;
use skein_context::compaction::{ChosenRange, Plan, PlanOutcome, PlanPurpose, plan, stale_points};
use skein_context::limits::policy::ToolCleaning;
use skein_context::window::applied_points::applied_points;
use skein_context::window::{EntryContent, Prompt};
use skein_domain::compaction_point::CompactionTrigger;
use skein_domain::message::{ContentPart, Inclusion, MessageState};

use crate::fixture::Thread;

fn planned(thread: &Thread, purpose: PlanPurpose) -> PlanOutcome {
    thread.see(|window| plan(window, thread.limits, purpose))
}

fn compact(thread: &Thread, purpose: PlanPurpose) -> Option<Plan> {
    match planned(thread, purpose) {
        PlanOutcome::Compact { plan } => Some(plan),
        PlanOutcome::Fine {} | PlanOutcome::Stuck { .. } => None,
    }
}

fn from(thread: &Thread, at: usize) -> PlanPurpose {
    PlanPurpose::Range(ChosenRange::From { message_id: thread.id(at) })
}

fn up_to(thread: &Thread, at: usize) -> PlanPurpose {
    PlanPurpose::Range(ChosenRange::UpTo { message_id: thread.id(at) })
}

fn prompt(thread: &Thread) -> Prompt {
    thread.see(|window| window.prompt())
}

/// The indexes on the path of the messages that are sent word for word.
fn sent(thread: &Thread) -> Vec<usize> {
    thread.see(|window| {
        let entries = window.entries.iter().filter_map(|line| match line.content {
            EntryContent::Message { at, .. } | EntryContent::Pinned { at, .. } => Some(at),
            _ => None,
        });
        entries.collect()
    })
}

fn thread() -> Thread {
    Thread::new().window_of(100_000).rounds(6, 1_000)
}

#[test]
fn w01_a_range_is_summarised_where_it_stands_and_what_is_before_stays_word_for_word() {
    let before = thread();
    let plan = compact(&before, from(&before, 5)).unwrap();
    assert_eq!(plan.covered, before.ids(4..12), "from the start of the round");
    assert_eq!((plan.starts_after, plan.boundary), (Some(before.id(3)), before.id(11)));
    assert_eq!((plan.previous, plan.kept_rounds), (None, 2));
    let after = before.clone().compacted(&plan, plan.summary_room).round(500);
    assert_eq!(sent(&after), [0, 1, 2, 3, 12, 13]);
    let (was, is) = (prompt(&before).messages, prompt(&after).messages);
    assert_eq!(is[..4], was[..4], "what is before it is sent as it was");
    let ContentPart::Text { text } = &is[4].parts[0] else { panic!("the summary is text") };
    assert!(text.contains("<summary>"), "the summary stands in its place: {text}");
    assert!(after.used() <= plan.expected_after + 1_000 + 100);
}

#[test]
fn w01_up_to_a_message_covers_its_round_and_from_the_first_one_all() {
    let thread = thread();
    let plan = compact(&thread, up_to(&thread, 4)).unwrap();
    assert_eq!((plan.covered, plan.starts_after), (thread.ids(0..6), None));
    let plan = compact(&thread, from(&thread, 1)).unwrap();
    assert_eq!((plan.covered, plan.starts_after), (thread.ids(0..12), None));
}

#[test]
fn w01_the_newest_message_of_the_user_and_pinned_ones_are_never_covered() {
    let mut open = thread().person(1_000);
    assert_eq!(planned(&open, from(&open, 12)), PlanOutcome::Fine {});
    assert_eq!(compact(&open, from(&open, 8)).unwrap().boundary, open.id(11));
    open.messages[9].0.inclusion = Inclusion::Pinned;
    let plan = compact(&open, from(&open, 8)).unwrap();
    assert_eq!(plan.covered, [open.id(8), open.id(10), open.id(11)]);
    assert_eq!(plan.unread, [open.id(9)]);
    let after = open.clone().compacted(&plan, 100);
    assert_eq!(sent(&after), [0, 1, 2, 3, 4, 5, 6, 7, 9, 12]);
}

#[test]
fn w01_a_later_compaction_covers_a_range_whole_and_reads_its_originals() {
    let ranged = thread();
    let plan = compact(&ranged, from(&ranged, 4)).unwrap();
    let ranged = ranged.compacted(&plan, 200).rounds(4, 1_000);
    let within = compact(&ranged, up_to(&ranged, 6)).unwrap();
    assert_eq!(within.boundary, ranged.id(11), "all of the range or none of it");
    assert_eq!(within.covered, ranged.ids(0..12), "the originals are the source");
    let absorbed = ranged.clone().compacted(&within, 300);
    assert_eq!(sent(&absorbed), (12..20).collect::<Vec<_>>());
    let summaries = |thread: &Thread| thread.see(|window| window.summaries().count());
    assert_eq!((summaries(&ranged), summaries(&absorbed)), (1, 1));
    let mut undone = absorbed;
    undone.points.pop();
    assert_eq!(prompt(&undone), prompt(&ranged), "the range applies again");
    let later = compact(&ranged, from(&ranged, 6)).unwrap();
    assert_eq!(later.starts_after, Some(ranged.id(11)), "from within a range: what follows it");
}

#[test]
fn w01_a_range_that_would_gain_nothing_says_so() {
    let short = Thread::new().window_of(100_000).rounds(3, 20);
    let PlanOutcome::Stuck { floor, limit } = planned(&short, from(&short, 4)) else {
        panic!("a summary is longer than these words")
    };
    assert!(floor >= limit);
}

#[test]
fn w01_a_range_is_stale_when_one_of_its_messages_changes_and_not_when_another_does() {
    let thread = thread();
    let plan = compact(&thread, from(&thread, 4)).unwrap();
    let thread = thread.compacted(&plan, 200);
    let stale = |thread: &Thread| {
        let points: Vec<_> = thread.points.iter().map(|it| it.point.clone()).collect();
        stale_points(thread.messages.iter().map(|(message, _)| message), &points).len()
    };
    assert_eq!(stale(&thread), 0);
    assert_eq!(stale(&thread.clone().leaving_out(&[1])), 0, "it does not cover that");
    assert_eq!(stale(&thread.clone().leaving_out(&[6])), 1);
    let renewed = thread.clone().leaving_out(&[6]);
    let point = renewed.points[0].point.id;
    let plan = compact(&renewed, PlanPurpose::RangeRenewal(point)).unwrap();
    assert_eq!((plan.starts_after, plan.boundary), (Some(renewed.id(3)), renewed.id(11)));
    assert!(!plan.covered.contains(&renewed.id(6)));
}

#[test]
fn w01_law_12_a_compaction_of_another_branch_switches_no_range_off() {
    let first = Thread::new().window_of(100_000).rounds(5, 1_000);
    let ranged = first.clone().compacted(&compact(&first, from(&first, 4)).unwrap(), 200);
    for shared in [6, 8] {
        let mut other = first.clone();
        other.messages.truncate(shared);
        other.next = ranged.next;
        let other = other.person(1_000);
        for purpose in [up_to(&other, 5), from(&other, 2)] {
            let plan = compact(&other, purpose).unwrap();
            let mut back = ranged.clone();
            back.points.extend(other.clone().compacted(&plan, 200).points);
            assert_eq!(prompt(&back), prompt(&ranged), "what is sent on the first branch");
        }
    }
}

#[test]
fn w01_a_reply_that_was_cut_off_before_a_range_is_not_continued() {
    let stopped = Thread::new().window_of(100_000).round(8_000);
    let thread = stopped.last_is(MessageState::Interrupted {}).rounds(2, 1_000);
    let thread = thread.clone().compacted(&compact(&thread, from(&thread, 2)).unwrap(), 100);
    let ends_with_summary = thread.see(|window| {
        let last = window.entries.last().map(|line| line.content);
        matches!(last, Some(EntryContent::Summary { .. }))
    });
    assert!(ends_with_summary, "the model is not asked to go on");
    assert!(compact(&thread, up_to(&thread, 1)).is_some(), "its round is not the current one");
}

#[test]
fn w01_what_follows_a_range_keeps_its_tool_calls() {
    for cleaning in [ToolCleaning::AtCompaction, ToolCleaning::InBatches, ToolCleaning::EverySend] {
        let thread = Thread::new().policy(|policy| policy.tool_cleaning = Some(cleaning));
        let add = |thread: Thread, _| thread.person(500).reads(10_000, 3_000).model(500);
        let thread = (0..20).fold(thread, add);
        let after = summarised(&thread, &compact(&thread, up_to(&thread, 8)).unwrap(), 200);
        let (was, is) = (prompt(&thread).messages, prompt(&after).messages);
        let later = |sent: &[usize]| sent.iter().filter(|at| **at >= 9).count();
        let kept = later(&sent(&thread));
        assert_eq!(later(&sent(&after)), kept, "{cleaning:?}");
        assert_eq!(is[is.len() - kept..], was[was.len() - kept..], "{cleaning:?}");
    }
}

/// The thread after the user had messages of their choice summarised.
fn summarised(thread: &Thread, plan: &Plan, tokens: u32) -> Thread {
    let mut after = thread.clone().compacted(plan, tokens);
    after.points.last_mut().unwrap().point.trigger = CompactionTrigger::Range;
    after
}

/// An action of the user on a thread.
#[derive(Debug, Clone)]
enum Step {
    Older,
    UpTo(prop::sample::Index),
    From(prop::sample::Index),
    Undo(prop::sample::Index),
    Redo,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        1 => Just(Step::Older),
        2 => any::<prop::sample::Index>().prop_map(Step::UpTo),
        4 => any::<prop::sample::Index>().prop_map(Step::From),
        2 => any::<prop::sample::Index>().prop_map(Step::Undo),
        1 => Just(Step::Redo),
    ];
    proptest::collection::vec(step, 1..12)
}

fn conversation() -> impl Strategy<Value = Thread> {
    let round = (100_u32..2_000, any::<bool>(), 0..8_u8);
    let cleaning = prop::sample::select(vec![
        ToolCleaning::EverySend,
        ToolCleaning::InBatches,
        ToolCleaning::AtCompaction,
        ToolCleaning::Never,
    ]);
    (proptest::collection::vec(round, 2..10), cleaning).prop_map(|(rounds, cleaning)| {
        let thread = Thread::new().window_of(200_000);
        let thread = thread.policy(|policy| policy.tool_cleaning = Some(cleaning));
        rounds.into_iter().fold(thread, |thread, (tokens, calls, kind)| {
            let thread = thread.person(tokens);
            let thread = if calls { thread.calls(tokens) } else { thread };
            let thread = thread.model(tokens);
            match kind {
                0 => thread.pinned(),
                _ => thread,
            }
        })
    })
}

/// Law 14: a message is sent, or a summary that is sent stands for it. Of old calls nothing is sent (FR-2).
fn accounts_for_all(thread: &Thread) -> bool {
    let sent = sent(thread);
    let points = thread.points.iter().map(|it| &it.point);
    let path = thread.messages.iter().map(|(message, _)| message.id);
    let applied = applied_points(points, path);
    thread.messages.iter().enumerate().all(|(at, (message, _))| {
        let covers = applied.iter().filter(|span| span.covered.contains(&at)).count();
        let is_sent = sent.iter().filter(|it| **it == at).count() == 1;
        let is_call = message.parts.iter().all(|part| matches!(part, ContentPart::Tool { .. }));
        let is_expected = covers == 0 || message.is_pinned();
        covers <= 1 && (is_sent == is_expected || is_call && !is_sent)
    })
}

proptest! {
    #[test]
    fn w01_law_11_summaries_in_any_order_leave_the_request_as_it_was_when_all_are_undone(
        original in conversation(),
        steps in steps(),
        order in any::<prop::sample::Index>(),
    ) {
        let mut thread = original.clone();
        let mut undone = Vec::new();
        for step in steps {
            let place = |at: prop::sample::Index| thread.id(at.index(thread.messages.len()));
            let purpose = match step {
                Step::Older => PlanPurpose::UserRequest,
                Step::UpTo(at) => {
                    PlanPurpose::Range(ChosenRange::UpTo { message_id: place(at) })
                }
                Step::From(at) => {
                    PlanPurpose::Range(ChosenRange::From { message_id: place(at) })
                }
                Step::Undo(at) if !thread.points.is_empty() => {
                    let at = at.index(thread.points.len());
                    undone.push(thread.points.remove(at));
                    continue;
                }
                Step::Redo | Step::Undo(_) => {
                    thread.points.extend(undone.pop());
                    continue;
                }
            };
            let before = (thread.used(), prompt(&thread));
            let Some(plan) = compact(&thread, purpose) else { continue };
            undone.clear();
            let after = match purpose {
                PlanPurpose::Range(_) => summarised(&thread, &plan, plan.summary_room),
                _ => thread.clone().compacted(&plan, plan.summary_room),
            };
            prop_assert!(after.used() < before.0, "law 1");
            prop_assert!(after.used() <= plan.expected_after);
            prop_assert!(accounts_for_all(&after));
            let mut back = after.clone();
            back.points.pop();
            prop_assert_eq!(prompt(&back), before.1);
            // Law 9: nothing before the cache's breakpoint changes while the conversation grows.
            let (now, later) = (prompt(&after), prompt(&after.clone().round(300).person(20)));
            let stable = usize::try_from(now.stable_messages).unwrap();
            prop_assert_eq!(&now.messages[..stable], &later.messages[..stable]);
            thread = after;
        }
        while !thread.points.is_empty() {
            thread.points.remove(order.index(thread.points.len()));
            prop_assert!(accounts_for_all(&thread));
        }
        prop_assert_eq!(prompt(&thread), prompt(&original));
    }
}
