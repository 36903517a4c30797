//! The engine's promises for any conversation: a plan leaves less than it found and what it promises holds,
//! the gate lets nothing leave that is too long, and the beginning of a growing conversation stays as it is.
//!
//! Input: the window and the settings, then two bytes for each thing that happens in the thread.
#![no_main]

#[allow(dead_code, unused_imports, reason = "the tests of the engine use the rest of it")]
#[path = "../../crates/context/tests/engine/fixture.rs"]
mod fixture;

use fixture::Thread;
use libfuzzer_sys::fuzz_target;
use skein_context::compaction::decision::{Decision, GateTrigger};
use skein_context::compaction::{PlanOutcome, PlanPurpose, plan};
use skein_context::limits::Limits;
use skein_context::tokens::message_tokens::CountedText;
use skein_domain::message::{MessageState, Role};

fuzz_target!(|input: &[u8]| {
    let [window, percent, rounds, purpose, events @ ..] = input else { return };
    let thread = Thread::new()
        .window_of(1_000 + u32::from(*window) * 700)
        .policy(|policy| {
            policy.compaction_threshold = 40 + u32::from(*percent) % 51;
            policy.keep_rounds = u32::from(*rounds) % 7;
            policy.keep_tool_rounds = u32::from(*rounds) / 7 % 7;
        })
        .system(u32::from(*percent) * 5);
    let (events, _) = events.as_chunks::<2>();
    let thread =
        events.iter().take(60).fold(thread, |thread, [event, size]| happens(thread, *event, *size));
    let purpose = match purpose % 3 {
        0 => PlanPurpose::Threshold,
        1 => PlanPurpose::Overflow,
        _ => PlanPurpose::UserRequest,
    };
    check_plan(&thread, purpose);
    check_gate(&thread);
    check_prefix(&thread);
});

/// One thing that happens; `size` is in units of 20 tokens.
fn happens(thread: Thread, event: u8, size: u8) -> Thread {
    let tokens = 10 + u32::from(size) * 20;
    let last = thread.messages.last().map(|(message, _)| (message.role, message.state.clone()));
    match event % 12 {
        0..=2 => thread.round(tokens),
        3 => thread.person(tokens),
        4 => thread.person(20).says_and_calls(30, tokens).model(40),
        5 => thread.calls(tokens),
        6 => thread.notice(15),
        7 => thread.person(tokens).pinned().model(20),
        8 => thread.person(20).shows(usize::from(size) % 5, tokens * 500).model(40),
        9 => thread.reminder("keep the port"),
        10 if last == Some((Role::Assistant, MessageState::Complete {})) => {
            let at = thread.messages.len() - 1;
            thread.covered_to(at, tokens / 10)
        }
        11 => thread.attaches_file(tokens).model(20),
        _ => thread,
    }
}

fn check_plan(thread: &Thread, purpose: PlanPurpose) {
    let (outcome, used) =
        thread.see(|window| (plan(window, thread.limits, purpose), window.used.tokens));
    let PlanOutcome::Compact { plan } = outcome else { return };
    assert!(plan.expected_after < used, "law 1: {} of {used}", plan.expected_after);
    let mut after = thread.clone().compacted(&plan, plan.summary_room);
    if let Some(point) = after.points.last_mut() {
        let text = "port: 7443".to_owned();
        point.anchors = Some(CountedText { text, tokens: plan.facts_room });
    }
    assert!(after.used() <= plan.expected_after, "{} > {}", after.used(), plan.expected_after);
}

/// A request that the gate lets leave fits the model.
fn check_gate(thread: &Thread) {
    for trigger in [GateTrigger::BeforeSend, GateTrigger::BeforeGeneration] {
        if thread.decide(trigger) == (Decision::Go {}) {
            let largest = thread.limits.max_prompt().unwrap_or(u32::MAX);
            assert!(thread.used() <= largest, "{} of {largest} leaves", thread.used());
        }
    }
    let unknown = Thread { limits: Limits::default(), ..thread.clone() };
    assert_eq!(unknown.decide(GateTrigger::BeforeSend), Decision::Go {}, "law 2");
}

/// While a conversation only grows, the beginning of its requests stays as it is.
fn check_prefix(thread: &Thread) {
    let before = thread.see(|window| window.prompt());
    let after = thread.clone().round(200).see(|window| window.prompt());
    let stable = usize::try_from(before.stable_messages).unwrap_or(usize::MAX);
    assert!(stable <= before.messages.len());
    for (old, new) in before.messages.iter().zip(&after.messages).take(stable) {
        let as_text = |message| serde_json::to_string(message).unwrap_or_default();
        assert_eq!(as_text(old), as_text(new), "law 9");
    }
}
