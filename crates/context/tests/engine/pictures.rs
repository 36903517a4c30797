use std::sync::Arc;

use proptest::prelude::*;
use skein_context::compaction::decision::{Decision, GateTrigger};
use skein_context::compaction::{PlanOutcome, PlanPurpose, plan};
use skein_context::limits::policy::ToolCleaning;
use skein_context::tokens::message_tokens::{CountedText, count_parts};
use skein_context::window::{HistoryAccess, Prompt};
use skein_domain::message::{ContentPart, ToolState};
use skein_domain::strategy::Strategy;

use crate::deferred_tools::frame_tokens;
use crate::fixture::{Letters, Thread};
use crate::laws::threads;

fn prompt(thread: &Thread) -> Prompt {
    thread.see(|window| window.prompt())
}

/// The pictures of a prompt, by their names.
fn names(thread: &Thread) -> Vec<String> {
    prompt(thread).images().map(|picture| picture.name.clone()).collect()
}

/// So many calls in a row, each showing one picture of so many bytes.
fn showing(calls: usize, bytes: u32) -> Thread {
    (0..calls).fold(Thread::new().person(10), |thread, _| thread.shows(1, bytes))
}

/// How many of so many pictures are left out.
fn left_out(calls: usize, bytes: u32) -> usize {
    calls - names(&showing(calls, bytes)).len()
}

fn output(part: &ContentPart) -> Option<&skein_domain::message::ToolOutput> {
    match part {
        ContentPart::Tool { call } => match &call.state {
            ToolState::Done { output } => Some(output),
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn what_the_person_attached_goes_and_the_newest_of_what_tools_showed_as_far_as_a_request_takes_it()
{
    let thread = (0..25).fold(Thread::new().attaches(1_000), |thread, _| thread.shows(1, 1_000));
    let newest = (11..=26).map(|call| format!("call-{call} 0"));
    assert_eq!(
        names(&thread),
        ["loom.png".to_owned()].into_iter().chain(newest).collect::<Vec<_>>()
    );
}

#[test]
fn as_more_is_shown_the_beginning_of_a_request_changes_once_in_ten_pictures() {
    let changes = (1..100).filter(|shown| left_out(*shown, 1_000) != left_out(shown + 1, 1_000));
    assert_eq!(changes.collect::<Vec<_>>(), [20, 30, 40, 50, 60, 70, 80, 90]);
}

#[test]
fn pictures_of_tools_are_left_out_where_their_bytes_are_more_than_a_request_takes() {
    assert_eq!(left_out(15, 2_500_000), 10);
    assert_eq!(left_out(5, 3_750_000), 2);
    // A reduced copy of it goes.
    assert_eq!(left_out(1, 15_000_000), 0);
}

#[test]
fn law_14_an_output_whose_pictures_are_left_out_ends_with_a_line_that_says_so() {
    // Of 24 pictures 14 go along: of the second call the last six.
    let thread = (0..3).fold(Thread::new().person(10), |thread, _| thread.shows(8, 1_000));
    let stored = thread.messages.clone();
    let prompt = prompt(&thread);
    let outputs =
        prompt.messages.iter().flat_map(|message| message.parts.iter()).filter_map(output);
    let told: Vec<_> = outputs
        .map(|output| {
            let first = output.pictures.first().map(|picture| picture.name.as_str());
            (first, output.pictures.len(), output.text.ends_with("newer ones come first.]"))
        })
        .collect();
    let expected = [(None, 0, true), (Some("call-3 2"), 6, true), (Some("call-4 0"), 8, false)];
    assert_eq!(told, expected);
    assert_eq!(thread.messages, stored);
    // 30 tokens of words each, 11 for each line, and 14 pictures.
    assert_eq!(thread.used(), 10 + 3 * (4 + 30) + 2 * 11 + 14 * 786);
    let shared = prompt
        .messages
        .iter()
        .zip(&thread.messages)
        .map(|(sent, (stored, _))| Arc::ptr_eq(&sent.parts, &stored.parts));
    assert_eq!(shared.collect::<Vec<_>>(), [true, false, false, true]);
}

#[test]
fn a_model_that_is_sent_no_pictures_of_tools_has_none_in_its_prompt() {
    let mut thread = showing(3, 1_000).attaches(1_000);
    for (_, tokens) in &mut thread.messages {
        tokens.shown.clear();
    }
    assert_eq!(names(&thread), ["loom.png"]);
    assert_eq!(thread.used(), 10 + 3 * 34 + 20 + 786);
    thread.see(|window| assert!(window.has_estimates()));
    thread.messages.pop();
    thread.see(|window| assert!(!window.has_estimates()));
}

#[test]
fn pictures_that_do_not_go_along_keep_no_call_from_leaving() {
    let fits = showing(60, 1_000).window_of(20_000);
    let remind = fits.policy(|policy| policy.strategy = Strategy::Remind);
    assert_eq!(remind.decide(GateTrigger::BeforeGeneration), Decision::Go {});
}

#[test]
fn a_plan_counts_the_pictures_that_have_room_again_once_others_are_covered() {
    // Ten of 21 are left out; without the first round all of the other 18 go along.
    let keep = |policy: &mut skein_context::limits::policy::Policy| {
        policy.tool_cleaning = Some(ToolCleaning::Never);
        policy.keep_rounds = 1;
    };
    let thread = Thread::new().policy(keep).person(12_000).shows(3, 1_000).model(40);
    let thread = (0..3).fold(thread.person(20), |thread, _| thread.shows(6, 1_000)).model(40);
    let outlook = thread.see(|window| plan(window, thread.limits, PlanPurpose::UserRequest));
    let PlanOutcome::Compact { plan } = outlook else { panic!("{outlook:?}") };
    let after = thread.clone().compacted(&plan, plan.summary_room);
    assert_eq!((names(&thread).len(), names(&after).len()), (11, 18));
    assert_eq!(after.used() + plan.facts_room, plan.expected_after);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn p10_the_tokens_of_a_window_are_those_of_what_its_prompt_holds(
        thread in threads(),
        withheld in proptest::collection::vec(any::<bool>(), 8),
        drafts in any::<bool>(),
    ) {
        let mut thread = thread;
        for (at, (message, _)) in thread.messages.iter_mut().enumerate() {
            let parts = Arc::make_mut(&mut message.parts);
            if let Some(ContentPart::Tool { call }) = parts.last_mut()
                && let ToolState::Done { output } = &mut call.state
            {
                output.withheld = withheld[at % withheld.len()];
            }
        }
        let told = |text: &str| Some(CountedText::new(&Letters, text));
        thread.recall = told("call search_history").map_or(HistoryAccess::Never, HistoryAccess::Available);
        thread.passages = told("said earlier");
        for point in &mut thread.points {
            point.anchors = told("port: 7443");
        }
        let mut thread = thread.counted();
        if drafts {
            let parts = vec![crate::fixture::image("loom.png")];
            thread.draft = Some((parts.clone(), count_parts(&Letters, &parts)));
        }
        thread.see(|window| {
            let of_prefix = window.preview().into_iter().filter(|line| line.role.is_none());
            let of_prefix: u32 = of_prefix.map(|line| line.tokens).sum();
            let prompt = window.prompt();
            let messages = prompt.messages.iter();
            let counts = messages.map(|message| count_parts(&Letters, &message.parts).total());
            let counted = of_prefix + counts.sum::<u32>() + frame_tokens(&prompt);
            assert_eq!(window.used.tokens, counted);
        });
    }

    #[test]
    fn a_request_holds_as_many_pictures_as_it_takes_or_what_the_person_attached(thread in threads()) {
        let prompt = prompt(&thread);
        let attached = prompt.messages.iter().flat_map(|message| message.parts.iter());
        let attached = attached.filter_map(ContentPart::attached_image).count();
        let bytes: u32 = prompt.images().map(|picture| picture.bytes).sum();
        let all = prompt.images().count();
        prop_assert!(all == attached || (all <= 20 && bytes <= 14_000_000), "{all} of {bytes} bytes");
    }
}
