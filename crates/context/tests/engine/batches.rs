//! FR-2.2 in batches: between two of them the prefix keeps every byte (law 9).

use proptest::prelude::*;
use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_context::window::BATCH_BYTES;
use skein_domain::message::{ContentPart, ToolState};

use crate::fixture::Thread;
use crate::laws::{bytes, prompt};

/// About what a call says itself.
const ARGUMENTS: usize = 100;

fn in_batches(policy: &mut Policy) {
    policy.tool_cleaning = Some(ToolCleaning::InBatches);
}

/// A round whose tool returns so many bytes; 0: it runs none.
fn round(thread: Thread, output: usize) -> Thread {
    match output {
        0 => thread.round(20),
        bytes => thread.person(20).reads(bytes, 50).model(40),
    }
}

/// The bytes of the tool outputs that are sent.
fn sent_outputs(thread: &Thread) -> Vec<usize> {
    let prompt = prompt(thread);
    let parts = prompt.messages.iter().flat_map(|message| message.parts.iter());
    let calls = parts.filter_map(ContentPart::as_call);
    let outputs = calls.filter_map(|call| match &call.state {
        ToolState::Done { output } => Some(output.text.len()),
        _ => None,
    });
    outputs.collect()
}

fn of(outputs: &[usize]) -> Thread {
    outputs.iter().fold(Thread::new().policy(in_batches), |thread, output| round(thread, *output))
}

#[test]
fn c09_old_tool_output_leaves_when_a_batch_of_it_has_come_together() {
    let part = BATCH_BYTES / 4;
    let rows: [(&[usize], usize); 6] = [
        // Two rounds always keep theirs.
        (&[BATCH_BYTES, BATCH_BYTES], 2),
        (&[BATCH_BYTES, 1, 1], 2),
        (&[part, part, part, 1, 1], 5),
        (&[part, part, part, part, 1, 1], 2),
        // Of the next batch nothing leaves before it is one.
        (&[part, part, part, part, part, part, part, 1, 1], 5),
        (&[part, part, part, part, 0, 0, 1, 1], 2),
    ];
    for (outputs, kept) in rows {
        assert_eq!(sent_outputs(&of(outputs)).len(), kept, "{outputs:?}");
    }
}

#[test]
fn c09_a_compaction_cleans_what_is_no_batch_yet() {
    let thread = of(&[10, 10, 10, 10]);
    assert_eq!(sent_outputs(&thread).len(), 4);
    assert_eq!(sent_outputs(&thread.covered_to(1, 30)).len(), 2);
}

#[test]
fn c09_how_a_model_counts_does_not_move_a_batch() {
    let outputs = [BATCH_BYTES / 2, BATCH_BYTES / 2, 1, 1];
    let mut counted_otherwise = of(&outputs);
    for (_, tokens) in &mut counted_otherwise.messages {
        tokens.parts.iter_mut().for_each(|count| *count *= 3);
    }
    assert_eq!(bytes(&counted_otherwise), bytes(&of(&outputs)));
}

proptest! {
    #[test]
    fn law_09_in_batches_the_prefix_stays_until_a_batch_leaves(
        outputs in proptest::collection::vec(
            prop_oneof![2 => Just(0), 3 => 1_usize..BATCH_BYTES / 2, 1 => 1_usize..BATCH_BYTES * 2],
            1..40,
        ),
        keep in 0_u32..5,
        compacted in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let keeps = |policy: &mut Policy| policy.keep_tool_rounds = keep;
        let mut thread = Thread::new().policy(in_batches).policy(keeps);
        let point = compacted.map(|at| at.index(outputs.len()));
        let mut before = prompt(&thread);
        for (at, output) in outputs.iter().enumerate() {
            let sent = sent_outputs(&thread).iter().sum::<usize>();
            thread = round(thread, *output);
            prop_assert_eq!(bytes(&thread), bytes(&thread.clone()));
            let after = prompt(&thread);
            let stays = after.messages.starts_with(&before.messages);
            let left = (sent + output).saturating_sub(sent_outputs(&thread).iter().sum());
            prop_assert!(stays || left + ARGUMENTS * outputs.len() >= BATCH_BYTES, "{left} bytes left");
            before = after;
            if point == Some(at) {
                let last = thread.messages.len() - 1;
                thread = thread.covered_to(last, 30);
                before = prompt(&thread);
            }
        }
    }
}
