use std::sync::Arc;

use skein_context::prompts::tool_result_text;
use skein_context::tokens::message_tokens::{CountedText, Tokenizer};
use skein_context::window::{EntryLabel, HistoryAccess, Prefix, PreviewPart, Prompt, SectionKind};
use skein_domain::ids::BlobId;
use skein_domain::message::{ContentPart, MessageState, StopReason, ToolOutput, ToolState};
use skein_domain::tool_declaration::ToolFamily;

use crate::fixture::{Letters, Thread, call, image};

fn prompt(thread: &Thread) -> Prompt {
    thread.see(|window| window.prompt())
}

/// The roles and texts in the order they are sent.
fn order(thread: &Thread) -> Vec<String> {
    let line = |message: &skein_context::window::PromptMessage| {
        let texts = message.parts.iter().map(|part| match part {
            ContentPart::Text { text } => text.trim().to_owned(),
            ContentPart::Tool { call } => format!("<{}>", call.call_id),
            other => format!("{other:?}"),
        });
        format!("{:?}: {}", message.role, texts.collect::<Vec<_>>().join(" | "))
    };
    prompt(thread).messages.iter().map(line).collect()
}

fn full() -> Thread {
    let mut thread = Thread::new()
        .system(100)
        .memory("AGENTS.md", 40)
        .tool("read_file", ToolFamily::BuiltIn, 30)
        .person(10)
        .pinned()
        .model(20)
        .round(30)
        .covered_to(3, 25)
        .round(40)
        .reminder("use tabs")
        .reminder("ship on Friday")
        .person(50);
    let line = CountedText { text: "call search_history".to_owned(), tokens: 7 };
    thread.recall = HistoryAccess::Available(line);
    thread.points[0].anchors = Some(CountedText { text: "port: 7443".to_owned(), tokens: 9 });
    thread
}

#[test]
fn fr_1_7_the_context_is_prefix_summary_anchors_recall_pins_tail_reminders_and_message() {
    insta::assert_json_snapshot!(prompt(&full()));
}

#[test]
fn what_the_model_sees_has_a_label_for_every_line_and_sums_to_the_window() {
    full().see(|window| {
        let view = window.preview();
        let labels: Vec<&EntryLabel> = view.iter().map(|line| &line.label).collect();
        insta::assert_json_snapshot!(labels);
        let total: u32 = view.iter().map(|line| line.tokens).sum();
        assert_eq!(total, window.used.tokens);
    });
}

/// The preview of the second message of a thread, which has only this part.
fn seen(part: ContentPart) -> PreviewPart {
    let mut thread = Thread::new().person(10).calls(10);
    thread.messages[1].0.parts = [part].into();
    thread.see(|window| window.preview().pop().unwrap().parts.remove(0))
}

#[test]
fn what_the_model_sees_has_the_words_that_every_wire_says() {
    let text = |text: &str| PreviewPart::Text { text: text.to_owned() };
    let file = ContentPart::File {
        blob: BlobId(1),
        name: "a.md".to_owned(),
        media_type: "text/plain".to_owned(),
        text: "weft".to_owned(),
        bytes: 4,
    };
    assert_eq!(seen(file), text("<file name=\"a.md\">\nweft\n</file>"));
    assert_eq!(seen(image("cat.png")), PreviewPart::Picture { name: "cat.png".to_owned() });

    let done = |text: &str, withheld| ToolState::Done {
        output: ToolOutput {
            text: text.to_owned(),
            whole: None,
            pictures: Vec::new(),
            withheld,
            folder: None,
        },
    };
    for state in [
        ToolState::Pending {},
        ToolState::AwaitingApproval {},
        ToolState::Running { started_at: 0 },
        done("found", false),
        done("", false),
        done("too much", true),
        ToolState::Failed { message: "no such file".to_owned() },
        ToolState::Denied {},
        ToolState::Cancelled {},
    ] {
        let mut part = call("1");
        let ContentPart::Tool { call } = &mut part else { panic!("no tool part") };
        call.state = state;
        let (name, args) = (call.name.clone(), call.args.clone());
        let result = tool_result_text(call).into_owned();
        let pictures = Vec::new();
        assert_eq!(seen(part), PreviewPart::Call { name, args, result, pictures });
    }
}

#[test]
fn p10_every_token_that_is_sent_is_counted() {
    let reminders = ["[6] use tabs\n", "[7] ship on Friday\n"].map(str::len).iter().sum::<usize>();
    let reminders = u32::try_from(reminders).unwrap() + 10;
    let prefix = 100 + 40 + 30;
    let standing_in = 25 + 20 + 9 + 7;
    assert_eq!(full().used(), prefix + standing_in + 10 + 40 + reminders + 50);
}

#[test]
fn fr_1_7_other_summaries_are_left_out_and_the_latest_point_applies() {
    let thread =
        Thread::new().rounds(2, 20).covered_to(1, 5).rounds(2, 20).covered_to(5, 6).round(20);
    let order = order(&thread);
    assert_eq!(order.len(), 5);
    assert!(order[0].contains("summary 10"), "{}", order[0]);
    assert_eq!(
        order[1..],
        ["User: message 8", "Assistant: message 9", "User: message 11", "Assistant: message 12"]
    );
}

#[test]
fn law_12_a_point_of_another_branch_changes_nothing() {
    let trunk = Thread::new().rounds(3, 20);
    let mut other = trunk.clone().covered_to(5, 5);
    other.messages.truncate(4);
    let with_point = prompt(&other);
    other.points.clear();
    assert_eq!(with_point, prompt(&other));
}

#[test]
fn a_point_applies_to_every_branch_that_contains_its_boundary() {
    let mut branch = Thread::new().rounds(3, 20).covered_to(1, 5);
    branch.messages.truncate(4);
    let branch = branch.round(20);
    let order = order(&branch);
    assert!(order[0].contains("summary 7"));
    assert_eq!(order.len(), 5);
}

#[test]
fn the_draft_comes_last_and_reminders_before_it() {
    let thread = Thread::new().round(20).reminder("tabs").draft(30);
    let order = order(&thread);
    assert_eq!(order.len(), 4);
    assert!(order[2].contains("[3] tabs"));
    assert_eq!(order[3], "User: words");
}

#[test]
fn reminders_stay_before_the_current_message_through_a_tool_loop() {
    let thread = Thread::new().round(20).person(10).calls(10).reminder("tabs");
    let order = order(&thread);
    assert_eq!(order[0..2], ["User: message 1", "Assistant: message 2"]);
    assert!(order[2].contains("[5] tabs"));
    assert_eq!(order[3..], ["User: message 3", "Assistant: <call-4>"]);
}

#[test]
fn passages_for_models_without_tools_stand_before_the_reminders() {
    let mut thread = Thread::new().round(20).person(10).reminder("tabs");
    thread.passages = Some(CountedText { text: "said earlier".to_owned(), tokens: 3 });
    let order = order(&thread);
    assert_eq!(order[2], "User: said earlier");
    assert!(order[3].contains("[4] tabs"));
}

#[test]
fn p09_a_withheld_output_is_replaced_by_a_line_that_says_so() {
    let mut thread = Thread::new().person(10).calls(10);
    if let ContentPart::Tool { call } = &mut Arc::make_mut(&mut thread.messages[1].0.parts)[0]
        && let ToolState::Done { output } = &mut call.state
    {
        output.withheld = true;
    }
    let stored = thread.messages.clone();
    let prompt = prompt(&thread);
    let ContentPart::Tool { call } = &prompt.messages[1].parts[0] else { panic!("no tool part") };
    let ToolState::Done { output } = &call.state else { panic!("not done") };
    assert!(output.text.starts_with("[This output was left out"), "{}", output.text);
    assert_eq!(thread.messages, stored);
}

#[test]
fn a_pinned_message_keeps_its_tool_parts_after_cleaning_and_after_covering() {
    let thread = Thread::new().person(10).calls(100).pinned().model(10).rounds(3, 20);
    assert_eq!(thread.used(), 10 + 104 + 10 + 60);
    assert_eq!(thread.covered_to(4, 5).used(), 25 + 104 + 40);
}

#[test]
fn what_is_stable_ends_where_a_tool_part_will_leave_or_a_reminder_stands() {
    let stable = |thread: &Thread| prompt(thread).stable_messages;
    assert_eq!(stable(&Thread::new().rounds(3, 20)), 6);
    assert_eq!(stable(&Thread::new().rounds(3, 20).person(10).reminder("tabs")), 6);
    let tools = Thread::new().round(20).person(10).calls(10).model(10);
    assert_eq!(stable(&tools), 3);
    assert_eq!(stable(&Thread::new().rounds(2, 20).draft(5)), 4);
    let growing = Thread::new().person(10).model(10).last_is(MessageState::Streaming {});
    assert_eq!(stable(&growing), 1);
}

#[test]
fn an_empty_thread_has_an_empty_prompt() {
    assert_eq!(prompt(&Thread::new()), Prompt::default());
}

#[test]
fn a_message_that_is_sent_whole_is_shared_and_one_that_is_cleaned_leaves_the_stored_one_alone() {
    let thread = Thread::new().person(10).calls(10).model(10).person(10);
    let shared = |thread: &Thread| {
        let prompt = prompt(thread);
        let pairs = prompt.messages.iter().zip(&thread.messages);
        pairs.map(|(sent, stored)| Arc::ptr_eq(&sent.parts, &stored.0.parts)).collect::<Vec<_>>()
    };
    assert_eq!(shared(&thread), [true; 4]);
    let mut withheld = thread.clone();
    if let ContentPart::Tool { call } = &mut Arc::make_mut(&mut withheld.messages[1].0.parts)[0]
        && let ToolState::Done { output } = &mut call.state
    {
        output.withheld = true;
    }
    assert_eq!(shared(&withheld), [true, false, true, true]);
}

/// A thread whose last reply ended so.
fn ending(state: MessageState) -> Thread {
    Thread::new().person(10).model(20).last_is(state).reminder("use tabs")
}

#[test]
fn a_prompt_after_a_reply_that_was_cut_off_ends_with_the_persons_side() {
    for state in [
        MessageState::Interrupted {},
        MessageState::Failed { error: "{}".to_owned().into() },
        MessageState::Ended { at: StopReason::Output { shortened: None } },
    ] {
        let thread = ending(state);
        assert_eq!(order(&thread).last().unwrap(), "User: [Go on exactly where you stopped.]");
        thread.see(|window| {
            let last = window.preview().pop().unwrap();
            assert_eq!((last.label, last.tokens), (EntryLabel::GoOn {}, 9));
            let whole = ending(MessageState::Complete {});
            assert_eq!(window.used.tokens, whole.used() + 9);
            assert!(window.stable_entries < window.entries.len());
        });
    }
}

#[test]
fn nothing_is_to_be_gone_on_with_after_a_whole_reply_a_result_or_new_words() {
    let cut_off = || ending(MessageState::Interrupted {});
    let whole = ending(MessageState::Complete {});
    let called = Thread::new().person(10).calls(30).last_is(MessageState::Interrupted {});
    for thread in [whole, called, cut_off().person(5), cut_off().draft(5)] {
        assert!(!order(&thread).iter().any(|line| line.contains("Go on exactly")));
    }
}

#[test]
fn d11_a_notice_stored_behind_the_users_words_goes_out_right_before_them_as_its_own_message() {
    let thread = Thread::new().round(20).person(10).notice(15).reminder("use tabs");
    let lines = order(&thread);
    let [.., reminder, notice, words] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(reminder.contains("use tabs"), "{lines:?}");
    assert!(notice.contains("message 4") && words.contains("message 3"), "{lines:?}");
    assert_eq!(prompt(&thread).notices, [3]);
    let twice = Thread::new().round(20).person(10).notice(15).notice(16).model(5);
    let ids = |thread: &Thread| -> Vec<String> {
        order(thread).iter().map(|line| line.rsplit(' ').next().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&twice), ["1", "2", "4", "5", "3", "6"]);
    let in_a_loop = Thread::new().person(10).calls(20).notice(15);
    assert_eq!(prompt(&in_a_loop).notices, [2], "after a result it stays where it is");
}

#[test]
fn law_09_what_a_cut_off_reply_was_told_stays_when_it_is_gone_on_with() {
    let cut_off =
        Thread::new().round(20).person(10).model(20).last_is(MessageState::Interrupted {});
    let before = prompt(&cut_off).messages;
    let gone_on = cut_off.clone().model(30);
    let after = prompt(&gone_on);
    assert_eq!(after.messages[..before.len()], before, "only the reply is new");
    assert_eq!(gone_on.used(), cut_off.used() + 30);
    let next = prompt(&gone_on.clone().person(5));
    assert_eq!(next.messages[..after.messages.len()], after.messages);
    assert_eq!(usize::try_from(next.stable_messages).unwrap(), next.messages.len());
    let noticed = prompt(&cut_off.notice(15)).messages;
    let words = noticed.last().unwrap().parts[0].clone();
    assert_eq!(words, ContentPart::Text { text: "[Go on exactly where you stopped.]".into() });
}

#[test]
fn law_09_what_opens_for_calls_that_will_leave_is_not_said_to_stay() {
    let thread = Thread::new().person(10).calls(20).model(30).leaving_out(&[0]);
    let policy = |thread: Thread, rounds| thread.policy(|policy| policy.keep_tool_rounds = rounds);
    let before = prompt(&policy(thread.clone(), 1));
    assert_eq!(before.stable_messages, 0);
    let words = prompt(&policy(Thread::new().model(30), 1));
    assert_eq!(words.stable_messages, 2, "words stay");
}

#[test]
fn sections_of_the_system_prompt_are_counted_as_they_are_joined() {
    let sections = ["be brief", "use tabs", "ship on Friday"];
    let kinds = sections.map(|text| (SectionKind::System {}, text.to_owned()));
    let prefix = Prefix::count(&Letters, kinds, [], []);
    let thread = Thread { prefix, ..Thread::new() };
    let joined = prompt(&thread).system;
    assert_eq!(joined, "be brief\n\nuse tabs\n\nship on Friday");
    assert_eq!(thread.used(), Letters.text(&joined));
    assert_eq!(thread.prefix.sections[0].content.text, "be brief", "it is shown as it is");
}
