//! W06: reads of a file that a later read of the same file supersedes.

use std::collections::HashSet;
use std::sync::Arc;

use proptest::prelude::*;
use skein_context::compaction::{ChosenRange, Plan, PlanOutcome, PlanPurpose, plan};
use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_context::window::{BATCH_BYTES, folder_fingerprint};
use skein_domain::ids::OutputId;
use skein_domain::message::{ContentPart, Inclusion, ToolState, WholeOutput};

use crate::fixture::Thread;
use crate::laws::{followed, prompt};

const NOTES: &str = r#"{"path":"notes.md"}"#;
const FIRST_LINES: &str = r#"{"path":"notes.md","start_line":1,"lines":3}"#;

/// Long enough for a note in its place.
fn long(text: &str) -> String {
    format!("{text} {}", "x".repeat(300))
}

fn cleaned(cleaning: ToolCleaning) -> Thread {
    Thread::new().policy(|policy: &mut Policy| policy.tool_cleaning = Some(cleaning))
}

/// A round that reads a file with these arguments.
fn reads(thread: Thread, args: &str, text: &str) -> Thread {
    calls(thread, "read_file", args, &long(text))
}

/// Marks the output of a message as one of a session's folder.
fn read_in(mut thread: Thread, at: usize, folder: &str) -> Thread {
    for part in Arc::make_mut(&mut thread.messages[at].0.parts) {
        if let Some(ToolState::Done { output }) = part.as_call_mut().map(|call| &mut call.state) {
            output.folder = Some(folder_fingerprint(folder.as_bytes()));
        }
    }
    thread
}

fn calls(thread: Thread, tool: &str, args: &str, text: &str) -> Thread {
    thread.person(20).reads_file(tool, args, text, 500).model(40)
}

/// The first words of the outputs that are sent, the notes in their place as `-`.
fn outputs(thread: &Thread) -> Vec<String> {
    let prompt = prompt(thread);
    let parts = prompt.messages.iter().flat_map(|message| message.parts.iter());
    let outputs = parts.filter_map(ContentPart::as_call).filter_map(|call| match &call.state {
        ToolState::Done { output } if output.text.starts_with("[Left out: this file") => {
            Some("-".to_owned())
        }
        ToolState::Done { output } => output.text.split(' ').next().map(str::to_owned),
        _ => None,
    });
    outputs.collect()
}

#[test]
fn w06_an_earlier_read_leaves_with_the_next_compaction_and_not_between() {
    let thread = cleaned(ToolCleaning::AtCompaction);
    let thread = ["first", "second", "third"]
        .into_iter()
        .fold(thread, |thread, text| reads(thread, NOTES, text));
    assert_eq!(outputs(&thread), ["first", "second", "third"]);
    let compacted = thread.covered_to(2, 30);
    assert_eq!(outputs(&compacted), ["-", "third"]);
    let grown = reads(compacted, NOTES, "fourth");
    assert_eq!(outputs(&grown), ["-", "third", "fourth"], "nothing leaves in between");
}

#[test]
fn w06_an_earlier_read_leaves_with_a_batch_and_where_calls_leave_at_every_send() {
    let large = "x".repeat(BATCH_BYTES);
    let batched = reads(cleaned(ToolCleaning::InBatches), r#"{"path":"large"}"#, &large);
    let batched = reads(reads(batched, NOTES, "first"), NOTES, "second");
    assert_eq!(outputs(&batched), ["-", "second"]);
    let sent = reads(reads(cleaned(ToolCleaning::EverySend), NOTES, "first"), NOTES, "second");
    assert_eq!(outputs(&sent.person(20)), ["-", "second"]);
    let kept = reads(reads(cleaned(ToolCleaning::Never), NOTES, "first"), NOTES, "second");
    assert_eq!(outputs(&kept.covered_to(0, 30)), ["first", "second"]);
}

#[test]
fn w06_only_the_same_lines_or_the_whole_file_supersede_a_read() {
    for (first, second, expected) in [
        (NOTES, r#"{"path":"./notes.md"}"#, ["-", "second"]),
        (NOTES, r#"{"path":"other.md"}"#, ["first", "second"]),
        (NOTES, r#"{"path":"notes.md","start_line":5}"#, ["first", "second"]),
        (NOTES, FIRST_LINES, ["first", "second"]),
        (FIRST_LINES, NOTES, ["-", "second"]),
        (FIRST_LINES, r#"{"path":"notes.md","lines":3}"#, ["-", "second"]),
        (FIRST_LINES, r#"{"path":"notes.md","lines":4}"#, ["first", "second"]),
        (NOTES, "broken", ["first", "second"]),
    ] {
        let thread = reads(cleaned(ToolCleaning::EverySend), first, "first");
        assert_eq!(outputs(&reads(thread, second, "second").person(20)), expected, "{second}");
    }
    let cut_off = format!("{}\n[lines 1 to 2000 of 5000]", long("second"));
    let thread = reads(cleaned(ToolCleaning::EverySend), FIRST_LINES, "first");
    let thread = calls(thread, "read_file", NOTES, &cut_off).person(20);
    assert_eq!(outputs(&thread), ["first", "second"], "not the beginning of a long file");
}

#[test]
fn w06_a_shortened_output_supersedes_only_another_shortened_one() {
    let thread = reads(cleaned(ToolCleaning::EverySend), NOTES, "first");
    let both = reads(thread, NOTES, "second").person(20);
    let with = |shortened: &[usize]| {
        let mut thread = both.clone();
        for at in shortened {
            shorten(&mut thread, *at);
        }
        outputs(&thread)
    };
    assert_eq!(with(&[4]), ["first", "second"]);
    assert_eq!(with(&[1]), ["-", "second"]);
    assert_eq!(with(&[1, 4]), ["-", "second"]);
}

/// Marks the outputs of a message as the beginning and end of longer ones.
fn shorten(thread: &mut Thread, at: usize) {
    for part in Arc::make_mut(&mut thread.messages[at].0.parts) {
        if let Some(ToolState::Done { output }) = part.as_call_mut().map(|call| &mut call.state) {
            output.whole = Some(WholeOutput { id: OutputId(1), chars: 90_000 });
        }
    }
}

#[test]
fn w06_a_read_in_another_folder_is_of_another_file() {
    let thread = reads(cleaned(ToolCleaning::EverySend), NOTES, "first");
    let both = reads(thread, NOTES, "second").person(20);
    let in_folders = |first, second| outputs(&read_in(read_in(both.clone(), 1, first), 4, second));
    assert_eq!(in_folders("/loom", "/loom"), ["-", "second"]);
    assert_eq!(in_folders("/loom", "/mill"), ["first", "second"]);
    let of_earlier_version = read_in(both, 4, "/loom");
    assert_eq!(outputs(&of_earlier_version), ["first", "second"], "its folder is not known");
}

#[test]
fn w06_a_servers_read_of_a_path_supersedes_its_own_alone() {
    let both = |first: (&str, &str), second: (&str, &str)| {
        let thread = calls(cleaned(ToolCleaning::EverySend), first.0, first.1, &long("first"));
        outputs(&calls(thread, second.0, second.1, &long("second")).person(20))
    };
    let part = r#"{"path":"notes.md","head":3}"#;
    assert_eq!(both(("fs__read_file", NOTES), ("fs__read_file", NOTES)), ["-", "second"]);
    assert_eq!(both(("fs__read_file", NOTES), ("read_file", NOTES)), ["first", "second"]);
    assert_eq!(both(("fs__read_file", NOTES), ("fs__read_file", part)), ["first", "second"]);
    assert_eq!(both(("fs__stat", NOTES), ("fs__stat", NOTES)), ["first", "second"]);
}

#[test]
fn w06_pinned_short_and_withheld_outputs_and_those_that_nothing_sent_replaces_stay() {
    let one = reads(cleaned(ToolCleaning::EverySend), NOTES, "first");
    let both = reads(one.clone(), NOTES, "second").person(20);
    let with = |at: usize, inclusion| {
        let mut thread = both.clone();
        thread.messages[at].0.inclusion = inclusion;
        outputs(&thread)
    };
    assert_eq!(with(1, Inclusion::Pinned), ["first", "second"]);
    assert_eq!(with(4, Inclusion::LeftOut), ["first"]);
    let withheld = calls(one.clone(), "read_file", NOTES, &long("second")).without_output("call-5");
    assert_eq!(outputs(&withheld.person(20))[0], "first");
    let short = calls(cleaned(ToolCleaning::EverySend), "read_file", NOTES, "first");
    assert_eq!(outputs(&reads(short, NOTES, "second").person(20)), ["first", "second"]);
}

#[test]
fn w06_a_read_that_a_summary_covers_supersedes_none_outside_it() {
    let thread = reads(cleaned(ToolCleaning::EverySend), NOTES, "first");
    let thread = reads(thread, NOTES, "second").policy(|policy| policy.keep_tool_rounds = 9);
    let whole = reads(thread.clone(), r#"{"path":"other.md"}"#, "third").person(20);
    assert_eq!(outputs(&whole), ["-", "second", "third"]);
    let ranged = whole.covering(3..6, 30);
    assert_eq!(outputs(&ranged), ["first", "third"]);
}

#[test]
fn w06_the_note_is_counted_in_the_place_of_the_output() {
    let thread = reads(cleaned(ToolCleaning::EverySend), NOTES, "first");
    let thread = reads(thread, NOTES, "second").person(20);
    let other = reads(cleaned(ToolCleaning::EverySend), r#"{"path":"other.md"}"#, "first");
    let other = reads(other, NOTES, "second").person(20);
    let note = thread.prefix.fixed.read_again;
    assert_eq!(other.used() - thread.used(), 500 - note);
    let counted = (thread.counted(), other.counted());
    let (note, output) = (counted.0.prefix.fixed.read_again, 306);
    let paths = u32::try_from("other.md".len() - "notes.md".len()).unwrap();
    assert_eq!(counted.1.used() - counted.0.used(), output + paths - note);
}

fn plan_from(thread: &Thread, at: usize) -> Option<Plan> {
    let purpose = PlanPurpose::Range(ChosenRange::From { message_id: thread.id(at) });
    match thread.see(|window| plan(window, thread.limits, purpose)) {
        PlanOutcome::Compact { plan } => Some(plan),
        PlanOutcome::Fine {} | PlanOutcome::Stuck { .. } => None,
    }
}

#[test]
fn law_01_the_plan_of_a_range_counts_a_read_that_comes_back() {
    let thread = cleaned(ToolCleaning::EverySend).policy(|policy| policy.keep_tool_rounds = 9);
    let thread = reads(reads(thread, NOTES, "first"), NOTES, "second").rounds(3, 1_000).person(20);
    assert_eq!(outputs(&thread), ["-", "second"]);
    let plan = plan_from(&thread, 3).unwrap();
    let after = followed(&thread, &plan);
    assert_eq!(outputs(&after), ["first"]);
    assert_eq!(after.used(), plan.expected_after);
}

proptest! {
    #[test]
    fn law_01_the_plan_of_a_range_is_kept_whatever_reads_it_covers(
        files in proptest::collection::vec(0_usize..3, 2..12),
        start in any::<prop::sample::Index>(),
    ) {
        let thread = cleaned(ToolCleaning::EverySend).policy(|policy| policy.keep_tool_rounds = 99);
        let thread = files.iter().fold(thread, |thread, file| {
            reads(thread, &format!(r#"{{"path":"{file}.md"}}"#), "read").rounds(1, 900)
        });
        let thread = thread.person(20);
        let Some(plan) = plan_from(&thread, start.index(thread.messages.len())) else {
            return Ok(());
        };
        let after = followed(&thread, &plan).used();
        prop_assert!(after <= plan.expected_after, "{after} > {}", plan.expected_after);
    }

    #[test]
    fn law_09_in_batches_superseded_reads_leave_with_a_batch_or_a_compaction_alone(
        rounds in proptest::collection::vec((0_usize..4, 1_usize..BATCH_BYTES / 2), 1..40),
        keep in 0_u32..5,
        compacted in proptest::collection::hash_set(0_usize..40, 0..3),
        cleaning in prop_oneof![Just(ToolCleaning::InBatches), Just(ToolCleaning::AtCompaction)],
    ) {
        let mut thread = cleaned(cleaning).policy(|policy| policy.keep_tool_rounds = keep);
        let mut before = prompt(&thread);
        for (at, (file, bytes_read)) in rounds.iter().enumerate() {
            let calls_before = outputs(&thread).len();
            let text = format!("{at} {}", "x".repeat(*bytes_read));
            thread = calls(thread, "read_file", &format!(r#"{{"path":"{file}.md"}}"#), &text);
            let after = prompt(&thread);
            let sent = outputs(&thread);
            let batch_left = sent.len() <= calls_before;
            prop_assert!(batch_left || after.messages.starts_with(&before.messages));
            if batch_left {
                prop_assert_eq!(read_twice(&sent, &rounds), None::<usize>);
            }
            before = after;
            if compacted.contains(&at) {
                let last = thread.messages.len() - 1;
                thread = thread.covered_to(last.saturating_sub(6), 30);
                before = prompt(&thread);
                prop_assert_eq!(read_twice(&outputs(&thread), &rounds), None::<usize>);
            }
        }
    }
}

/// A file of which two whole outputs are sent, by the rounds with the file and the bytes of each.
fn read_twice(sent: &[String], rounds: &[(usize, usize)]) -> Option<usize> {
    let read = sent.iter().filter_map(|text| rounds.get(text.parse::<usize>().ok()?));
    let mut files = HashSet::new();
    read.filter(|(_, bytes)| *bytes > 300).map(|(file, _)| *file).find(|file| !files.insert(*file))
}
