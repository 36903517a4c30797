use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_context::window::rounds::Rounds;
use skein_context::window::{EntryContent, ReasoningReplay};
use skein_domain::message::{ContentPart, Inclusion, MessageKind, MessageState, Origin, Role};

use crate::fixture::Thread;

fn rounds(thread: &Thread) -> Rounds {
    Rounds::of(thread.messages.iter().map(|(message, _)| message))
}

fn check_rounds(thread: Thread, starts: &[usize], complete: usize, open_from: usize) {
    let rounds = rounds(&thread);
    assert_eq!(
        (rounds.starts(), rounds.complete_count(), rounds.open_start()),
        (starts, complete, open_from)
    );
}

#[test]
fn a_round_is_what_a_person_said_and_the_messages_that_answer_it() {
    check_rounds(Thread::new(), &[], 0, 0);
    check_rounds(Thread::new().person(9), &[0], 0, 0);
    check_rounds(Thread::new().round(9), &[0], 1, 2);
    check_rounds(Thread::new().round(9).person(9), &[0, 2], 1, 2);
    check_rounds(Thread::new().person(9).person(9).model(9), &[0], 1, 3);
    check_rounds(Thread::new().person(9).calls(9).calls(9).model(9).round(9), &[0, 4], 2, 6);
}

#[test]
fn a_round_whose_last_word_is_a_tool_call_is_in_progress() {
    check_rounds(Thread::new().round(9).person(9).calls(9), &[0, 2], 1, 2);
    check_rounds(Thread::new().round(9).person(9).says_and_calls(9, 9), &[0, 2], 1, 2);
}

#[test]
fn a_reply_that_is_growing_or_failed_before_its_first_word_leaves_its_round_in_progress() {
    let growing = Thread::new().round(9).last_is(MessageState::Streaming {});
    check_rounds(growing, &[0], 0, 0);
    let mut failed =
        Thread::new().round(9).last_is(MessageState::Failed { error: "{}".to_owned().into() });
    failed.messages[1].0.parts = [].into();
    check_rounds(failed, &[0], 0, 0);
}

#[test]
fn a_reply_cut_off_after_some_words_has_answered() {
    check_rounds(Thread::new().round(9).last_is(MessageState::Interrupted {}), &[0], 1, 2);
}

#[test]
fn a_notice_in_a_tool_loop_does_not_begin_a_round_and_one_between_rounds_goes_with_the_next() {
    check_rounds(Thread::new().person(9).calls(9).notice(9).calls(9).model(9), &[0], 1, 5);
    check_rounds(Thread::new().round(9).notice(9).person(9).model(9), &[0, 2], 2, 5);
    check_rounds(Thread::new().notice(9).person(9).model(9), &[0], 1, 3);
}

#[test]
fn what_stands_before_the_first_words_of_a_person_is_a_round_of_its_own() {
    check_rounds(Thread::new().model(9).round(9), &[0, 1], 2, 3);
}

/// The tokens of each message of the path as it is sent; 0 where it drops out.
fn sent(thread: &Thread) -> Vec<u32> {
    let mut sent = vec![0; thread.messages.len()];
    thread.see(|window| {
        for line in &window.entries {
            if let EntryContent::Message { at, .. } = line.content {
                sent[at] = line.tokens;
            }
        }
    });
    sent
}

fn with_tools(rounds: u32) -> Thread {
    (0..rounds).fold(Thread::new(), |thread, _| thread.person(10).says_and_calls(20, 100).model(10))
}

#[test]
fn fr_2_2_the_last_two_rounds_keep_their_tool_parts_and_fr_2_3_older_ones_only_the_rest() {
    let expected = [10, 20, 10, 10, 120, 10, 10, 120, 10];
    assert_eq!(sent(&with_tools(3)), expected);
}

#[test]
fn fr_2_2_with_fewer_rounds_than_that_nothing_is_cleaned() {
    assert_eq!(sent(&with_tools(2)), [10, 120, 10, 10, 120, 10]);
    assert_eq!(sent(&with_tools(1)), [10, 120, 10]);
}

#[test]
fn fr_2_2_a_round_in_progress_keeps_its_own_beside_those() {
    let thread = with_tools(3).person(10).calls(100);
    assert_eq!(sent(&thread), [10, 20, 10, 10, 120, 10, 10, 120, 10, 10, 104]);
}

#[test]
fn fr_2_2_none_keeps_them_but_the_round_in_progress() {
    let thread = with_tools(2).person(10).calls(100).policy(|policy| policy.keep_tool_rounds = 0);
    assert_eq!(sent(&thread), [10, 20, 10, 10, 20, 10, 10, 104]);
}

#[test]
fn fr_2_3_a_message_left_empty_drops_out() {
    let thread = Thread::new().person(10).calls(100).model(10).rounds(2, 20);
    assert_eq!(sent(&thread), [10, 0, 10, 10, 10, 10, 10]);
    thread.see(|window| assert_eq!(window.prompt().messages.len(), 6));
}

#[test]
fn fr_2_4_cleaning_comes_before_counting() {
    assert_eq!(with_tools(3).used(), 40 + 140 + 140);
}

#[test]
fn never_cleaning_keeps_every_tool_part() {
    let thread = with_tools(4).policy(|policy| policy.tool_cleaning = Some(ToolCleaning::Never));
    assert_eq!(thread.used(), 4 * 140);
}

#[test]
fn cleaning_only_at_a_compaction_freezes_what_was_kept_then() {
    let cache_keeping =
        |policy: &mut Policy| policy.tool_cleaning = Some(ToolCleaning::AtCompaction);
    let thread = with_tools(5).policy(cache_keeping);
    assert_eq!(thread.used(), 5 * 140, "nothing is cleaned before the first compaction");
    let compacted = thread.covered_to(2, 50);
    let tail = [20, 20, 120, 120].map(|called| 20 + called).iter().sum::<u32>();
    assert_eq!(compacted.used(), 70 + tail);
    let later = compacted.person(10).says_and_calls(20, 100).model(10);
    assert_eq!(later.used(), 70 + tail + 140, "and nothing more until the next");
}

/// Two rounds that think aloud and call tools, the second in progress; beside the first a word in
/// passing that was thought about, too.
fn thinking(back: ReasoningReplay) -> Thread {
    let thought =
        |tokens| (ContentPart::Reasoning { text: "hm".to_owned(), signature: None }, tokens);
    let says = |thread: Thread, parts| {
        thread.says(Role::Assistant, Origin::Model, MessageKind::Chat {}, parts)
    };
    let calls = |thread: Thread| {
        says(thread.person(10), vec![thought(50), (crate::fixture::call("c"), 100)])
    };
    let said = (ContentPart::Text { text: "so".to_owned() }, 6);
    let mut thread = calls(says(calls(Thread::new()), vec![thought(30), said]));
    thread.reasoning_replay = back;
    thread
}

#[test]
fn reasoning_goes_back_only_where_its_provider_wants_it_and_is_counted_only_there() {
    for (back, tokens, thoughts) in [
        (ReasoningReplay::Never, [10, 104, 10, 10, 104], 0),
        (ReasoningReplay::InProgress, [10, 104, 10, 10, 154], 1),
        (ReasoningReplay::WithTools, [10, 154, 40, 10, 154], 3),
    ] {
        let thread = thinking(back);
        assert_eq!(sent(&thread), tokens, "{back:?}");
        let prompt = thread.see(|window| window.prompt());
        let parts = prompt.messages.iter().flat_map(|message| message.parts.iter());
        let thought = parts.filter(|part| matches!(part, ContentPart::Reasoning { .. }));
        assert_eq!(thought.count(), thoughts, "{back:?}");
    }
}

#[test]
fn reasoning_that_goes_back_with_its_calls_leaves_with_them() {
    let clean = |policy: &mut Policy| policy.keep_tool_rounds = 0;
    let thread = thinking(ReasoningReplay::WithTools).policy(clean);
    assert_eq!(sent(&thread), [10, 0, 10, 10, 154]);
    let pinned = {
        let mut thread = thread.model(10);
        thread.messages[1].0.inclusion = Inclusion::Pinned;
        thread
    };
    assert_eq!(sent(&pinned)[..2], [10, 154]);
    assert_eq!(pinned.covered_to(2, 5).used(), 25 + 154 + 10 + 10);
}

/// A step of a tool loop as its provider sends it back: encrypted thoughts, and a call that proves its own.
fn encrypted(thread: Thread, words: &str, seal: &str, bytes: usize) -> Thread {
    let signature = Some(format!("{seal}{}", "A".repeat(bytes / 3 * 4)));
    let thought = ContentPart::Reasoning { text: words.to_owned(), signature: signature.clone() };
    let ContentPart::Tool { mut call } = crate::fixture::call("c") else { return thread };
    call.signature = signature;
    let parts = vec![(thought, 0), (ContentPart::Tool { call }, 0)];
    thread.says(Role::Assistant, Origin::Model, MessageKind::Chat {}, parts).counted()
}

#[test]
fn what_goes_back_encrypted_is_counted_by_its_length_where_it_goes_back() {
    let begun = || Thread::new().person(10);
    // 16,650 bytes in an envelope of 650 are 4,000 tokens.
    let own = |words: &str| encrypted(begun(), words, "own:", 16_650);
    let plain = encrypted(begun(), "", "own:", 0);
    let extra = |mut thread: Thread, back| {
        thread.reasoning_replay = back;
        let mut plain = plain.clone();
        plain.reasoning_replay = back;
        thread.used() - plain.used()
    };
    assert_eq!(extra(own(""), ReasoningReplay::InProgress), 2 * 4_000);
    assert_eq!(
        extra(own("a summary"), ReasoningReplay::InProgress),
        2 * 4_000,
        "the longer of both"
    );
    assert_eq!(extra(own(&"word ".repeat(1_000)), ReasoningReplay::InProgress), 5_000 + 4_000);
    assert_eq!(extra(own(""), ReasoningReplay::Never), 4_000, "the thought does not go back");
    let another = encrypted(begun(), "", "another's:", 16_650);
    assert_eq!(extra(another, ReasoningReplay::InProgress), 0, "nor does what is another's");
}

#[test]
fn encrypted_thoughts_of_a_long_tool_loop_are_seen_by_the_gate() {
    let loops = |steps: u32, seal: &str| {
        let begun = Thread::new().person(10);
        let mut thread = (0..steps).fold(begun, |it, _| encrypted(it, "", seal, 16_650));
        thread.reasoning_replay = ReasoningReplay::InProgress;
        thread
    };
    assert!(loops(10, "own:").used() >= 80_000);
    assert!(loops(10, "another's:").used() < 2_000);
    loops(1, "own:").see(|window| assert!(window.has_estimates()));
    encrypted(Thread::new(), "hm", "own:", 600).see(|window| assert!(!window.has_estimates()));
}

#[test]
fn reasoning_that_stays_with_its_calls_does_not_break_the_stable_prefix() {
    let never = |policy: &mut Policy| policy.tool_cleaning = Some(ToolCleaning::Never);
    let stable = |back| {
        let thread = thinking(back).policy(never);
        thread.see(|window| window.prompt().stable_messages)
    };
    assert_eq!([ReasoningReplay::InProgress, ReasoningReplay::WithTools].map(stable), [4, 5]);
}
